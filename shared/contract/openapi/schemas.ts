import * as z from 'zod';
import { languageName } from '../../texts/languages.ts';
import { locale, mailKind, mailOutcome, requestStatus, signerStatus } from '../fields.ts';
import { eventType } from '../webhook-endpoints.ts';
import type { AnyNamed } from '../words/described.ts';
import {
  MAIL_KIND_WORDS,
  MAIL_RESULT_WORDS,
  REQUEST_STATUS_WORDS,
  SIGNER_STATUS_WORDS,
} from '../words/enums.ts';
import { EVENT_WORDS } from '../words/events.ts';

export type Json = Record<string, unknown>;

export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const valuesList = (title: string, values: Readonly<Record<string, string>>) =>
  [`${title}\n`, ...Object.entries(values).map(([value, words]) => `- \`${value}\`: ${words}`)].join('\n');

const EVENT_SUMMARIES = Object.fromEntries(
  eventType.options.map((type) => [type, EVENT_WORDS[type].summary.toLowerCase()]),
);

const LANGUAGE_NAMES = Object.fromEntries(locale.options.map((each) => [each, languageName(each, 'en')]));

/** Values that have a name of their own among the schemas. */
const VALUES: Readonly<Record<string, readonly [schema: z.ZodEnum, description: string]>> = {
  Locale: [locale, valuesList('A language that mails and pages exist in.', LANGUAGE_NAMES)],
  SignatureRequestStatus: [requestStatus, valuesList('Where a request stands.', REQUEST_STATUS_WORDS)],
  MailKind: [mailKind, valuesList('What a mail to a signer is.', MAIL_KIND_WORDS)],
  MailOutcome: [mailOutcome, valuesList('What came of a mail.', MAIL_RESULT_WORDS)],
  SignerStatus: [signerStatus, valuesList('Where a signer stands.', SIGNER_STATUS_WORDS)],
  EventType: [eventType, valuesList('What an event tells.', EVENT_SUMMARIES)],
};

type Word = AnyNamed['fields'][string];

const isNamed = (part: unknown): part is AnyNamed =>
  typeof part === 'object' && part !== null && 'schema' in part && 'fields' in part;

/** The objects that a field leads to. */
const objectsOf = ([, ...rest]: Word): AnyNamed[] => rest.filter(isNamed);

const withInner = (object: AnyNamed): AnyNamed[] => [
  object,
  ...Object.values(object.fields).flatMap(objectsOf).flatMap(withInner),
];

const isList = ({ type }: Json) => type === 'array';

function exampleOf(word: Word, property: Json, properties: Properties): unknown {
  const [object] = objectsOf(word);
  if (!object) return word[1];
  const example = exampleOfObject(object, properties);
  return isList(property) ? [example] : example;
}

/** The bare properties of each object, by its name. */
type Properties = ReadonlyMap<string, Record<string, Json>>;

function exampleOfObject({ name, fields }: AnyNamed, properties: Properties): Json {
  const own = properties.get(name) ?? {};
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, [, , note]]) => typeof note !== 'string')
      .map(([field, word]) => [field, exampleOf(word, own[field] ?? {}, properties)]),
  );
}

function describedProperty(word: Word, property: Json, properties: Properties): Json {
  const [description, , note] = word;
  return {
    description,
    ...property,
    ...(note === 'deprecated' && { deprecated: true }),
    examples: [exampleOf(word, property, properties)],
  };
}

/** Formats whose pattern says nothing more. */
const REDUNDANT_WITH_FORMAT = ['uuid', 'date-time', 'uri', 'email'];

/** Answers may get further members, and a format says all that its pattern says. */
function readable({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (REDUNDANT_WITH_FORMAT.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  delete jsonSchema.propertyNames;
}

/** The schemas of objects and of all that they lead to, by name. Input is described before its defaults, output after. */
export function schemasOf(roots: readonly AnyNamed[], io: 'input' | 'output'): Record<string, Json> {
  const objects = new Map(roots.flatMap(withInner).map((object) => [object.name, object]));
  const registry = z.registry<{ id: string }>();
  for (const [id, [schema]] of Object.entries(VALUES)) registry.add(schema, { id });
  for (const [id, { schema }] of objects) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    override: readable,
  });
  const bare = Object.entries(schemas).map(
    ([id, { $schema, $id, ...schema }]) => [id, schema as Json] as const,
  );
  const properties: Properties = new Map(
    bare.map(([id, schema]) => [id, (schema.properties ?? {}) as Record<string, Json>]),
  );
  return Object.fromEntries(
    bare.map(([id, schema]) => {
      const object = objects.get(id);
      return [id, object ? describedObject(object, schema, properties) : describedValue(id, schema)];
    }),
  );
}

function describedValue(id: string, schema: Json): Json {
  const [, description] = VALUES[id] ?? [];
  return { description, ...schema };
}

function describedObject(object: AnyNamed, schema: Json, properties: Properties): Json {
  const own = Object.entries(properties.get(object.name) ?? {});
  return {
    description: object.description,
    ...schema,
    properties: Object.fromEntries(
      own.map(([field, property]) => {
        const word = object.fields[field];
        if (!word) throw new Error(`${object.name} has no words for ${field}.`);
        return [field, describedProperty(word, property, properties)];
      }),
    ),
    examples: [exampleOfObject(object, properties)],
  };
}
