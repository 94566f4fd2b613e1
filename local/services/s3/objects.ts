/** The rows of objects: the versions of each key, one of which is current. */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../sqlite.ts';

export interface StoredObject {
  seq: number;
  key: string;
  /** The text `null` in a bucket without versioning, as in S3. */
  versionId: string;
  deleteMarker: boolean;
  current: boolean;
  file: string | undefined;
  size: number;
  etag: string;
  /** The headers that a GET returns: of a call its content type, of a deployed file its caching too. */
  headers: Record<string, string>;
  /** Returned only to callers that ask for it. */
  checksum: { name: string; value: string } | undefined;
  modifiedMs: number;
}

type NewObject = Pick<StoredObject, 'file' | 'size' | 'etag' | 'headers' | 'checksum'>;

export const OBJECT_SCHEMA = [
  `CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, bucket TEXT NOT NULL, key TEXT NOT NULL, version_id TEXT NOT NULL,
    delete_marker INTEGER NOT NULL, current INTEGER NOT NULL, file TEXT, size INTEGER NOT NULL, etag TEXT NOT NULL,
    headers TEXT NOT NULL, checksum TEXT, modified_at INTEGER NOT NULL, noncurrent_at INTEGER)`,
  'CREATE UNIQUE INDEX IF NOT EXISTS by_current ON objects (bucket, key) WHERE current = 1',
  'CREATE INDEX IF NOT EXISTS by_key ON objects (bucket, key, seq)',
];

export class Objects {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The newest version, which may be a delete marker. */
  newest(bucket: string, key: string): StoredObject | undefined {
    const row = this.#database
      .prepare('SELECT * FROM objects WHERE bucket = ? AND key = ? AND current = 1')
      .get(bucket, key);
    return row && toObject(row);
  }

  version(bucket: string, key: string, versionId: string): StoredObject | undefined {
    const row = this.#database
      .prepare('SELECT * FROM objects WHERE bucket = ? AND key = ? AND version_id = ?')
      .get(bucket, key, versionId);
    return row && toObject(row);
  }

  /** Adds a new current version unless `check` throws. Returns its id and the files that are no longer referenced. */
  put(
    bucket: string,
    key: string,
    object: NewObject | 'delete marker',
    versioned: boolean,
    now: number,
    check: (newest: StoredObject | undefined) => void = () => {},
  ): { versionId: string; orphans: string[] } {
    return transaction(this.#database, () => {
      check(this.newest(bucket, key));
      const versionId = versioned ? randomBytes(24).toString('base64url') : 'null';
      const orphans = versioned ? [] : this.#drop(bucket, key, 'null');
      this.#database
        .prepare(
          'UPDATE objects SET current = 0, noncurrent_at = ? WHERE bucket = ? AND key = ? AND current = 1',
        )
        .run(now, bucket, key);
      const content = object === 'delete marker' ? undefined : object;
      this.#database
        .prepare(
          `INSERT INTO objects (bucket, key, version_id, delete_marker, current, file, size, etag, headers, checksum, modified_at)
           VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          bucket,
          key,
          versionId,
          content ? 0 : 1,
          content?.file ?? null,
          content?.size ?? 0,
          content?.etag ?? '',
          JSON.stringify(content?.headers ?? {}),
          content?.checksum ? JSON.stringify(content.checksum) : null,
          now,
        );
      return { versionId, orphans };
    });
  }

  /** Deletes one version for good; the newest remaining version becomes current. */
  remove(bucket: string, key: string, versionId: string): string[] {
    return transaction(this.#database, () => {
      const orphans = this.#drop(bucket, key, versionId);
      this.#database
        .prepare(
          `UPDATE objects SET current = 1, noncurrent_at = NULL
           WHERE seq = (SELECT max(seq) FROM objects WHERE bucket = ?1 AND key = ?2)`,
        )
        .run(bucket, key);
      return orphans;
    });
  }

  /**
   * Versions by key, newest first, starting at `prefix` and after the marker. The place of a version that was deleted since is not
   * known: all that its key still has follows.
   */
  versions(
    bucket: string,
    prefix: string,
    marker: { key: string; versionId: string },
    limit: number,
  ): StoredObject[] {
    const { seq = Number.MAX_SAFE_INTEGER } = this.version(bucket, marker.key, marker.versionId) ?? {};
    const reached = marker.versionId === '' ? 0 : seq;
    return this.#database
      .prepare(
        `SELECT * FROM objects WHERE bucket = ? AND key >= ? AND (key > ? OR (key = ? AND seq < ?))
         ORDER BY key, seq DESC LIMIT ?`,
      )
      .all(bucket, prefix, marker.key, marker.key, reached, limit)
      .map(toObject);
  }

  currentBefore(bucket: string, modifiedBefore: number): StoredObject[] {
    return this.#database
      .prepare(
        'SELECT * FROM objects WHERE bucket = ? AND current = 1 AND delete_marker = 0 AND modified_at <= ?',
      )
      .all(bucket, modifiedBefore)
      .map(toObject);
  }

  noncurrentBefore(bucket: string, noncurrentBefore: number): StoredObject[] {
    return this.#database
      .prepare('SELECT * FROM objects WHERE bucket = ? AND current = 0 AND noncurrent_at <= ?')
      .all(bucket, noncurrentBefore)
      .map(toObject);
  }

  files(): string[] {
    return this.#database
      .prepare('SELECT file FROM objects WHERE file IS NOT NULL')
      .all()
      .map((row) => String(row.file));
  }

  #drop(bucket: string, key: string, versionId: string): string[] {
    const dropped = this.#database
      .prepare('DELETE FROM objects WHERE bucket = ? AND key = ? AND version_id = ? RETURNING file')
      .all(bucket, key, versionId);
    return dropped.flatMap((row) => (row.file === null ? [] : [String(row.file)]));
  }
}

function toObject(row: Record<string, unknown>): StoredObject {
  return {
    seq: Number(row.seq),
    key: String(row.key),
    versionId: String(row.version_id),
    deleteMarker: row.delete_marker === 1,
    current: row.current === 1,
    file: row.file === null ? undefined : String(row.file),
    size: Number(row.size),
    etag: String(row.etag),
    headers: JSON.parse(String(row.headers)),
    checksum: row.checksum === null ? undefined : JSON.parse(String(row.checksum)),
    modifiedMs: Number(row.modified_at),
  };
}
