import type { Access } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { type AnyNamed, CREDENTIALS, type Documented } from '../words/described.ts';
import { headerRefs, refusalsOf } from './errors.ts';
import { type Json, refTo } from './schemas.ts';

/** Query values arrive as text; the document describes the number that the text must hold. */
const PAGE_SIZE: Json = {
  type: 'integer',
  minimum: 1,
  maximum: LIMITS.pageSize,
  default: LIMITS.defaultPageSize,
};

const PLACES = { params: 'path', query: 'query', headers: 'header' } as const;
type Part = keyof typeof PLACES;
const PARTS = Object.keys(PLACES) as Part[];

const isCredential = (name: string) => CREDENTIALS.some((credential) => credential === name);

const partName = ({ endpoint }: Documented, part: Part) => `${endpoint.name} ${part}`;

/** The parameters of an endpoint as objects with words, one for each place that they travel in. */
export const parameterObjects = (documented: Documented): AnyNamed[] =>
  PARTS.flatMap((part) => {
    const schema = documented.endpoint[part];
    const fields = documented[part];
    return schema && fields ? [{ name: partName(documented, part), schema, description: '', fields }] : [];
  });

const headerName = (name: string) => name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase());

function parametersOf(documented: Documented, schemas: Readonly<Record<string, Json>>): Json[] {
  return PARTS.flatMap((part) => {
    const { properties = {}, required = [] } = schemas[partName(documented, part)] ?? {};
    return Object.entries(properties as Record<string, Json>)
      .filter(([name]) => !isCredential(name))
      .map(([name, { description, examples, ...schema }]) => ({
        name: part === 'headers' ? headerName(name) : name,
        in: PLACES[part],
        description,
        required: part === 'params' || (required as string[]).includes(name),
        schema: name === 'limit' ? PAGE_SIZE : schema,
        example: (examples as unknown[])[0],
      }));
  });
}

const SECURITY: Record<Access, Json[]> = {
  open: [],
  api_key: [{ apiKey: [] }],
  signing_link: [{ signingLink: [] }],
  signing_session: [{ signingLink: [], signingSession: [] }],
  copy_link: [{ copyLink: [] }],
  session_or_copy: [{ signingLink: [], signingSession: [] }, { copyLink: [] }],
  app_attempt: [{ requestedWith: [], attempt: [] }],
  app_session: [{ requestedWith: [], session: [] }],
  app_admin: [{ requestedWith: [], session: [], owner: [] }],
};

function contentOf({ endpoint, answer }: Documented): Json {
  if (typeof endpoint.answer === 'string')
    return { [endpoint.answer]: { schema: { type: 'string', format: 'binary' } } };
  return { 'application/json': { schema: answer ? refTo(answer.name) : { type: 'object' } } };
}

export function operationOf(documented: Documented, schemas: Readonly<Record<string, Json>>): Json {
  const { endpoint, operationId, tag, description, returns, also = {}, body } = documented;
  const answerHeaders = [
    ...(documented.answerHeaders ?? []),
    ...(endpoint.body ? (['Ignored-Fields'] as const) : []),
  ];
  return {
    operationId,
    summary: endpoint.summary,
    description,
    tags: [tag],
    security: SECURITY[endpoint.access],
    parameters: parametersOf(documented, schemas),
    ...(body && {
      requestBody: {
        required: !endpoint.bodyOptional,
        content: { 'application/json': { schema: refTo(body.name) } },
      },
    }),
    responses: {
      [endpoint.status]: {
        description: returns,
        headers: headerRefs(answerHeaders),
        content: contentOf(documented),
      },
      ...Object.fromEntries(
        Object.entries(also).map(([status, words]) => [
          status,
          { description: words, headers: headerRefs(answerHeaders) },
        ]),
      ),
      ...refusalsOf(endpoint),
    },
  };
}
