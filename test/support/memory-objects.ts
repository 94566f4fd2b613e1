import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';

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

  constructor() {
    this.mock.on(GetObjectCommand).callsFake(({ Bucket, Key }) => {
      const object = this.objects.get(`${Bucket}/${Key}`);
      if (!object) throw failure('NoSuchKey');
      return { Body: { transformToByteArray: async () => object.bytes }, Metadata: object.metadata };
    });
    this.mock.on(PutObjectCommand).callsFake(async (input) => {
      await this.beforePuts.shift()?.();
      const name = `${input.Bucket}/${input.Key}`;
      if (input.IfNoneMatch === '*' && this.objects.has(name)) throw failure('PreconditionFailed');
      this.objects.set(name, { bytes: input.Body, type: input.ContentType, metadata: input.Metadata });
      return {};
    });
    this.mock.on(ListObjectVersionsCommand).callsFake(({ Bucket, Prefix }) => ({
      Versions: [...this.objects.keys()]
        .filter((name) => name.startsWith(`${Bucket}/${Prefix}`))
        .map((name) => ({ Key: name.slice(Bucket.length + 1), VersionId: '1' })),
    }));
    this.mock.on(DeleteObjectsCommand).callsFake(async ({ Bucket, Delete }) => {
      await this.beforeRemovals.shift()?.();
      for (const { Key } of Delete.Objects) this.objects.delete(`${Bucket}/${Key}`);
      return {};
    });
  }
}
