/** Lets several data folders use one DynamoDB: each has tables with a prefix of its own there. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The prefix of a data folder's tables. It lasts as long as the folder's data, so an emptied folder starts with empty tables. */
export function namespaceOf(dataDir: string): string {
  const file = join(dataDir, 'namespace');
  if (!existsSync(file)) writeFileSync(file, `l${randomBytes(4).toString('hex')}-`);
  return readFileSync(file, 'utf8');
}

/** Members of calls and answers whose keys are names of tables. */
const KEYED_BY_TABLE = ['RequestItems', 'Responses', 'UnprocessedKeys'];

type Send = (operation: string, body: string | Uint8Array) => Promise<{ status: number; body: Buffer }>;
type Rename = (table: string) => string;

export function withTablePrefix(send: Send, prefix: string): Send {
  const add: Rename = (table) => prefix + table;
  const remove: Rename = (table) => (table.startsWith(prefix) ? table.slice(prefix.length) : table);
  return async (operation, body) => {
    const answer = await send(operation, renamed(Buffer.from(body).toString(), add));
    return { ...answer, body: Buffer.from(renamed(answer.body.toString(), remove)) };
  };
}

function renamed(json: string, rename: Rename): string {
  const whole = JSON.parse(json, (name, value: unknown) =>
    // The value of an item's attribute with this name is an object.
    name === 'TableName' && typeof value === 'string' ? rename(value) : value,
  );
  for (const member of KEYED_BY_TABLE) {
    const tables: unknown = whole[member];
    if (typeof tables === 'object' && tables !== null && !Array.isArray(tables)) {
      whole[member] = Object.fromEntries(
        Object.entries(tables).map(([table, value]) => [rename(table), value]),
      );
    }
  }
  return JSON.stringify(whole);
}
