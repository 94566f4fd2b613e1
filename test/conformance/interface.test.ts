import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { first, type Sent, SigningStage } from '../support/signing-stage.ts';
import { inScratch, pythonTool, requirePythonTools, root, run } from './judges.ts';

/**
 * Schemathesis reads the OpenAPI documents and calls the running service with what the document allows and with what it
 * does not. Whatever comes back must be what the document says. The seed is fixed, so that a failure can be had again.
 */

const SECONDS = 240;
const CALLS_EACH = 40;
/** Many rules for good input cannot be said in a schema: public addresses, days that are there, cursors of our own making. */
const NOT_ASKED = 'positive_data_acceptance';

let stage: SigningStage;

beforeAll(async () => {
  requirePythonTools('schemathesis');
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

const tomlTable = (values: Record<string, string>): string =>
  `{ ${Object.entries(values)
    .map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`)
    .join(', ')} }`;

async function sealed(): Promise<Sent> {
  const request = await stage.send();
  await (await stage.verified(first(request.signers))).sign();
  await stage.untilStatus(request.id, 'signed');
  return request;
}

/** Things that are there, so that calls get further than to a 404. */
async function configuration(): Promise<string> {
  const { client, receiver } = stage;
  const [open, done] = [await stage.send(), await sealed()];
  const signer = await stage.verified(first((await stage.send()).signers));
  const { body: endpoint } = await client.post('/api/v1/webhook-endpoints', { url: receiver.url });
  const operations = (paths: string, kind: 'parameters' | 'headers', values: Record<string, string>) => [
    '[[operations]]',
    `include-path-regex = '${paths}'`,
    `${kind} = ${tomlTable(values)}`,
  ];
  return [
    'continue-on-failure = true',
    `hooks = ${JSON.stringify(join(root, 'test/conformance/schemathesis_hooks.py'))}`,
    `headers = ${tomlTable({ Authorization: `Bearer ${client.apiKey}` })}`,
    // A call without a link's token is a call to no link.
    '[checks.missing_required_header]',
    'expected-statuses = [400, 401, 404]',
    // CloudFront refuses TRACE itself, with a page of its own.
    '[phases.coverage]',
    'unexpected-methods = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"]',
    // The link and the session are given below; the cookie's real name is the link's own.
    '[generation]',
    'with-security-parameters = false',
    ...operations('^/api/v1/signatures/[^/]*(/cancel|/signers.*)?$', 'parameters', {
      id: open.id,
      signer_id: first(open.signers).id,
    }),
    ...operations('^/api/v1/signatures/.*(document|audit-trail)', 'parameters', { id: done.id }),
    ...operations('^/api/v1/webhook-endpoints/', 'parameters', { id: String(endpoint.id) }),
    ...operations('^/api/signing/', 'headers', {
      'X-Signing-Token': signer.token,
      Cookie: signer.cookie ?? '',
    }),
  ].join('\n');
}

it.each(['docs/openapi.json', 'docs/openapi-signing.json'])(
  'every answer of the service is one that %s tells of',
  async (document) => {
    await inScratch(async (folder) => {
      const file = join(folder, 'schemathesis.toml');
      writeFileSync(file, await configuration());
      const checks = ['--checks', 'all', '--exclude-checks', NOT_ASKED];
      const calls = ['--url', stage.service.baseUrl, '-n', String(CALLS_EACH), '--seed', '1', '--no-shrink'];
      const { code, output, complaints } = await run(
        pythonTool('schemathesis'),
        ['--config-file', file, 'run', join(root, document), ...calls, ...checks],
        SECONDS,
        // It leaves notes where it runs.
        folder,
      );
      if (code !== 0) throw new Error(`Schemathesis ended with ${code}.\n${output}${complaints}`);
    });
  },
  SECONDS * 1_000 + 30_000,
);
