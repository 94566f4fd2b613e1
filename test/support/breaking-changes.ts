/**
 * Compares two OpenAPI documents as a client does that was made for the older one. Additions pass: new calls, new optional
 * input, new members of answers, new values in answers.
 */

type Json = Record<string, unknown>;
type Named<T = Json> = Readonly<Record<string, T>>;

interface Operation {
  operationId?: string;
  security?: Json[];
  parameters?: { in: string; name: string; required?: boolean; schema: Json }[];
  requestBody?: { required?: boolean; content: Named<{ schema: Json }> };
  responses: Named<{ content?: Named<{ schema: Json }> }>;
}

export interface Document {
  paths: Named<Named<Operation>>;
  webhooks?: Named<Named<Operation>>;
  components?: { schemas?: Named };
}

/** One of what may stand in a place, with the document that its references lead into. */
interface Side {
  schema: Json;
  document: Document;
}

/** A side that sends values and one that receives them: an old client and a new service, or the other way round. */
interface Exchange {
  sent: Side;
  received: Side;
  sender: 'client' | 'service';
}

function resolved({ schema, document }: Side): Json {
  const [, name = ''] = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? '')) ?? [];
  return document.components?.schemas?.[name] ?? schema;
}

/** The schemas of which a value fits one, without references on top. */
function alternatives(side: Side): Json[] {
  const schema = resolved(side);
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return choices.flatMap((choice) => alternatives({ ...side, schema: choice }));
  return [schema.type].flat().map((type) => ({ ...schema, type }));
}

const valuesOf = (schema: Json): unknown[] | undefined =>
  'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined);

const LOWEST = ['minimum', 'minLength', 'minItems'];
const HIGHEST = ['maximum', 'maxLength', 'maxItems'];
const EXACT = ['pattern', 'format'];

/** The limits of the receiver that a value of the sender may break. */
const brokenLimits = (sent: Json, received: Json): string[] => [
  ...LOWEST.filter((limit) => Number(received[limit] ?? -Infinity) > Number(sent[limit] ?? -Infinity)),
  ...HIGHEST.filter((limit) => Number(received[limit] ?? Infinity) < Number(sent[limit] ?? Infinity)),
  ...EXACT.filter((limit) => limit in received && received[limit] !== sent[limit]),
];

function changesOfObject(exchange: Exchange, sent: Json, received: Json, path: string): string[] {
  const { sender } = exchange;
  const mine = (sent.properties ?? {}) as Named;
  const theirs = (received.properties ?? {}) as Named;
  const [older, newer] = sender === 'client' ? [mine, theirs] : [theirs, mine];
  const always = (sent.required ?? []) as string[];
  const lacking = ((received.required ?? []) as string[]).filter(
    (name) => name in newer && !always.includes(name),
  );
  return [
    ...Object.keys(older)
      .filter((name) => !(name in newer))
      .map((name) => `${path}.${name} is gone`),
    ...lacking.map((name) =>
      sender === 'client' ? `${path}.${name} has become required` : `${path}.${name} may now be absent`,
    ),
    ...Object.entries(mine).flatMap(([name, schema]) => {
      const other = theirs[name];
      return other ? changesOf(withSchemas(exchange, schema, other), `${path}.${name}`) : [];
    }),
  ];
}

const withSchemas = ({ sent, received, sender }: Exchange, mine: Json, theirs: Json): Exchange => ({
  sent: { ...sent, schema: mine },
  received: { ...received, schema: theirs },
  sender,
});

function changesOfAlternative(
  exchange: Exchange,
  sent: Json,
  received: readonly Json[],
  path: string,
): string[] {
  const sameType = received.filter(({ type }) => type === undefined || type === sent.type);
  if (sameType.length === 0) return [`${path} may be ${sent.type ?? 'anything'}, which was not expected`];
  const values = valuesOf(sent);
  if (exchange.sender === 'client' && sameType.every((other) => valuesOf(other))) {
    const taken = sameType.flatMap((other) => valuesOf(other) ?? []);
    const refused = values?.filter((value) => !taken.includes(value)) ?? ['other values'];
    if (refused.length > 0) return [`${path} no longer takes ${refused.join(', ')}`];
  }
  const found = sameType.map((other) => [
    ...(values ? [] : brokenLimits(sent, other).map((limit) => `${path} has a narrower ${limit}`)),
    ...(sent.type === 'object' ? changesOfObject(exchange, sent, other, path) : []),
    ...(sent.items && other.items
      ? changesOf(withSchemas(exchange, sent.items as Json, other.items as Json), `${path}[]`)
      : []),
  ]);
  return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/** All that the sender may send and the receiver does not take. */
function changesOf(exchange: Exchange, path: string): string[] {
  const received = alternatives(exchange.received);
  return alternatives(exchange.sent).flatMap((sent) => changesOfAlternative(exchange, sent, received, path));
}

interface Pair {
  older: Document;
  newer: Document;
}

const fromClient = ({ older, newer }: Pair, before: Json, after: Json): Exchange => ({
  sent: { schema: before, document: older },
  received: { schema: after, document: newer },
  sender: 'client',
});

const fromService = ({ older, newer }: Pair, before: Json, after: Json): Exchange => ({
  sent: { schema: after, document: newer },
  received: { schema: before, document: older },
  sender: 'service',
});

type Content = Named<{ schema: Json }> | undefined;

/** The changes of a body, in each of its media types. */
function changesOfBody(
  pair: Pair,
  before: Content,
  after: Content,
  make: typeof fromClient,
  path: string,
): string[] {
  return Object.entries(before ?? {}).flatMap(([type, { schema }]) => {
    const other = after?.[type]?.schema;
    return other ? changesOf(make(pair, schema, other), path) : [`${path} is no longer ${type}`];
  });
}

function changesOfParameters(pair: Pair, before: Operation, after: Operation, path: string): string[] {
  const keyed = ({ parameters = [] }: Operation) =>
    new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  const [older, newer] = [keyed(before), keyed(after)];
  return [
    ...[...older].flatMap(([key, { schema }]) => {
      const other = newer.get(key);
      return other
        ? changesOf(fromClient(pair, schema, other.schema), `${path} ${key}`)
        : [`${path} ${key} is gone`];
    }),
    ...[...newer]
      .filter(([key, { required }]) => required && !older.get(key)?.required)
      .map(([key]) => `${path} ${key} has become required`),
  ];
}

/** An operation without security needs no key, so it may not get any. */
function lostAccess(
  { security: before = [] }: Operation,
  { security: after = [] }: Operation,
  path: string,
): string[] {
  const ways = after.map((way) => JSON.stringify(way));
  const lost =
    before.length === 0 ? after.length > 0 : before.some((way) => !ways.includes(JSON.stringify(way)));
  return lost ? [`${path} can no longer be called as before`] : [];
}

function changesOfCall(pair: Pair, before: Operation, after: Operation, path: string): string[] {
  const good = Object.entries(before.responses).filter(([status]) => Number(status) < 400);
  return [
    ...(before.operationId === after.operationId ? [] : [`${path} is no longer ${before.operationId}`]),
    ...lostAccess(before, after, path),
    ...changesOfParameters(pair, before, after, path),
    ...changesOfBody(
      pair,
      before.requestBody?.content,
      after.requestBody?.content,
      fromClient,
      `${path} body`,
    ),
    ...(after.requestBody?.required && !before.requestBody?.required
      ? [`${path} body has become required`]
      : []),
    ...good.flatMap(([status, { content }]) => {
      const other = after.responses[status];
      return other
        ? changesOfBody(pair, content, other.content, fromService, `${path} ${status}`)
        : [`${path} no longer answers ${status}`];
    }),
  ];
}

const changesOfEvent = (pair: Pair, before: Operation, after: Operation, path: string): string[] =>
  changesOfBody(pair, before.requestBody?.content, after.requestBody?.content, fromService, path);

type Operations = Named<Named<Operation>>;

const changesOfAll = (
  pair: Pair,
  before: Operations,
  after: Operations,
  compare: typeof changesOfCall,
): string[] =>
  Object.entries(before).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const other = after[path]?.[method];
      const name = `${method.toUpperCase()} ${path}`;
      return other ? compare(pair, operation, other, name) : [`${name} is gone`];
    }),
  );

/** All changes that break a client which was made for the older document. */
export function breakingChanges(older: Document, newer: Document): string[] {
  const pair = { older, newer };
  return [
    ...changesOfAll(pair, older.paths, newer.paths, changesOfCall),
    ...changesOfAll(pair, older.webhooks ?? {}, newer.webhooks ?? {}, changesOfEvent),
  ];
}
