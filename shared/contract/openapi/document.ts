import type { Endpoint } from '../endpoint.ts';
import type { EndpointName } from '../endpoints.ts';
import { LIMITS } from '../limits.ts';
import { APP_ENDPOINTS } from '../words/app.ts';
import { ACCOUNT_ENDPOINTS } from '../words/app-account.ts';
import type { AnyNamed, Documented } from '../words/described.ts';
import { DOCUMENT_ENDPOINTS } from '../words/documents.ts';
import { APP_ERROR, ERROR, SIGNING_ERROR } from '../words/error-body.ts';
import { ENVELOPE, EVENT_WORDS } from '../words/events.ts';
import { HEADERS } from '../words/headers.ts';
import { SERVICE_ENDPOINTS } from '../words/service.ts';
import { SIGNATURE_ENDPOINTS } from '../words/signatures.ts';
import { SIGNING_ENDPOINTS } from '../words/signing.ts';
import { TAGS } from '../words/tags.ts';
import { WEBHOOK_ENDPOINTS } from '../words/webhook-endpoints.ts';
import { errorExamples } from './errors.ts';
import { operationOf, parameterObjects } from './operations.ts';
import { type Json, schemasOf } from './schemas.ts';
import { API_SECURITY, APP_SECURITY, SIGNING_SECURITY } from './security.ts';
import { eventSchemas, webhooks } from './webhooks.ts';

const DOCUMENTED: Readonly<Record<EndpointName, Documented>> = {
  ...SERVICE_ENDPOINTS,
  ...SIGNATURE_ENDPOINTS,
  ...DOCUMENT_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...SIGNING_ENDPOINTS,
  ...APP_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
};

interface Kind {
  readonly area: Endpoint['area'];
  readonly title: string;
  readonly description: string;
  readonly error: AnyNamed;
  readonly securitySchemes: Json;
}

const named = (objects: readonly (AnyNamed | undefined)[]) =>
  objects.filter((object) => object !== undefined);

function pathsOf(documented: readonly Documented[], schemas: Readonly<Record<string, Json>>): Json {
  const paths: Record<string, Json> = {};
  for (const each of documented) {
    const { path, method } = each.endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(each, schemas) };
  }
  return paths;
}

type Components = Readonly<Record<'schemas' | 'headers' | 'examples', Record<string, Json>>>;

/** The components that the calls refer to, directly or through others. */
function usedBy(calls: Json, components: Components): Components {
  const used = new Set<Json>();
  const visit = (part: Json): void => {
    for (const [, kind, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      const component = components[kind as keyof Components]?.[name];
      if (!component || used.has(component)) continue;
      used.add(component);
      visit(component);
    }
  };
  visit(calls);
  const sortedUsed = (all: Record<string, Json>) =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([, component]) => used.has(component))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  const { schemas, headers, examples } = components;
  return { schemas: sortedUsed(schemas), headers: sortedUsed(headers), examples: sortedUsed(examples) };
}

function document({ area, title, description, error, securitySchemes }: Kind): Json {
  const documented = Object.values(DOCUMENTED).filter(({ endpoint }) => endpoint.area === area);
  const events = area === 'api' ? [ENVELOPE, ...Object.values(EVENT_WORDS).map(({ data }) => data)] : [];
  const output = schemasOf(named([...documented.map(({ answer }) => answer), error, ...events]), 'output');
  const input = schemasOf(
    [...named(documented.map(({ body }) => body)), ...documented.flatMap(parameterObjects)],
    'input',
  );
  const calls = {
    paths: pathsOf(documented, input),
    ...(area === 'api' && { webhooks: webhooks() }),
  };
  const schemas = { ...input, ...output, ...(area === 'api' && eventSchemas(output)) };
  const tags = new Set(documented.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      description,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The address that this document comes from' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => tags.has(name))
      .map(([name, words]) => ({ name, description: words })),
    ...calls,
    components: {
      ...usedBy(calls, { schemas, headers: HEADERS, examples: errorExamples(area) }),
      securitySchemes,
    },
  };
}

/** The document of the client API, generated from the declarations that the service itself runs on. */
export const openApiDocument = (): Json =>
  document({
    area: 'api',
    title: 'Electronic signature requests',
    description:
      `Send a PDF to 1 to ${LIMITS.signers} people, follow who signs it, and fetch the sealed document.\n\n` +
      'Every call carries an API key. Keys that begin with `esk_test_` work apart from live data. ' +
      'Within v1 nothing is removed or renamed. Fields, endpoints, event types and error codes may be added: ignore those that you do not know.',
    error: ERROR,
    securitySchemes: API_SECURITY,
  });

/** The document of the calls by signers, which the signing page makes. They may change with the page. */
export const signingOpenApiDocument = (): Json =>
  document({
    area: 'signing',
    title: 'The signing page’s calls',
    description:
      'The calls that the signing page makes for a signer. They belong to the page and may change with it: clients of the service need none of them.',
    error: SIGNING_ERROR,
    securitySchemes: SIGNING_SECURITY,
  });

/** The document of the dashboard's own calls. They may change with it. */
export const appOpenApiDocument = (): Json =>
  document({
    area: 'app',
    title: 'The dashboard’s own calls',
    description:
      'The calls that the dashboard makes for a user and that no API key may make. They belong to the dashboard and may change with it. ' +
      'For all else it uses the client API, with the session in place of a key and the headers `X-Owner`, `X-Mode` and `X-Requested-With`. ' +
      '`X-User` names the user whom a page shows as signed in: a call is refused with `sign_in_required` where the session is another’s.',
    error: APP_ERROR,
    securitySchemes: APP_SECURITY,
  });
