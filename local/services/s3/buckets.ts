import { hash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { BucketSettings, Clock, CorsRule } from '../../ports.ts';
import { assertReadable } from '../iam/authorization.ts';
import { ServiceError } from '../service.ts';
import { openDatabase } from '../sqlite.ts';
import { OBJECT_SCHEMA, Objects, type StoredObject } from './objects.ts';

/** Buckets and their objects: rows in SQLite, bytes in one immutable file each. */
export class Buckets {
  readonly objects: Objects;
  readonly #bodies: string;
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #settings = new Map<string, BucketSettings>();

  constructor(dataDir: string, clock: Clock) {
    this.#database = openDatabase(dataDir, 's3.sqlite', OBJECT_SCHEMA);
    this.#clock = clock;
    this.objects = new Objects(this.#database);
    this.#bodies = join(dataDir, 'bodies');
    mkdirSync(this.#bodies, { recursive: true });
    // A file without a committed row is left over from a crash.
    const kept = new Set(this.objects.files());
    for (const file of readdirSync(this.#bodies))
      if (!kept.has(file)) rmSync(join(this.#bodies, file), { force: true });
  }

  create(settings: BucketSettings): void {
    assertReadable(settings.policy, settings.name);
    this.#settings.set(settings.name, settings);
  }

  all(): BucketSettings[] {
    return [...this.#settings.values()];
  }

  settings(name: string): BucketSettings {
    const found = this.#settings.get(name);
    if (!found)
      throw new ServiceError('NoSuchBucket', 'The specified bucket does not exist', 404, {
        BucketName: name,
      });
    return found;
  }

  /** Of a bucket that may not exist. */
  corsRules(name: string): readonly CorsRule[] {
    return this.#settings.get(name)?.cors ?? [];
  }

  /** Stores an object. One that another put creates while its bytes are written won the race: 409. */
  async put(
    bucket: string,
    key: string,
    { body, checksum, headers }: Pick<StoredObject, 'checksum' | 'headers'> & { body: Uint8Array },
    { onlyIfAbsent = false } = {},
  ): Promise<{ versionId: string; etag: string }> {
    if (onlyIfAbsent && isThere(this.objects.newest(bucket, key))) throw preconditionFailed();
    const etag = hash('md5', body);
    const file = randomUUID();
    await writeFile(join(this.#bodies, file), body, { flag: 'wx', flush: true });
    try {
      const { versionId, orphans } = this.objects.put(
        bucket,
        key,
        { file, size: body.length, etag, headers, checksum },
        this.settings(bucket).versioned,
        this.#clock.now(),
        (newest) => {
          if (onlyIfAbsent && isThere(newest)) throw lostRace(key);
        },
      );
      await this.#discard(orphans);
      return { versionId, etag };
    } catch (error) {
      await this.#discard([file]);
      throw error;
    }
  }

  /** A version with its bytes; a delete marker has none. A concurrent put may replace row and file: then reads again. */
  async read(
    bucket: string,
    key: string,
    versionId?: string,
  ): Promise<{ object: StoredObject; body: Buffer } | { object: StoredObject | undefined }> {
    for (;;) {
      const object =
        versionId === undefined
          ? this.objects.newest(bucket, key)
          : this.objects.version(bucket, key, versionId);
      if (!object?.file) return { object };
      try {
        return { object, body: await readFile(join(this.#bodies, object.file)) };
      } catch (error) {
        const replaced = this.objects.version(bucket, key, object.versionId)?.file !== object.file;
        if (!replaced) throw error;
      }
    }
  }

  /** Without a version id: adds a delete marker in a versioned bucket, else deletes the object. */
  async delete(
    bucket: string,
    key: string,
    versionId?: string,
  ): Promise<{ versionId?: string; deleteMarker: boolean }> {
    if (versionId !== undefined) {
      const deleteMarker = this.objects.version(bucket, key, versionId)?.deleteMarker ?? false;
      await this.#discard(this.objects.remove(bucket, key, versionId));
      return { versionId, deleteMarker };
    }
    if (!this.settings(bucket).versioned) {
      await this.#discard(this.objects.remove(bucket, key, 'null'));
      return { deleteMarker: false };
    }
    const marker = this.objects.put(bucket, key, 'delete marker', true, this.#clock.now());
    return { versionId: marker.versionId, deleteMarker: true };
  }

  async readWhole(bucket: string, key: string) {
    const found = await this.read(bucket, key);
    if (!('body' in found)) return undefined;
    const { 'content-type': contentType = 'binary/octet-stream', 'cache-control': cacheControl } =
      found.object.headers;
    return { body: found.body, contentType, ...(cacheControl !== undefined && { cacheControl }) };
  }

  async writeWhole(
    bucket: string,
    key: string,
    body: Uint8Array,
    { contentType, cacheControl }: { contentType: string; cacheControl?: string },
  ): Promise<void> {
    const headers = {
      'content-type': contentType,
      ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    };
    await this.put(bucket, key, { body, checksum: undefined, headers });
  }

  close(): void {
    this.#database.close();
  }

  async #discard(files: string[]): Promise<void> {
    for (const file of files) await rm(join(this.#bodies, file), { force: true });
  }
}

const isThere = (newest: StoredObject | undefined) => newest !== undefined && !newest.deleteMarker;

const preconditionFailed = () =>
  new ServiceError(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    412,
    { Condition: 'If-None-Match' },
  );

const lostRace = (key: string) =>
  new ServiceError(
    'ConditionalRequestConflict',
    'The conditional request cannot succeed due to a conflicting operation against this resource.',
    409,
    { Key: key },
  );
