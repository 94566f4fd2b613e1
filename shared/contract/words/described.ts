import type * as z from 'zod';
import type { Endpoint } from '../endpoint.ts';
import type { HeaderName } from './headers.ts';

/**
 * Types that demand the words of the contract: a field, object or endpoint without them does not compile. The words stay
 * out of the declarations, since those are part of every function's bundle.
 */

/** `deprecated` fields still work; `alternative` ones exclude another, so the example of the whole object lacks them. */
type Note = 'deprecated' | 'alternative';

type ObjectIn<T> = T extends z.ZodObject
  ? T
  : T extends z.ZodOptional<infer Inner> | z.ZodNullable<infer Inner> | z.ZodArray<infer Inner>
    ? ObjectIn<Inner>
    : T extends z.ZodUnion<infer Options>
      ? ObjectIn<Options[number]>
      : never;

/** A field's description and example. The objects in it bring their own examples. */
type Word<T> = [ObjectIn<T>] extends [never]
  ? readonly [description: string, example: Readonly<Exclude<z.output<T>, undefined>>, note?: Note]
  : readonly [description: string, object: Named<ObjectIn<T>>, ...alternatives: Named<ObjectIn<T>>[]];

export type Words<S extends z.ZodObject> = { readonly [K in keyof S['shape']]: Word<S['shape'][K]> };

/** An object with its name among the schemas of the document. */
interface Named<S extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly schema: S;
  readonly description: string;
  readonly fields: Words<S>;
}

export const named = <S extends z.ZodObject>(
  name: string,
  schema: S,
  description: string,
  fields: Words<S>,
): Named<S> => ({ name, schema, description, fields });

/** The document has these headers as security schemes. */
export const CREDENTIALS = ['x-signing-token', 'x-copy-token', 'x-requested-with', 'x-owner'] as const;
type Credential = (typeof CREDENTIALS)[number];

type Part<E, Name extends string> = E extends Readonly<Record<Name, infer S extends z.ZodObject>> ? S : never;
type PartWords<E, Name extends string> = [Part<E, Name>] extends [never]
  ? unknown
  : Readonly<Record<Name, Words<Part<E, Name>>>>;
type HeaderWords<E> =
  Part<E, 'headers'> extends z.ZodObject<infer Shape>
    ? keyof Shape extends Credential
      ? unknown
      : PartWords<E, 'headers'>
    : unknown;
type ObjectWords<E, Name extends string> = [Part<E, Name>] extends [never]
  ? unknown
  : Readonly<Record<Name, Named<Part<E, Name>>>>;

interface OperationWords {
  /** The method of a client library, where that is not the endpoint's name. */
  readonly operationId?: string;
  readonly description: string;
  /** The good answer, in words. */
  readonly returns: string;
  /** Headers of the good answer that not every answer has. */
  readonly answerHeaders?: readonly HeaderName[];
  /** Good answers with another status, in words. */
  readonly also?: Readonly<Record<number, string>>;
}

type EndpointWords<E extends Endpoint> = OperationWords &
  PartWords<E, 'params'> &
  PartWords<E, 'query'> &
  HeaderWords<E> &
  ObjectWords<E, 'body'> &
  ObjectWords<E, 'answer'>;

type FieldWords = Readonly<Record<string, readonly [description: string, ...unknown[]]>>;
/** Any named object, as the generator of the document reads it. */
export interface AnyNamed {
  readonly name: string;
  readonly schema: z.ZodObject;
  readonly description: string;
  readonly fields: FieldWords;
}

export interface Documented extends OperationWords {
  readonly endpoint: Endpoint;
  readonly operationId: string;
  readonly tag: string;
  readonly params?: FieldWords;
  readonly query?: FieldWords;
  readonly headers?: FieldWords;
  readonly body?: AnyNamed;
  readonly answer?: AnyNamed;
}

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const documentedAs =
  (tag: string) =>
  <const E extends Endpoint>(endpoint: E, words: EndpointWords<E>): Documented => ({
    operationId: camelCase(endpoint.name),
    ...words,
    tag,
    endpoint,
  });
