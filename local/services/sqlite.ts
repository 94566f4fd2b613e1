import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** WAL with NORMAL survives a killed process; FULL would add safety only against a power failure. */
export function openDatabase(dataDir: string, file: string, schema: string[]): DatabaseSync {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, file);
  const database = new DatabaseSync(path);
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
