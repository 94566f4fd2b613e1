/** Requests and responses at the edge. */
import type { Readable } from 'node:stream';

/** Header fields in order, names in their original spelling. */
export type Fields = [name: string, value: string][];

export interface EdgeRequest {
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  fields: Fields;
  viewerIp: string;
  body: Readable;
}

export interface EdgeResponse {
  status: number;
  fields: Fields;
  body: Readable | Buffer;
}

/** A response made here. */
export function textResponse(status: number, type: string, text: string): EdgeResponse {
  const body = Buffer.from(text);
  return {
    status,
    fields: [
      ['Content-Type', type],
      ['Content-Length', String(body.length)],
    ],
    body,
  };
}

export function field(fields: Fields, name: string): string | undefined {
  return fields.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
}

export function without(fields: Fields, ...names: string[]): Fields {
  const dropped = new Set(names.map((name) => name.toLowerCase()));
  return fields.filter(([name]) => !dropped.has(name.toLowerCase()));
}

export function withField(fields: Fields, name: string, value: string): Fields {
  return [...without(fields, name), [name, value]];
}

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Node's alternating names and values as pairs, without hop-by-hop headers. */
export function endToEnd(rawHeaders: string[]): Fields {
  const fields: Fields = [];
  for (let i = 0; i < rawHeaders.length; i += 2) fields.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return without(fields, ...HOP_BY_HOP);
}
