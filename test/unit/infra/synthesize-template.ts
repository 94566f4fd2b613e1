import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { FUNCTIONS } from '../../../infra/functions.ts';
import { readOptions } from '../../../infra/options.ts';
import { SignatureRequests } from '../../../infra/stack.ts';

/** The texts that a synthesis writes about the stack. */
type Files = Record<'template' | 'assets' | 'metadata', string>;

/** The files of the stack with these options, and with empty bundles and page. */
export function synthesizeFiles(options: Record<string, string>): Files {
  const { stackTraceLimit } = Error;
  // The CDK reads a stack trace for each of thousands of tokens, which takes a sixth of a synthesis.
  Error.stackTraceLimit = 0;
  try {
    return synthesize(options);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function synthesize(options: Record<string, string>): Files {
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  for (const name of Object.keys(FUNCTIONS)) put(join(folder, 'functions', name), 'index.mjs', `// ${name}`);
  put(join(folder, 'ingest'), 'index.mjs', '// ingest');
  put(join(folder, 'page', 'sign'), 'index.html', '<!doctype html>');
  put(join(folder, 'page', 'sign', 'assets'), 'page-1a2b.js', '');
  const app = new App({
    outdir: join(folder, 'out'),
    context: {
      ...recommendedFlags,
      mailFrom: 'sign@example.org',
      // `npm run synth` stages assets and validates; these tests need neither.
      'aws:cdk:disable-asset-staging': true,
      'aws:cdk:disable-stack-trace': true,
      ...options,
    },
    builtinCloudFormationValidation: false,
    // A quarter of a synthesis, and no test reads it.
    treeMetadata: false,
  });
  new SignatureRequests(app, 'SignatureRequests', {
    options: readOptions(app.node),
    bundles: join(folder, 'functions'),
    page: join(folder, 'page'),
    ingestBundle: join(folder, 'ingest'),
  });
  app.synth();
  const read = (kind: string) => readFileSync(join(folder, 'out', `SignatureRequests.${kind}.json`), 'utf8');
  const files = { template: read('template'), assets: read('assets'), metadata: read('metadata') };
  rmSync(folder, { recursive: true });
  return files;
}

function put(folder: string, name: string, content: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
}
