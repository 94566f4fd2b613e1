import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { BucketSettings, Clock, CorsRule } from '../../ports.ts';
import { assertReadable } from '../iam/authorization.ts';
import { ServiceError } from '../service.ts';
import { openDatabase } from '../sqlite.ts';
import { Bodies } from './bodies.ts';
import type { BodyFacts } from './body.ts';
import { OBJECT_SCHEMA, Objects, type StoredObject } from './objects.ts';

/** The headers of a conditional write. */
export interface Conditions {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
}

export interface Received extends BodyFacts {
  file: string;
}

/** Buckets and their objects: rows in SQLite, bytes in files. */
export class Buckets {
  readonly objects: Objects;
  readonly #bodies: Bodies;
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #settings = new Map<string, BucketSettings>();

  constructor(dataDir: string, clock: Clock) {
    this.#database = openDatabase(dataDir, 's3.sqlite', OBJECT_SCHEMA);
    this.#clock = clock;
    this.objects = new Objects(this.#database);
    this.#bodies = new Bodies(dataDir);
    this.#bodies.deleteUnreferenced(new Set(this.objects.files()));
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

  /** Streams a body to disk. Reading the source fills `facts`. */
  async receive(source: AsyncIterable<Uint8Array>, facts: Partial<BodyFacts>): Promise<Received> {
    const file = await this.#bodies.write(source);
    return { file, size: facts.size ?? 0, md5: facts.md5 ?? '', checksum: facts.checksum };
  }

  discard(file: string): Promise<void> {
    return this.#bodies.remove(file);
  }

  /** Checked before an upload is read, so that one that must fail is not read. */
  assertConditions(bucket: string, key: string, conditions: Conditions): void {
    assertHolds(this.objects.newest(bucket, key), key, conditions);
  }

  /** Stores received bytes as an object. A condition that held before the upload and fails now lost a race: 409. */
  async put(
    bucket: string,
    key: string,
    received: Received,
    headers: Record<string, string>,
    conditions: Conditions = {},
  ): Promise<{ versionId: string; etag: string }> {
    const { file, size, md5: etag, checksum } = received;
    try {
      const { versionId, orphans } = this.objects.put(
        bucket,
        key,
        { file, size, etag, headers, checksum },
        this.settings(bucket).versioned,
        this.#clock.now(),
        (newest) => assertStillHolds(newest, key, conditions),
      );
      await this.#discardAll(orphans);
      return { versionId, etag };
    } catch (error) {
      await this.discard(file);
      throw error;
    }
  }

  /** Opens an object's file. A concurrent put may replace row and file; then tries again with the new row. */
  async open(
    bucket: string,
    key: string,
    versionId?: string,
  ): Promise<{ object: StoredObject; handle: FileHandle } | { object: StoredObject | undefined }> {
    for (;;) {
      const object =
        versionId === undefined
          ? this.objects.newest(bucket, key)
          : this.objects.version(bucket, key, versionId);
      if (!object?.file) return { object };
      try {
        return { object, handle: await this.#bodies.open(object.file) };
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
      await this.#discardAll(this.objects.remove(bucket, key, versionId));
      return { versionId, deleteMarker };
    }
    if (!this.settings(bucket).versioned) {
      await this.#discardAll(this.objects.remove(bucket, key, 'null'));
      return { deleteMarker: false };
    }
    const marker = this.objects.put(bucket, key, 'delete marker', true, this.#clock.now());
    return { versionId: marker.versionId, deleteMarker: true };
  }

  async readWhole(bucket: string, key: string) {
    const opened = await this.open(bucket, key);
    if (!('handle' in opened)) return undefined;
    const body = await opened.handle.readFile();
    await opened.handle.close();
    const { 'content-type': contentType = 'binary/octet-stream', 'cache-control': cacheControl } =
      opened.object.headers;
    return { body, contentType, ...(cacheControl !== undefined && { cacheControl }) };
  }

  async writeWhole(
    bucket: string,
    key: string,
    body: Uint8Array,
    headers: { contentType: string; cacheControl?: string },
  ): Promise<void> {
    const file = await this.#bodies.write([body]);
    const md5 = createHash('md5').update(body).digest('hex');
    await this.put(
      bucket,
      key,
      { file, size: body.length, md5, checksum: undefined },
      {
        'content-type': headers.contentType,
        ...(headers.cacheControl !== undefined && { 'cache-control': headers.cacheControl }),
      },
    );
  }

  close(): void {
    this.#database.close();
  }

  async #discardAll(files: string[]): Promise<void> {
    for (const file of files) await this.discard(file);
  }
}

function assertHolds(
  newest: StoredObject | undefined,
  key: string,
  { ifMatch, ifNoneMatch }: Conditions,
): void {
  const existing = newest?.deleteMarker ? undefined : newest;
  if (ifNoneMatch !== undefined && existing) throw preconditionFailed('If-None-Match');
  if (ifMatch === undefined) return;
  if (!existing) throw new ServiceError('NoSuchKey', 'The specified key does not exist.', 404, { Key: key });
  if (!sameEtag(ifMatch, existing.etag)) throw preconditionFailed('If-Match');
}

function assertStillHolds(newest: StoredObject | undefined, key: string, conditions: Conditions): void {
  try {
    assertHolds(newest, key, conditions);
  } catch {
    throw new ServiceError(
      'ConditionalRequestConflict',
      'The conditional request cannot succeed due to a conflicting operation against this resource.',
      409,
      { Key: key },
    );
  }
}

export const preconditionFailed = (condition: string) =>
  new ServiceError(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    412,
    {
      Condition: condition,
    },
  );

export const sameEtag = (given: string, etag: string) =>
  given === '*' ||
  given.split(',').some((one) => one.trim().replace(/^W\//, '').replaceAll('"', '') === etag);
