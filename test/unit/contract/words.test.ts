import { randomBytes } from 'node:crypto';
import { tokenOf } from '../../../shared/accounts/api-key.ts';
import {
  appOpenApiDocument,
  openApiDocument,
  signingOpenApiDocument,
} from '../../../shared/contract/openapi/document.ts';
import { EVENT_WORDS, schemaName } from '../../../shared/contract/words/events.ts';
import { HEADERS } from '../../../shared/contract/words/headers.ts';
import { makeSecret } from '../../../shared/webhooks/signature.ts';

/** The compiler demands words for every field that it sees; this finds the others, and words that are empty. */

type Json = Record<string, unknown>;
type Named = Record<string, Json>;

interface Document {
  paths: Record<string, Named>;
  webhooks?: Record<string, Named>;
  components: { schemas: Named; examples: Named };
}

const DOCUMENTS = [
  ['of the client API', openApiDocument() as unknown as Document],
  ['of the signing page', signingOpenApiDocument() as unknown as Document],
  ['of the dashboard', appOpenApiDocument() as unknown as Document],
] as const;

const isSaid = (words: unknown) => typeof words === 'string' && /\S.*[.:]/s.test(words);

/** The fields without words below a schema, by their paths. */
function silentIn(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as { properties?: Named };
  const silent = Object.entries(properties).flatMap(([name, property]) => [
    ...(isSaid(property.description) && Array.isArray(property.examples) ? [] : [`${path}.${name}`]),
    ...silentIn(property, `${path}.${name}`),
  ]);
  const { examples: _, ...parts } = rest as Json;
  return [...silent, ...Object.entries(parts).flatMap(([name, part]) => silentIn(part, `${path}/${name}`))];
}

/** Objects that stand inside another one without a name of their own. */
const anonymousIn = (schema: Json, path: string): string[] =>
  Object.entries((schema.properties ?? {}) as Named)
    .filter(([, property]) => JSON.stringify(property).includes('"properties":'))
    .map(([name]) => `${path}.${name}`);

const operationsOf = (document: Document) =>
  [document.paths, document.webhooks ?? {}].flatMap((group) =>
    Object.entries(group).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
    ),
  );

describe.each(DOCUMENTS)('the OpenAPI document %s', (of, document) => {
  const { schemas } = document.components;

  it(`the document ${of} has a description and an example for every field`, () => {
    expect(Object.entries(schemas).flatMap(([name, schema]) => silentIn(schema, name))).toEqual([]);
  });

  it(`the document ${of} has a description for every schema, and no object without a name`, () => {
    const silent = Object.entries(schemas).filter(([, { description }]) => !isSaid(description));
    expect(silent.map(([name]) => name)).toEqual([]);
    expect(Object.entries(schemas).flatMap(([name, schema]) => anonymousIn(schema, name))).toEqual([]);
    for (const [path, operation] of operationsOf(document))
      expect([path, JSON.stringify(operation).includes('"properties":')]).toEqual([path, false]);
  });

  it(`the document ${of} has a summary and a description for every operation, and words for each of its parameters`, () => {
    for (const [path, operation] of operationsOf(document)) {
      expect([path, operation.summary]).toEqual([path, expect.stringMatching(/\S/)]);
      expect([path, isSaid(operation.description)]).toEqual([path, true]);
      for (const { name, description, example } of (operation.parameters ?? []) as Json[])
        expect([path, name, isSaid(description), example]).toEqual([path, name, true, expect.anything()]);
    }
  });

  it(`the document ${of} names each operation once, as a method`, () => {
    const ids = operationsOf(document).map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z]+$/);
  });

  it(`the document ${of} leaves every answer open for further members`, () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });

  it(`the document ${of} tells for each status of an operation the codes that it can have`, () => {
    for (const [path, { responses }] of operationsOf({ ...document, webhooks: {} }))
      for (const [status, { content }] of Object.entries(responses as Named))
        if (Number(status) >= 400) {
          const { examples } = (content as Record<string, { examples: Json }>)['application/json'] ?? {};
          expect([path, status, Object.keys(examples ?? {})]).toEqual([
            path,
            status,
            expect.arrayContaining([expect.any(String)]),
          ]);
        }
  });
});

/** The example of a schema. */
function exampleIn(document: object, name: string): Record<string, string> {
  const { examples = [] } = (document as Document).components.schemas[name] ?? {};
  const [example = {}] = examples as Record<string, string>[];
  return example;
}

it('the examples of an ETag, an API key and a secret have the form of real ones, so that nobody plans for shorter ones', () => {
  expect(HEADERS.ETag.example).toMatch(/^"[0-9a-f]{64}"$/);
  const { api_key } = exampleIn(appOpenApiDocument(), 'NewApiKey');
  expect(tokenOf(`Bearer ${api_key}`)).toBe(api_key);
  const { secret = '' } = exampleIn(openApiDocument(), 'CreatedWebhookEndpoint');
  expect(makeSecret(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(secret);
  expect(secret).toHaveLength(makeSecret(randomBytes(32)).length);
});

type Times = Record<string, string | null>;

const API = openApiDocument() as unknown as Document;
const REQUESTS = Object.keys(API.components.schemas)
  .map((name): [string, Times] => [name, exampleIn(API, name)])
  .filter(([, { status, created_at }]) => status && created_at);

it.each(REQUESTS)(
  'the example of %s has the times and the hash of a request in its status',
  (_, { status, sent_at, signed_at, cancelled_at, document_hash = signed_at }) => {
    const isSealed = status === 'signed';
    expect([sent_at, signed_at, document_hash, cancelled_at].map((fact) => fact !== null)).toEqual([
      status !== 'pending',
      isSealed,
      isSealed,
      status === 'cancelled',
    ]);
  },
);

const LEADS_TO: Readonly<Record<string, string>> = { created: 'pending', completed: 'signed' };

it.each(Object.keys(EVENT_WORDS))(
  'the example of the event %s has the status that the event leads to, and nothing that happened after it',
  (type) => {
    const { created_at, data } = exampleIn(API, schemaName(type)) as unknown as {
      created_at: string;
      data: Times;
    };
    const [, outcome = ''] = type.split('.');
    const status = LEADS_TO[outcome] ?? outcome;
    expect(data.status ?? status).toBe(status);
    const { expires_at, ...happened } = data;
    const times = Object.entries(happened).filter(([field]) => field.endsWith('_at'));
    for (const [, time] of times) expect((time ?? '') <= created_at).toBe(true);
    if (outcome === 'expired') expect((expires_at ?? '') <= created_at).toBe(true);
  },
);

it('the example of a delivery shows the body of its own event', () => {
  const { event_id, event_type, request_body = '' } = exampleIn(API, 'WebhookDelivery');
  expect(JSON.parse(request_body)).toMatchObject({ id: event_id, type: event_type });
});
