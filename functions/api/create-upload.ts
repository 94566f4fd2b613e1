import { randomUUID } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { assertSubscribed } from '../../shared/accounts/subscription.ts';
import { LIMITS } from '../../shared/contract/limits.ts';
import { createUpload } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { after, HOUR, SECOND } from '../../shared/runtime/time.ts';
import { uploadObjectKey } from '../../shared/store/objects.ts';
import { addUpload } from '../../shared/store/uploads.ts';

const s3 = new S3Client(CLIENT_SETTINGS);
const bucket = setting('STAGING_BUCKET');

/** The signed form limits size, type and time; the stored item binds the upload to its owner and to a single use. */
export const handler = apiEndpoint(createUpload, async ({ caller, table, now, json }) => {
  assertSubscribed(caller);
  const uploadId = randomUUID();
  const expiresAt = after(now, HOUR);
  await addUpload(table, uploadId, caller, expiresAt);
  const { url, fields } = await createPresignedPost(s3, {
    Bucket: bucket,
    Key: uploadObjectKey(uploadId),
    Fields: { 'Content-Type': 'application/pdf' },
    Conditions: [
      ['content-length-range', 1, LIMITS.documentBytes],
      ['eq', '$Content-Type', 'application/pdf'],
    ],
    Expires: HOUR / SECOND,
  });
  return json({ upload_id: uploadId, url, fields, max_bytes: LIMITS.documentBytes, expires_at: expiresAt });
});
