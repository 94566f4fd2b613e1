/**
 * Values that survive a restart: the clock's offset, schedule runs, queued events. The exclusive lock on this SQLite file
 * also keeps a second local cloud out of the folder; the operating system releases it even after a crash.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotStart } from './cannot-start.ts';

const unusable = (folder: string, error: unknown) =>
  new CannotStart(
    `The data folder ${folder} cannot be used: ${(error as Error).message}. Name another with --dir.`,
  );

export class State {
  readonly #database: DatabaseSync;

  constructor(folder: string) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#database = new DatabaseSync(join(folder, 'engine.sqlite'));
    } catch (error) {
      throw unusable(folder, error);
    }
    try {
      this.#database.exec(`
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        BEGIN EXCLUSIVE; COMMIT;
      `);
    } catch (error) {
      this.#database.close();
      if (!String(error).includes('database is locked')) throw unusable(folder, error);
      throw new CannotStart(`The folder ${folder} is in use by another local cloud.`);
    }
  }

  read(key: string): string | undefined {
    const value = this.#database.prepare('SELECT value FROM state WHERE key = ?').get(key)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  write(key: string, value: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO state VALUES (?, ?)').run(key, value);
  }

  delete(key: string): void {
    this.#database.prepare('DELETE FROM state WHERE key = ?').run(key);
  }

  clear(): void {
    this.#database.exec('DELETE FROM state');
  }

  /** All entries whose key starts with the prefix, in key order. */
  startingWith(prefix: string): { key: string; value: string }[] {
    const rows = this.#database
      .prepare('SELECT key, value FROM state WHERE substr(key, 1, ?) = ? ORDER BY key')
      .all(prefix.length, prefix);
    return rows.map(({ key, value }) => ({ key: String(key), value: String(value) }));
  }

  close(): void {
    this.#database.close();
  }
}
