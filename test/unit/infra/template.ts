import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ROWS } from '../../../infra/functions.ts';
import { readOptions } from '../../../infra/options.ts';
import { SignatureRequests } from '../../../infra/stack.ts';

const flags: Record<string, unknown> = createRequire(import.meta.url)(
  'aws-cdk-lib/recommended-feature-flags.json',
);
const context = {
  ...flags,
  mailFrom: 'sign@example.org',
  // `npm run synth` validates and copies; here each assertion looks for itself.
  'aws:cdk:disable-asset-staging': true,
  'aws:cdk:disable-stack-trace': true,
};

/** The stack as it is synthesized with these options, its bundles and page empty. */
export function template(options: Record<string, string> = {}): Template {
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  for (const name of Object.keys(ROWS)) put(join(folder, 'functions', name), 'index.mjs', `// ${name}`);
  put(join(folder, 'ingest'), 'index.mjs', '// ingest');
  put(join(folder, 'page', 'sign'), 'index.html', '<!doctype html>');
  put(join(folder, 'page', 'sign', 'assets'), 'page-1a2b.js', '');
  const app = new App({
    outdir: join(folder, 'out'),
    context: { ...context, ...options },
    builtinCloudFormationValidation: false,
  });
  const made = Template.fromStack(
    new SignatureRequests(app, 'SignatureRequests', {
      options: readOptions(app.node),
      bundles: join(folder, 'functions'),
      page: join(folder, 'page'),
      ingestBundle: join(folder, 'ingest'),
    }),
  );
  rmSync(folder, { recursive: true });
  return made;
}

function put(folder: string, name: string, content: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
}

export interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource?: unknown;
  Principal?: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

export const resources = (from: Template, type?: string): Record<string, Resource> => {
  const all: Record<string, Resource> = from.toJSON().Resources;
  return Object.fromEntries(Object.entries(all).filter(([, { Type }]) => !type || Type === type));
};

export const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** The properties of the first resource of a type. */
export function only<P>(from: Template, type: string): P {
  const [found] = Object.values(resources(from, type));
  if (!found) throw new Error(`The stack has no ${type}.`);
  return found.Properties as P;
}

export function withId<P>(from: Template, id: string): P {
  const found = resources(from)[id];
  if (!found) throw new Error(`The stack has no resource ${id}.`);
  return found.Properties as P;
}
