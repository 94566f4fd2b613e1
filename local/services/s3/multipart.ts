import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../service.ts';
import { transaction } from '../sqlite.ts';

/** Multipart uploads that are under way: their parts, until they are joined or given up. */

export interface Part {
  number: number;
  file: string;
  size: number;
  etag: string;
}

export const multipartSchema = [
  `CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, headers TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS parts (
    upload_id TEXT NOT NULL, number INTEGER NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    PRIMARY KEY (upload_id, number))`,
];

const smallestPart = 5 * 1024 * 1024;

export class Multipart {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  begin(bucket: string, key: string, headers: Record<string, string>, now: number): string {
    const id = randomBytes(32).toString('base64url');
    this.#database
      .prepare('INSERT INTO uploads VALUES (?, ?, ?, ?, ?)')
      .run(id, bucket, key, JSON.stringify(headers), now);
    return id;
  }

  headersOf(id: string, bucket: string, key: string): Record<string, string> {
    const row = this.#database
      .prepare('SELECT headers FROM uploads WHERE id = ? AND bucket = ? AND key = ?')
      .get(id, bucket, key);
    if (!row) {
      throw new ServiceError(
        'NoSuchUpload',
        'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
        404,
      );
    }
    return JSON.parse(String(row.headers));
  }

  /** Answers the file that the part replaced, if it was sent before. */
  addPart(id: string, part: Part): string | undefined {
    return transaction(this.#database, () => {
      const replaced = this.#database
        .prepare('DELETE FROM parts WHERE upload_id = ? AND number = ? RETURNING file')
        .get(id, part.number);
      this.#database
        .prepare('INSERT INTO parts VALUES (?, ?, ?, ?, ?)')
        .run(id, part.number, part.file, part.size, part.etag);
      return replaced && String(replaced.file);
    });
  }

  /** The parts that the caller lists, judged as S3 does. */
  chosen(id: string, listed: { number: number; etag: string }[]): Part[] {
    const parts = new Map(this.#parts(id).map((part) => [part.number, part]));
    if (listed.length === 0) throw new ServiceError('MalformedXML', 'You must specify at least one part');
    if (listed.some(({ number }, position) => number <= (listed[position - 1]?.number ?? 0))) {
      throw new ServiceError('InvalidPartOrder', 'The list of parts was not in ascending order.');
    }
    return listed.map(({ number, etag }, position) => {
      const part = parts.get(number);
      if (!part || part.etag !== etag.replaceAll('"', '')) {
        throw new ServiceError('InvalidPart', 'One or more of the specified parts could not be found.');
      }
      if (position < listed.length - 1 && part.size < smallestPart) {
        throw new ServiceError(
          'EntityTooSmall',
          'Your proposed upload is smaller than the minimum allowed size',
        );
      }
      return part;
    });
  }

  /** Forgets the upload; answers its files. */
  end(id: string): string[] {
    return transaction(this.#database, () => {
      const files = this.#parts(id).map(({ file }) => file);
      this.#database.prepare('DELETE FROM parts WHERE upload_id = ?').run(id);
      this.#database.prepare('DELETE FROM uploads WHERE id = ?').run(id);
      return files;
    });
  }

  files(): string[] {
    return this.#database
      .prepare('SELECT file FROM parts')
      .all()
      .map((row) => String(row.file));
  }

  #parts(id: string): Part[] {
    return this.#database
      .prepare('SELECT * FROM parts WHERE upload_id = ? ORDER BY number')
      .all(id)
      .map((row) => ({
        number: Number(row.number),
        file: String(row.file),
        size: Number(row.size),
        etag: String(row.etag),
      }));
  }
}

export function joinedEtag(parts: Part[]): string {
  const hash = createHash('md5');
  for (const { etag } of parts) hash.update(Buffer.from(etag, 'hex'));
  return `${hash.digest('hex')}-${parts.length}`;
}
