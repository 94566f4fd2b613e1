import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { optionalSetting, setting } from '../../shared/runtime/config.ts';
import { log } from '../../shared/runtime/log.ts';
import { SECOND } from '../../shared/runtime/time.ts';
import { makeIngest, plainError } from './ingest.ts';

/** A little longer than the function may take. */
const FUNCTION_TIME = 35 * SECOND;
/** A body of the full size over a slow line. */
const BODY_TIME = 120 * SECOND;

const server = createServer(
  { requestTimeout: BODY_TIME, headersTimeout: 10 * SECOND, connectionsCheckingInterval: 5 * SECOND },
  makeIngest({
    s3: new S3Client(CLIENT_SETTINGS),
    lambda: new LambdaClient({
      ...CLIENT_SETTINGS,
      // A creation is never begun twice by us; a client that wants to try again brings its Idempotency-Key.
      maxAttempts: 1,
      requestHandler: { ...CLIENT_SETTINGS.requestHandler, requestTimeout: FUNCTION_TIME },
    }),
    bucket: setting('STAGING_BUCKET'),
    functionName: setting('CREATE_FUNCTION_NAME'),
    spool: optionalSetting('SPOOL_FOLDER') ?? tmpdir(),
  }),
);

// What is no HTTP, or comes too slowly, never becomes a request; it gets an answer of the same form all the same.
server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
  if (!socket.writable) return;
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  socket.end(plainError(slow ? 408 : 400, slow ? 'timed_out' : 'invalid_request'));
});

// Longer than the load balancer keeps a connection that rests, or it would send calls into closing ones.
server.keepAliveTimeout = 75 * SECOND;
server.listen(Number(setting('PORT')), () => log.info('Listening'));
process.once('SIGTERM', () => server.close(() => process.exit(0)));
