import type { Readable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { BodyOf, Endpoint, HeadersOf, ParamsOf, QueryOf } from '../contract/endpoint.ts';
import type { Visitor } from '../requests/model.ts';

/** A gateway event; the ingest for large bodies leaves the body in the staging bucket and names it instead. */
export type HttpEvent = APIGatewayProxyEvent & { bodyReference?: { key: string } };

/** What an endpoint's function is given: everything checked against the contract. */
export interface Call<E extends Endpoint, Caller> {
  caller: Caller;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  headers: HeadersOf<E>;
  body: BodyOf<E>;
  /** The body as it came, for what must be kept to the letter. */
  rawBody: string;
  visitor: Visitor;
  requestId: string;
  now: Date;
}

/** What an endpoint's function answers: JSON, JSON that is text already, or a stream. */
export type Reply = { headers?: Record<string, string>; status?: number } & (
  | { json: unknown }
  | { text: string }
  | { stream: Readable }
);

export interface HttpResult {
  statusCode: number;
  headers: Record<string, string>;
  body: string | Readable;
}

/** A header by its lower-case name, whatever case the client wrote. */
export function header(event: HttpEvent, name: string): string | undefined {
  const entry = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return entry?.[1];
}
