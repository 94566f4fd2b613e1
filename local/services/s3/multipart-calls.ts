import * as z from 'zod';
import { type Call, type Prepared, ServiceError } from '../service.ts';
import { fromXml } from '../xml.ts';
import { onObject } from './access.ts';
import { type BodyFacts, verifiedBody, wholeBody } from './body.ts';
import type { Buckets } from './buckets.ts';
import { joinedEtag } from './multipart.ts';
import {
  conditionsOf,
  encryptionHeaders,
  keptHeaders,
  quoted,
  s3Tag,
  versionHeader,
  xmlAnswer,
} from './object-calls.ts';
import { targetOf } from './routes.ts';

const uploadIdOf = (call: Call) => call.head.query.get('uploadId') ?? '';

export function createUpload(call: Call, buckets: Buckets): Prepared {
  const { bucket, key } = targetOf(call.head);
  return {
    permissions: [onObject(buckets.settings(bucket), 'PutObject', key, call.head)],
    run: async () => {
      const headers = keptHeaders(call.head);
      const UploadId = buckets.beginUpload(bucket, key, headers);
      const result = { Bucket: bucket, Key: key, UploadId };
      return xmlAnswer({ [s3Tag('InitiateMultipartUploadResult')]: result }, encryptionHeaders(headers));
    },
  };
}

export function uploadPart(call: Call, buckets: Buckets): Prepared {
  const { bucket, key } = targetOf(call.head);
  const number = Number(call.head.query.get('partNumber'));
  if (!(Number.isInteger(number) && number >= 1 && number <= 10_000)) {
    throw new ServiceError(
      'InvalidArgument',
      'Part number must be an integer between 1 and 10000, inclusive',
    );
  }
  return {
    permissions: [onObject(buckets.settings(bucket), 'PutObject', key, call.head)],
    run: async () => {
      const uploadId = uploadIdOf(call);
      const kept = buckets.uploads.headersOf(uploadId, bucket, key);
      const facts: Partial<BodyFacts> = {};
      const { file, size, md5, checksum } = await buckets.receive(verifiedBody(call, facts), facts);
      const replaced = buckets.uploads.addPart(uploadId, { number, file, size, etag: md5 });
      if (replaced) await buckets.discard(replaced);
      const echoed = checksum ? { [checksum.name]: checksum.value } : {};
      return { status: 200, headers: { etag: quoted(md5), ...echoed, ...encryptionHeaders(kept) } };
    },
  };
}

const part = z.object({ PartNumber: z.coerce.number(), ETag: z.string() });
const partList = z.object({ Part: z.union([z.array(part), part.transform((one) => [one])]) });

export function completeUpload(call: Call, buckets: Buckets): Prepared {
  const { bucket, key } = targetOf(call.head);
  return {
    permissions: [onObject(buckets.settings(bucket), 'PutObject', key, call.head)],
    run: async () => {
      const uploadId = uploadIdOf(call);
      const headers = buckets.uploads.headersOf(uploadId, bucket, key);
      const listed = partList.safeParse(
        fromXml((await wholeBody(call, 2 * 1024 * 1024)).toString(), 'CompleteMultipartUpload'),
      );
      if (!listed.success) throw new ServiceError('MalformedXML', 'The XML you provided was not well-formed');
      const parts = buckets.uploads.chosen(
        uploadId,
        listed.data.Part.map(({ PartNumber, ETag }) => ({ number: PartNumber, etag: ETag })),
      );
      const conditions = conditionsOf(call.head);
      buckets.assertConditions(bucket, key, conditions);
      const file = await buckets.join(parts.map((one) => one.file));
      const size = parts.reduce((total, one) => total + one.size, 0);
      const joined = { file, size, md5: '', etag: joinedEtag(parts), checksum: undefined };
      const { versionId, etag } = await buckets.put(bucket, key, joined, headers, conditions);
      await buckets.endUpload(uploadId);
      const result = { Location: call.head.path, Bucket: bucket, Key: key, ETag: quoted(etag) };
      return xmlAnswer(
        { [s3Tag('CompleteMultipartUploadResult')]: result },
        { ...encryptionHeaders(headers), ...versionHeader(versionId) },
      );
    },
  };
}

export function abortUpload(call: Call, buckets: Buckets): Prepared {
  const { bucket, key } = targetOf(call.head);
  return {
    permissions: [onObject(buckets.settings(bucket), 'AbortMultipartUpload', key, call.head)],
    run: async () => {
      buckets.uploads.headersOf(uploadIdOf(call), bucket, key);
      await buckets.endUpload(uploadIdOf(call));
      return { status: 204 };
    },
  };
}
