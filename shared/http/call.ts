import type { Readable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { AnswerOf, BodyOf, Endpoint, HeadersOf, ParamsOf, QueryOf } from '../contract/endpoint.ts';
import type { Visitor } from '../requests/model.ts';
import type { JsonText } from '../runtime/raw-json.ts';

/** An API Gateway event. For large bodies the ingest service passes a reference to the staging bucket instead. */
export type HttpEvent = APIGatewayProxyEvent & { bodyReference?: { key: string } };

/** The input of an endpoint, validated against the contract. */
export interface Call<E extends Endpoint, Caller> {
  caller: Caller;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  headers: HeadersOf<E>;
  body: BodyOf<E>;
  /** The unparsed body, for parts that must be kept verbatim. */
  rawBody: string;
  visitor: Visitor;
  now: Date;
  /** The answer as a value. One that the contract does not declare does not compile. */
  json: (answer: AnswerOf<E>, headers?: Headers) => JsonReply;
  /** The response as JSON text, for parts that must be returned verbatim. */
  text: (answer: JsonText<AnswerOf<E>>, headers?: Headers) => JsonReply;
  /** Tells a client whose copy is still current so, without sending it again. */
  notModified: () => JsonReply;
}

type Headers = Record<string, string>;

export interface FileReply {
  /** In place of the endpoint's own status. */
  status?: 206 | 304;
  headers?: Headers;
  stream: Readable;
}

/** Only a call makes one, since it checks the answer against the contract. */
export class JsonReply {
  readonly #body: string;
  readonly headers: Headers;
  /** In place of the endpoint's own status. */
  readonly status: number | undefined;

  constructor(body: string, headers: Headers = {}, status?: number) {
    this.#body = body;
    this.headers = headers;
    this.status = status;
  }

  get body(): string {
    return this.#body;
  }
}

/** The output that an endpoint's contract declares. */
export type Reply<E extends Endpoint> = E['answer'] extends string ? FileReply : JsonReply;

export interface HttpResult {
  statusCode: number;
  headers: Record<string, string>;
  body: string | Readable;
}

/** Finds a header by its lower-case name, since clients may send any case. */
export function header(event: HttpEvent, name: string): string | undefined {
  const entry = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return entry?.[1];
}
