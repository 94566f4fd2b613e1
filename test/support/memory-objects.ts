import {
  DeleteObjectsCommand,
  type DeleteObjectsCommandInput,
  GetObjectCommand,
  type GetObjectCommandInput,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import type { Meeting } from './meeting.ts';

interface StoredObject {
  bytes: Uint8Array;
  type?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

const failure = (name: string) => Object.assign(new Error(name), { name });

/** An in-memory S3 for unit tests. Objects are named `bucket/key`. */
export class MemoryObjects {
  readonly s3 = new S3Client({ region: 'eu-north-1' });
  readonly mock = mockClient(this.s3);
  readonly objects = new Map<string, StoredObject>();
  /** Hooks for races: each put first runs the next one, which may put, or throw to fail the put. */
  readonly beforePuts: (() => unknown)[] = [];
  /** Hooks like those, before objects are removed. */
  readonly beforeRemovals: (() => unknown)[] = [];
  /** Where calls meet that are made at the same time. */
  meeting: Meeting | undefined;

  constructor() {
    const met =
      <I, O>(answer: (input: I) => O) =>
      (input: I) =>
        this.meeting?.call(() => answer(input)) ?? answer(input);
    this.mock.on(GetObjectCommand).callsFake(met(this.#get));
    this.mock.on(PutObjectCommand).callsFake(met(this.#put));
    this.mock.on(ListObjectVersionsCommand).callsFake(met(this.#list));
    this.mock.on(DeleteObjectsCommand).callsFake(met(this.#remove));
  }

  #get = ({ Bucket, Key }: GetObjectCommandInput) => {
    const object = this.objects.get(`${Bucket}/${Key}`);
    if (!object) throw failure('NoSuchKey');
    return { Body: { transformToByteArray: async () => object.bytes }, Metadata: object.metadata };
  };

  #put = async ({ Bucket, Key, Body, ContentType, Metadata, IfNoneMatch }: PutObjectCommandInput) => {
    await this.beforePuts.shift()?.();
    const name = `${Bucket}/${Key}`;
    if (IfNoneMatch === '*' && this.objects.has(name)) throw failure('PreconditionFailed');
    // The product stores bytes.
    this.objects.set(name, { bytes: Body as Uint8Array, type: ContentType, metadata: Metadata });
    return {};
  };

  #list = ({ Bucket = '', Prefix }: ListObjectVersionsCommandInput) => ({
    Versions: [...this.objects.keys()]
      .filter((name) => name.startsWith(`${Bucket}/${Prefix}`))
      .map((name) => ({ Key: name.slice(Bucket.length + 1), VersionId: '1' })),
  });

  #remove = async ({ Bucket, Delete }: DeleteObjectsCommandInput) => {
    await this.beforeRemovals.shift()?.();
    for (const { Key } of Delete?.Objects ?? []) this.objects.delete(`${Bucket}/${Key}`);
    return {};
  };
}
