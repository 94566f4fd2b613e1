import { inlineHtml, wordsHtml } from './markdown.ts';
import { nameOf, type Schema } from './openapi.ts';

/** Fields of the reference: name, type, limits and words of each. */

export const Words = ({ text }: { text: string }) => (
  <div dangerouslySetInnerHTML={{ __html: wordsHtml(text) }} />
);
export const Inline = ({ text }: { text: string }) => (
  <span dangerouslySetInnerHTML={{ __html: inlineHtml(text) }} />
);

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time',
  uuid: 'UUID',
  uri: 'address',
};
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

export const ObjectLink = ({ name }: { name: string }) => (
  <a href={`/docs/reference/objects#${name}`}>{name}</a>
);

function Type({ schema }: { schema: Schema }) {
  const name = nameOf(schema);
  if (name) return <ObjectLink name={name} />;
  if (schema.const !== undefined) return <code>{JSON.stringify(schema.const)}</code>;
  const options = schema.anyOf;
  if (options)
    return (
      <>
        {options.map((option, place) => (
          <>
            {place > 0 && ' or '}
            <Type schema={option} />
          </>
        ))}
      </>
    );
  if (schema.items)
    return (
      <>
        list of <Type schema={schema.items} />
      </>
    );
  if (schema.enum) return <>{schema.enum.map(String).join(', ')}</>;
  const types = [schema.type ?? 'any value'].flat();
  return <>{types.map((type) => FORMATS[schema.format ?? ''] ?? TYPES[type] ?? type).join(' or ')}</>;
}

const grouped = (number: number) => number.toLocaleString('en');

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`${grouped(least)} to ${grouped(most)}${unit}`];
  if (most !== undefined) return [`at most ${grouped(most)}${unit}`];
  return least === undefined || least === 0 ? [] : [`at least ${grouped(least)}${unit}`];
}

/** Of a field that may be null, the schema of its value. */
const valueIn = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;

function limits(schema: Schema): string[] {
  const value = valueIn(schema);
  return [
    // Identifiers, times and addresses have lengths that tell nobody anything.
    ...(value.format === undefined ? range(value.minLength, value.maxLength, ' characters') : []),
    ...range(value.minimum, value.maximum, ''),
    ...range(value.minItems, value.maxItems, ' entries'),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} if absent`]),
  ];
}

interface FieldProps {
  id: string;
  name: string;
  schema: Schema;
  description: string;
  notes?: readonly string[];
}

const Field = ({ id, name, schema, description, notes = [] }: FieldProps) => (
  <div class="field" id={id}>
    <dt>
      <a href={`#${id}`}>
        <code>{name}</code>
      </a>{' '}
      <span class="type">
        <Type schema={schema} />
        {[...limits(schema), ...notes].map((note) => `, ${note}`)}
      </span>
    </dt>
    <dd>
      <Inline text={description} />
    </dd>
  </div>
);

/** `prefix` begins the anchor of each field. `isInput`: it matters which ones are required. */
export function ObjectFields({
  schema,
  prefix,
  isInput = false,
}: {
  schema: Schema;
  prefix: string;
  isInput?: boolean;
}) {
  return (
    <dl>
      {Object.entries(schema.properties ?? {}).map(([name, property]) => (
        <Field
          id={`${prefix}.${name}`}
          name={name}
          schema={property}
          description={property.description ?? ''}
          notes={[
            ...(isInput && schema.required?.includes(name) ? ['required'] : []),
            ...(property.deprecated ? ['deprecated'] : []),
          ]}
        />
      ))}
    </dl>
  );
}

export const FieldList = ({ fields }: { fields: readonly FieldProps[] }) => (
  <dl>
    {fields.map((field) => (
      <Field {...field} />
    ))}
  </dl>
);
