import { S3Client } from '@aws-sdk/client-s3';
import { CLIENT_SETTINGS, type ClientSettings } from '../runtime/clients.ts';
import { setting } from '../runtime/config.ts';

/** The bucket with the files of requests, by a function's settings. */
export const configuredDocuments = (settings: ClientSettings = CLIENT_SETTINGS) => ({
  s3: new S3Client(settings),
  bucket: setting('DOCUMENTS_BUCKET'),
});
