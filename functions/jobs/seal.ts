import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { addLogFields, errorFields, log } from '../../shared/runtime/log.ts';
import { memoize, readSecret } from '../../shared/runtime/secrets.ts';
import { after, SECOND, systemNow } from '../../shared/runtime/time.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import {
  anchorsOf,
  authoritiesOf,
  readOwnCertificates,
  readSealKey,
  secretFault,
} from '../../shared/stamping/configuration.ts';
import { longTermAt } from '../../shared/stamping/kept-proofs.ts';
import { guardedRetrieve } from '../../shared/stamping/retrieve.ts';
import { StampFailed, sealRequest } from '../../shared/stamping/seal-request.ts';
import type { Sealing } from '../../shared/stamping/sealing.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { dispatch } from '../../shared/store/dispatch.ts';
import { holdBack, requestOfSeal } from '../../shared/store/outbox.ts';
import { configuredAddressPolicy } from '../../shared/webhooks/address-rules.ts';
import { resolveWith } from '../../shared/webhooks/addresses.ts';
import { consume, outboxIdOf } from '../../shared/work/consume.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const { s3, bucket } = configuredDocuments(JOB_CLIENT_SETTINGS);
const sqs = new SQSClient(JOB_CLIENT_SETTINGS);
const sealQueue = setting('SEAL_QUEUE_URL');
const queues = { event: setting('EVENTS_QUEUE_URL'), mail: setting('MAIL_QUEUE_URL') };
const keySecrets = { live: setting('SEAL_SECRET_ARN'), test: setting('TEST_SEAL_SECRET_ARN') };
const timestampSecret = setting('TIMESTAMP_SECRET_ARN');
const baseUrl = setting('BASE_URL');
const retrieve = guardedRetrieve({ ...configuredAddressPolicy(), resolve: resolveWith() });
const longTerm = longTermAt(setting('SEAL_LEVEL'), { table, retrieve, now: systemNow });

/** Secrets are read once for each seal, so that a new certificate or authority takes effect immediately. */
function sealingOf({ attributes }: SQSRecord): Sealing {
  const timestampSettings = memoize(() => readSecret(timestampSecret));
  const fromTimestampSecret = <T>(open: (secret: string) => T) =>
    memoize(() => timestampSettings().then(open).catch(secretFault('timestamp_unavailable')));
  const anchors = fromTimestampSecret(anchorsOf);
  const stamper = fromTimestampSecret((secret) =>
    timestamper(authoritiesOf(secret), longTerm && { prove: longTerm.prove }),
  );
  return {
    table,
    s3,
    bucket,
    baseUrl,
    now: systemNow,
    isRepeated: attributes.ApproximateReceiveCount !== '1',
    keyFor: (mode) => readSealKey(keySecrets[mode]).catch(secretFault('key_unavailable')),
    anchors,
    trustFor: async (mode) => ({
      certificates: await readOwnCertificates(keySecrets[mode]).catch(secretFault('key_unavailable')),
      anchors: await anchors(),
    }),
    timestamp: async (imprint, maxBytes) => (await stamper())(imprint, maxBytes),
    longTerm,
  };
}

/** Back-off from 30 seconds to 15 minutes: retries are quick at first and last for more than an hour. */
const backoffSeconds = (receives: number) => Math.min(30 * 2 ** (receives - 1), 900);

/** Puts off the message, and with it the sweep's copy. */
async function retryLater({ attributes, receiptHandle }: SQSRecord, outboxId: string): Promise<void> {
  const seconds = backoffSeconds(Number(attributes.ApproximateReceiveCount));
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: sealQueue,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
  await holdBack(table, outboxId, after(systemNow(), seconds * SECOND));
}

export const handler = consume(async (message, record) => {
  const outboxId = outboxIdOf(message);
  const requestId = requestOfSeal(outboxId);
  addLogFields({ signature_request_id: requestId });
  try {
    const outbox = await sealRequest(sealingOf(record), outboxId, requestId);
    await dispatch(sqs, queues, outbox);
    if (outbox.length > 0) log.info('Sealed');
  } catch (error) {
    if (error instanceof StampFailed) {
      await dispatch(sqs, queues, error.outbox);
      log.error('The seal was given up', { ...errorFields(error.cause), code: error.code });
      return;
    }
    // If this fails too, the queue's own delay holds, and the reason for the retry matters more.
    await retryLater(record, outboxId).catch((fault) =>
      log.warn('The seal could not be put off', errorFields(fault)),
    );
    throw error;
  }
});
