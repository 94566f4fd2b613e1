import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Keeps its statements: preparing one takes longer than most of them run. */
class PreparedDatabase extends DatabaseSync {
  readonly #statements = new Map<string, StatementSync>();

  override prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? super.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

/** WAL with NORMAL survives a killed process; FULL would add safety only against a power failure. */
export function openDatabase(dataDir: string, file: string, schema: string[]): DatabaseSync {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, file);
  const database = new PreparedDatabase(path);
  chmodSync(path, 0o600);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000');
  for (const statement of schema) database.exec(statement);
  return database;
}

export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
