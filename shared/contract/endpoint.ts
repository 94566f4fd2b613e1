import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';

export type Access =
  | 'open'
  /** An API key, or a dashboard session for the owner in `X-Owner`. */
  | 'api_key'
  | 'signing_link'
  /** A signer's link with a verified code. */
  | 'signing_session'
  /** The link in the mail with the sealed document. */
  | 'copy_link'
  | 'session_or_copy'
  /** The browser that asked for a code. */
  | 'app_attempt'
  | 'app_session'
  /** A user who may administrate the owner in `X-Owner`. */
  | 'app_admin';

export interface Endpoint {
  /** The function's name in the stack and its file: `functions/<area>/<name>.ts`. */
  readonly name: string;
  readonly area: 'api' | 'signing' | 'app';
  /** The function of several endpoints: a stack has too few resources for one each. `functions/<area>/<function>.ts`. */
  readonly function?: 'app-sign-in' | 'app-account';
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/api/${string}`;
  readonly access: Access;
  /** On the dashboard, only an organization's admins may call it. An API key may in any case. */
  readonly adminsOnly?: true;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** An omitted body counts as an empty object. */
  readonly bodyOptional?: true;
  /** Members whose JSON text is limited as it is sent, in bytes: schemas see it without its spaces and digits. */
  readonly textLimits?: Readonly<Record<string, { bytes: number; error: ErrorCode }>>;
  readonly status: 200 | 201;
  /** A JSON schema of the answer, or the media type of a streamed one. */
  readonly answer: z.ZodType | 'application/pdf' | 'image/png';
  /** Errors besides those that follow from its access and its input. */
  readonly errors?: readonly ErrorCode[];
}

/** Declares an endpoint once: validation, routes, OpenAPI and client types all come from it. */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration;

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

export type ParamsOf<E extends Endpoint> = Parsed<E['params']>;
export type QueryOf<E extends Endpoint> = Parsed<E['query']>;
export type HeadersOf<E extends Endpoint> = Parsed<E['headers']>;
export type BodyOf<E extends Endpoint> = Parsed<E['body']>;
export type AnswerOf<E extends Endpoint> = E['answer'] extends z.ZodType ? z.input<E['answer']> : never;
