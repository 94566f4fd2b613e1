/**
 * What the engine itself must remember over a restart: the clock's offset, when schedules ran, events that wait for a
 * function. One SQLite file, whose exclusive lock also keeps a second local cloud off the same folder: the operating
 * system releases it however the process ends.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class FolderInUse extends Error {
  override name = 'FolderInUse';
}

export class State {
  readonly #database: DatabaseSync;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#database = new DatabaseSync(join(folder, 'engine.sqlite'));
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
      if (!String(error).includes('database is locked')) throw error;
      throw new FolderInUse(`The folder ${folder} is in use by a local cloud that is already running.`);
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

  /** All values whose key starts with the prefix, in order of their keys. */
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
