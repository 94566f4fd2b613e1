import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** The data that a version of this service had stored, and the links, codes and keys of its people: see test/upgrade/record.ts. */
export interface OlderState {
  /** ISO 8601. */
  recordedAt: string;
  apiKey: string;
  /** An idempotency key and the body that it was used with. */
  idempotent: { key: string; body: unknown; id: string };
  /** A user of their own, made by the operator's command. */
  user: string;
  requests: OlderRequest[];
  items: Record<string, AttributeValue>[];
  /** Base64 by key. */
  documents: Record<string, string>;
  secrets: Record<'signing' | 'seal' | 'testSeal', string>;
  timestampRoots: string;
}

export interface OlderRequest {
  id: string;
  status: string;
  signers: OlderSigner[];
}

export interface OlderSigner {
  email: string;
  token: string;
  code: string;
  /** Of a browser in which the code was entered. */
  cookie: string | null;
  signed: boolean;
}

const FOLDER = new URL('../fixtures/older-states/', import.meta.url);
const SUFFIX = '.json.gz';

export const olderVersions = (): string[] => readdirSync(FOLDER).map((file) => file.slice(0, -SUFFIX.length));

export const readOlderState = (version: string): OlderState =>
  JSON.parse(gunzipSync(readFileSync(new URL(version + SUFFIX, FOLDER))).toString());

export const writeOlderState = (version: string, state: OlderState): void =>
  writeFileSync(new URL(version + SUFFIX, FOLDER), gzipSync(JSON.stringify(state), { level: 9 }));

/** No output of the stack names it. */
export function signingSecretArn(dir: string): string {
  const secrets = new DatabaseSync(join(dir, 'services', 'secrets.sqlite'), { readOnly: true });
  const rows = secrets.prepare('SELECT DISTINCT secret FROM versions').all();
  secrets.close();
  const found = rows.map(({ secret }) => String(secret)).find((arn) => arn.includes('Signing'));
  if (!found) throw new Error(`There is no signing secret in ${dir}.`);
  return found;
}
