import * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { LIMITS } from './fields.ts';
import { errorBody } from './resources.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
};

/** Query values arrive as text; the document describes the number that the text must hold. */
const PAGE_SIZE: Json = {
  type: 'integer',
  minimum: 1,
  maximum: LIMITS.pageSize,
  default: LIMITS.defaultPageSize,
};

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query' | 'header'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name: place === 'header' ? headerName(name) : name,
    in: place,
    required:
      place === 'path' || name === 'x-signing-token' || !(field as z.ZodType).safeParse(undefined).success,
    schema: name === 'limit' ? PAGE_SIZE : schemaOf(field as z.ZodType, 'input'),
  }));
}

const headerName = (name: string) => name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase());

/** Errors that any endpoint with this access may answer, in addition to those it declares. */
const COMMON: Record<Endpoint['access'], readonly ErrorCode[]> = {
  open: [],
  api_key: ['unauthorized'],
  signing_link: [],
  signing_session: [],
  copy_link: [],
  session_or_copy: [],
};
const EVERYWHERE: readonly ErrorCode[] = [
  'forbidden',
  'method_not_allowed',
  'too_many_requests',
  'internal_error',
  'timed_out',
];
const WITH_INPUT: readonly ErrorCode[] = ['invalid_request'];
const WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'payload_too_large', 'unsupported_media_type'];

function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const input = endpoint.body || endpoint.query || endpoint.headers ? WITH_INPUT : [];
  const body = endpoint.body ? WITH_BODY : [];
  return [...new Set([...endpoint.errors, ...COMMON[endpoint.access], ...input, ...body, ...EVERYWHERE])];
}

function responsesOf(endpoint: Endpoint): Json {
  const good =
    typeof endpoint.answer === 'string'
      ? { [endpoint.answer]: { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema: schemaOf(endpoint.answer, 'output') } };
  const byStatus = Object.groupBy(errorsOf(endpoint), (code) => ERRORS[code][0]);
  const refusals = Object.entries(byStatus).map(([status, codes = []]) => [
    status,
    {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
  return {
    [endpoint.status]: { description: endpoint.summary, content: good },
    ...Object.fromEntries(refusals),
  };
}

const SECURITY: Record<Endpoint['access'], Json[]> = {
  open: [],
  api_key: [{ apiKey: [] }],
  signing_link: [{ signingLink: [] }],
  signing_session: [{ signingLink: [], signingSession: [] }],
  copy_link: [{ copyLink: [] }],
  session_or_copy: [{ signingLink: [], signingSession: [] }, { copyLink: [] }],
};

const operationOf = (endpoint: Endpoint): Json => ({
  operationId: endpoint.name,
  summary: endpoint.summary,
  tags: [endpoint.area === 'api' ? 'Client' : 'Signer'],
  security: SECURITY[endpoint.access],
  parameters: [
    ...parametersOf(endpoint.params, 'path'),
    ...parametersOf(endpoint.query, 'query'),
    ...parametersOf(endpoint.headers, 'header').filter(
      ({ name }) => name !== 'X-Signing-Token' && name !== 'X-Copy-Token',
    ),
  ],
  ...(endpoint.body && {
    requestBody: {
      required: !endpoint.bodyOptional,
      content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
    },
  }),
  responses: responsesOf(endpoint),
});

/** The OpenAPI document, generated from the declarations that the service itself runs on. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of ENDPOINTS) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Electronic signature requests',
      version: '1.0.0',
      description:
        'Create signature requests, follow them, and fetch the sealed document. Additions within v1 are backward-compatible.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody, 'output') },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `esk_live_…` or `esk_test_…`.' },
        signingLink: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Signing-Token',
          description: 'The access token of a signing link.',
        },
        copyLink: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Copy-Token',
          description: 'The token of the link in the mail with the sealed document.',
        },
        signingSession: {
          type: 'apiKey',
          in: 'cookie',
          name: 'signing_session',
          description:
            'Set by a verified code. Its real name ends with twelve digits that belong to the link, so that a browser can hold those of several.',
        },
      },
    },
  };
}
