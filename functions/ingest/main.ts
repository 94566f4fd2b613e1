import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { authenticate } from '../../shared/accounts/authenticate.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { optionalSetting, setting } from '../../shared/runtime/config.ts';
import { log } from '../../shared/runtime/log.ts';
import { SECOND } from '../../shared/runtime/time.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { BODY_TIME, FUNCTION_TIME, makeIngest, plainError } from './ingest.ts';

const baseUrl = setting('BASE_URL');
const table = configuredTable();

const server = createServer(
  { requestTimeout: BODY_TIME, headersTimeout: 10 * SECOND, connectionsCheckingInterval: 5 * SECOND },
  makeIngest({
    s3: new S3Client(CLIENT_SETTINGS),
    lambda: new LambdaClient({
      ...CLIENT_SETTINGS,
      // A retry here could create twice; clients retry with an Idempotency-Key.
      maxAttempts: 1,
      requestHandler: { ...CLIENT_SETTINGS.requestHandler, requestTimeout: FUNCTION_TIME },
    }),
    bucket: setting('STAGING_BUCKET'),
    functionName: setting('CREATE_FUNCTION_NAME'),
    authenticate: (authorization) => authenticate(table, authorization),
    baseUrl,
    spool: optionalSetting('SPOOL_FOLDER') ?? tmpdir(),
  }),
);

// Malformed HTTP and slow headers never become a request, but still get an error in the service's format.
server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
  if (!socket.writable) return;
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  socket.end(plainError(slow ? 408 : 400, slow ? 'timed_out' : 'invalid_request', baseUrl));
});

// Longer than the idle time-out of the load balancer, which would otherwise send calls into closing connections.
server.keepAliveTimeout = 75 * SECOND;
server.listen(Number(setting('PORT')), () => log.info('Listening'));
process.once('SIGTERM', () => server.close(() => process.exit(0)));
