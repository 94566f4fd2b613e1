import type { Fault } from '../../local/ports.ts';
import { MINUTE, SECOND } from '../../shared/runtime/time.ts';
import type { Random } from '../support/random.ts';
import { AUTHORITY_MOODS, RECEIVER_MOODS } from './listeners.ts';
import type { World } from './world.ts';

/** The faults of a run of chaos, drawn from a seed. */

const CHANGE = ['dynamodb.Query', 'dynamodb.TransactWriteItems', 'sqs.SendMessageBatch'];
/** The calls at which each function may die or be refused. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  'create-signature': [
    'dynamodb.PutItem',
    's3.PutObject',
    'dynamodb.TransactWriteItems',
    'ses.SendEmail',
    'sqs.SendMessageBatch',
  ],
  'open-link': CHANGE,
  'send-code': [...CHANGE, 'ses.SendEmail'],
  'verify-code': CHANGE,
  'get-original': ['s3.GetObject', 'dynamodb.TransactWriteItems'],
  sign: CHANGE,
  decline: CHANGE,
  'cancel-signature': CHANGE,
  'resend-invitation': [...CHANGE, 'ses.SendEmail'],
  'correct-signer': [...CHANGE, 'ses.SendEmail'],
  'delete-document': ['s3.ListObjectVersions', 's3.DeleteObjects', ...CHANGE],
  expire: CHANGE,
  purge: ['s3.ListObjectVersions', 's3.DeleteObjects', ...CHANGE],
  seal: [
    'dynamodb.GetItem',
    's3.GetObject',
    's3.PutObject',
    'secretsmanager.GetSecretValue',
    ...CHANGE,
    'sqs.ChangeMessageVisibility',
  ],
  'complete-mail': [
    'dynamodb.GetItem',
    'dynamodb.UpdateItem',
    'dynamodb.PutItem',
    'dynamodb.DeleteItem',
    'ses.SendEmail',
    ...CHANGE,
  ],
  'publish-event': ['dynamodb.BatchGetItem', 'dynamodb.Query', 'sqs.SendMessageBatch', 'dynamodb.DeleteItem'],
  'deliver-webhook': ['dynamodb.GetItem', 'dynamodb.PutItem', ...CHANGE, 'kms.Decrypt'],
  'record-bounce': CHANGE,
  sweep: ['dynamodb.Query', 'dynamodb.UpdateItem', 'dynamodb.DeleteItem', 's3.DeleteObjects', ...CHANGE],
};
const FUNCTIONS = Object.keys(CALLS);

/** Two of throttling, two of defects. */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  dynamodb: ['ProvisionedThroughputExceededException', 'ThrottlingException', 'InternalServerError'],
  s3: ['SlowDown', 'InternalError'],
  ses: ['Throttling', 'ServiceUnavailable', 'MessageRejected'],
  sqs: ['ThrottlingException', 'ServiceUnavailable'],
  kms: ['ThrottlingException', 'KMSInternalException'],
  secretsmanager: ['ThrottlingException', 'InternalServiceError'],
};

/** A transaction is cancelled, and the SDK does not call again. */
const CANCELLATIONS = ['TransactionConflict', 'ThrottlingError'] as const;

const MOST_AFTER = 3;
/** As often as the SDK calls, and once more. */
const MOST_IN_A_ROW = 4;
const MOST_DELAY_MS = 4_000;
const LONGEST_JUMP = 15 * MINUTE;

export const INCIDENTS = [
  'kill',
  'kill',
  'kill-after',
  'kill-after',
  'error',
  'error',
  'delay',
  'authority',
  'receiver',
  'bounce',
  'jump',
  'sweep',
  'expire',
  'purge',
] as const;
type Incident = (typeof INCIDENTS)[number];

function faultsOf(effect: Fault['effect'], random: Random): Fault[] {
  const name = random.of(FUNCTIONS);
  const [service = '', operation = ''] = random.of(CALLS[name] ?? []).split('.');
  const fault = { service, operation, function: name, effect, after: 1 + random.below(MOST_AFTER) };
  if (effect === 'delay') return [{ ...fault, ms: random.below(MOST_DELAY_MS) }];
  if (effect !== 'error') return [fault];
  const codes = ERRORS[service] ?? ['InternalError'];
  const code = random.of(operation === 'TransactWriteItems' ? [...codes, ...CANCELLATIONS] : codes);
  return Array.from({ length: 1 + random.below(MOST_IN_A_ROW) }, (_, place) => ({
    ...fault,
    after: fault.after + place,
    error_code: code,
  }));
}

async function bounce({ service, notify }: World, random: Random): Promise<void> {
  const type = random.of(['bounce', 'complaint'] as const);
  const share = random.below(1_000) / 1_000;
  const mails = service.cloud.services.inbox().filter(({ to }) => !to.includes(notify));
  const mail = mails[Math.floor(share * mails.length)];
  if (mail) await service.cloud.services.returnMail(mail.id, type);
}

/** Lets one thing go wrong, now or soon. Draws the same from the same seed, whatever the service does meanwhile. */
export async function happen(incident: Incident, world: World, random: Random): Promise<void> {
  const { service, authority, endpoints } = world;
  switch (incident) {
    case 'authority':
      authority.mood = random.of(AUTHORITY_MOODS);
      return;
    case 'receiver': {
      const mood = random.of(RECEIVER_MOODS);
      const moody = endpoints.at(-1);
      if (moody) moody.receiver.mood = mood;
      return;
    }
    case 'bounce':
      return bounce(world, random);
    case 'jump':
      return service.advance(10 * SECOND + random.below(LONGEST_JUMP));
    case 'sweep':
    case 'expire':
    case 'purge':
      // It may be killed, as everything may.
      return service.runSchedule(incident).catch(() => undefined);
    default:
      for (const fault of faultsOf(incident, random)) service.fault(fault);
  }
}
