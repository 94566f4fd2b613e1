/** Values that AWS rolls out machine by machine: for a moment after a change, some requests still meet the old value. */
import { randomUUID } from 'node:crypto';
import { openDatabase } from './sqlite.ts';

export interface Rollout<T> {
  value: T;
  /** Changes with each value: an ETag, a lock token. */
  version: string;
  changedMs: number;
  isUnderWay: boolean;
}

const ROLLOUT_MS = 2_000;

export function openRollouts<T>(dataDir: string, file: string, now: () => number) {
  const database = openDatabase(dataDir, file, [
    `CREATE TABLE IF NOT EXISTS rollouts (
      id TEXT PRIMARY KEY, template TEXT NOT NULL, version TEXT NOT NULL, value TEXT NOT NULL, before TEXT NOT NULL,
      changed_at INTEGER NOT NULL)`,
  ]);
  const byId = database.prepare('SELECT * FROM rollouts WHERE id = ?');
  const insert = database.prepare('INSERT OR REPLACE INTO rollouts VALUES (?1, ?2, ?3, ?4, ?4, ?5)');
  const update = database.prepare(
    'UPDATE rollouts SET version = ?, before = value, value = ?, changed_at = ? WHERE id = ?',
  );
  let requests = 0;

  const find = (id: string): (Rollout<T> & { before: T }) | undefined => {
    const row = byId.get(id);
    if (!row) return undefined;
    const changedMs = Number(row.changed_at);
    return {
      value: JSON.parse(String(row.value)),
      before: JSON.parse(String(row.before)),
      version: String(row.version),
      changedMs,
      isUnderWay: now() < changedMs + ROLLOUT_MS,
    };
  };

  return {
    find,

    /** Like CloudFormation, leaves a value alone unless its template changed. */
    create(id: string, template: string, value: T): void {
      if (byId.get(id)?.template === template) return;
      insert.run(id, template, randomUUID(), JSON.stringify(value), now() - ROLLOUT_MS);
    },

    change(id: string, value: T): void {
      update.run(randomUUID(), JSON.stringify(value), now(), id);
    },

    /** The value for the next request: the old one for every other request during a rollout. */
    next(id: string): T | undefined {
      const found = find(id);
      requests += 1;
      return found?.isUnderWay && requests % 2 === 0 ? found.before : found?.value;
    },

    close: () => database.close(),
  };
}

export type Rollouts<T> = ReturnType<typeof openRollouts<T>>;
