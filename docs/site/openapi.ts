import { openApiDocument } from '../../shared/contract/openapi/document.ts';

/** The parts of the OpenAPI document that the reference shows. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly deprecated?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly examples?: readonly unknown[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

type Content = Readonly<
  Record<string, { schema: Schema; examples?: Readonly<Record<string, unknown>> } | undefined>
>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { required: boolean; content: Content };
  readonly responses: Readonly<Record<string, { description: string; content?: Content }>>;
}

interface Document {
  readonly tags: readonly { name: string; description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { post: Operation }>>;
  readonly components: { schemas: Readonly<Record<string, Schema>> };
}

export const OPEN_API = openApiDocument() as unknown as Document;

export interface Call extends Operation {
  readonly method: string;
  readonly path: string;
}

export const CALLS: readonly Call[] = Object.entries(OPEN_API.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

export const slug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** The schema itself, of one that may only name it. */
export function resolved(schema: Schema): Schema {
  const name = nameOf(schema);
  if (!name) return schema;
  const named = OPEN_API.components.schemas[name];
  if (!named) throw new Error(`There is no schema ${name}.`);
  return named;
}

export const schemaOf = (content: Content | undefined): Schema | undefined =>
  content?.['application/json']?.schema;

/** The call as a person writes it: with an example of each member. */
export const exampleOf = (schema: Schema): unknown => resolved(schema).examples?.[0];
