import { globSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { ERRORS, isErrorCode } from '../../../shared/contract/errors.ts';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
}

const WRONG = [undefined, null, true, -1, 0.5, 1e9, '', 'x', 'x'.repeat(500_000), [], ['x'], {}, { x: 1 }];

/** Values that are wrong for the schema, or for one of its members. */
function wrongValues({ properties = {}, items, anyOf = [], oneOf = [] }: Schema): unknown[] {
  const fixed = Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]) => ('const' in member ? [[name, member.const]] : [])),
  );
  return [
    ...WRONG,
    ...Object.entries(properties).flatMap(([name, member]) =>
      wrongValues(member).map((value) => ({ ...fixed, [name]: value })),
    ),
    ...(items ? wrongValues(items).map((value) => [value]) : []),
    ...[...anyOf, ...oneOf].flatMap(wrongValues),
  ];
}

const isSentence = ({ message }: { message: string }) => isErrorCode(message.split('|', 1)[0] ?? '');

/** The places whose messages are the library's own. */
function withoutSentence(schema: z.ZodType): string[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const issues = wrongValues(described).flatMap((value) => schema.safeParse(value).error?.issues ?? []);
  return [
    ...new Set(
      issues
        .filter((issue) => !isSentence(issue))
        .map(({ path, message }) => `/${path.join('/')}: ${message}`),
    ),
  ];
}

const bodies = ENDPOINTS.flatMap(({ name, body }) => (body ? [[name, body] as const] : []));

it.each(bodies)(
  'whatever is wrong in the body of %s, the message is a sentence of the contract',
  (_, body) => {
    expect(withoutSentence(body)).toEqual([]);
  },
);

/** Parameters and headers are texts. */
const texts = ENDPOINTS.flatMap(({ name, params, query, headers }) =>
  [params, query, headers].flatMap((part) => (part ? [[name, part] as const] : [])),
);

it.each(texts)(
  'whatever is wrong in the parameters of %s, the message is a sentence of the contract',
  (_, part) => {
    const names = Object.keys(
      (z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }) as Schema).properties ?? {},
    );
    const wrong = ['', 'x', 'x'.repeat(500_000)];
    const issues = wrong.flatMap(
      (text) => part.safeParse(Object.fromEntries(names.map((name) => [name, text]))).error?.issues ?? [],
    );
    expect(
      issues.filter((issue) => !isSentence(issue)).map(({ path, message }) => `${path}: ${message}`),
    ).toEqual([]);
  },
);

it('every error code is one that some code answers with', () => {
  const files = globSync(['shared/**/*.ts', 'functions/**/*.ts', 'infra/**/*.{ts,js}'], {
    exclude: ['shared/contract/errors.ts', 'shared/contract/words/**', 'shared/texts/**'],
  });
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(Object.keys(ERRORS).filter((name) => !new RegExp(`['|]${name}['|]`).test(code))).toEqual([]);
});
