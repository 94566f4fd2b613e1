import { SESClient, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { ApiError } from '../../shared/contract/api-error.ts';
import { configuredMailer } from '../../shared/mail/ses-mailer.ts';
import { cancel } from '../../shared/requests/ending.ts';
import type { SignatureRequest, SignerState } from '../../shared/requests/model.ts';
import { mailReturned } from '../../shared/requests/returned-mails.ts';
import { present } from '../../shared/runtime/present.ts';
import { DAY, MINUTE, SECOND } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { addOwner } from '../../shared/store/owners.ts';
import { loadRequest, type StoredRequest } from '../../shared/store/requests.ts';
import { codeHash } from '../../shared/verification/code.ts';
import { signingKeys } from '../../shared/verification/keys.ts';
import { correctSigner, mailRequestedCode, resendInvitation } from '../../shared/verification/mail-code.ts';
import { captureLog } from '../support/captured-log.ts';
import { functionEnvironment } from '../support/http-call.ts';
import { Meeting } from '../support/meeting.ts';
import { MemoryDynamo } from '../support/memory-dynamo.ts';
import { ownerItem } from '../support/owners.ts';
import { always } from '../support/property.ts';
import { Random } from '../support/random.ts';
import { NOON, OWNER, signedBy, VISITOR } from '../support/requests.ts';
import { play, stepsOf } from '../support/steps.ts';
import { storedNew } from '../support/stored-requests.ts';
import { skipPauses } from '../support/virtual-time.ts';
import { wholeRequest } from '../support/whole-request.ts';

type Action =
  | { does: 'resend' | 'ask for a code' | 'correct' | 'sign' | 'bounce'; signer: number }
  | { does: 'mail what waits' | 'remind' | 'cancel' };

/** The event of a mail that was sent, by the mail's kind. */
const EVENTS = {
  invitation: 'invitation_sent',
  resend: 'invitation_resent',
  code: 'code_sent',
  reminder: 'reminder_sent',
  cancelled: 'signer_notice_sent',
} as const;
/** The kinds of work that waits for a mail. */
const MAILED = ['mail', 'correction', 'notice'];
const CARRY_CODES = ['invitation', 'resend', 'code'];

interface Mail {
  signer: string;
  kind: string;
  code: string | undefined;
  sent: boolean;
  /** False if it went to an address that the sender had corrected before. */
  isTheirs: boolean;
}

const memory = new MemoryDynamo();
const { table } = memory;
const ses = mockClient(SESClient);
const now = () => new Date();
const context = { getRemainingTimeInMillis: () => 600_000 } as Context;

let meeting: Meeting;
let random: Random;
let codePepper: Buffer;
let mailTasks: (event: SQSEvent) => Promise<unknown>;
let remind: (event: unknown, context: Context) => Promise<unknown>;
let id: string;
/** What happened. */
let mails: Mail[];
let deaths: number;

beforeAll(async () => {
  functionEnvironment();
  Object.assign(process.env, {
    EVENTS_QUEUE_URL: 'events',
    MAIL_QUEUE_URL: 'mail',
    MAIL_FROM: 'sign@example.com',
    MAIL_CONFIGURATION_SET: 'set',
  });
  mockClient(SQSClient).resolves({});
  ses.on(SendEmailCommand).callsFake((input) => meeting.call(() => takeMail(input)));
  ({ handler: mailTasks } = await import('../../functions/jobs/complete-mail.ts'));
  ({ handler: remind } = await import('../../functions/jobs/remind.ts'));
  ({ codePepper } = await signingKeys());
  captureLog();
  skipPauses(NOON);
});
afterAll(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const signersNow = () => memory.items.filter(({ sk }) => String(sk).startsWith('R#SIGNER'));

/** SES refuses some. */
function takeMail({ Destination, Tags = [], Message }: SendEmailCommandInput) {
  const tag = (name: string) => Tags.find(({ Name }) => Name === name)?.Value;
  const kind = tag('kind');
  if (!kind) return { MessageId: 'of-the-sender' };
  const signer = signersNow().find((item) => item.id === tag('signer'));
  const sent = random.below(8) > 0;
  const code = /\b\d{6}\b/.exec(Message?.Body?.Text?.Data ?? '')?.[0];
  const isTheirs = Destination?.ToAddresses?.[0] === signer?.email;
  mails.push({ signer: String(signer?.id), kind, code, sent, isTheirs });
  if (!sent) throw Object.assign(new Error('Address blacklisted'), { name: 'MessageRejected' });
  return { MessageId: `mail-${mails.length}` };
}

async function begin(seed: number): Promise<void> {
  jest.setSystemTime(NOON);
  memory.clear();
  random = new Random(seed);
  meeting = new Meeting(random);
  mails = [];
  await addOwner(table, ownerItem({ id: OWNER.id }));
  ({
    state: { id },
  } = await storedNew(table, 2, { owner: OWNER }));
  memory.meeting = meeting;
}

const mailing = () => ({
  table,
  mailer: configuredMailer(),
  baseUrl: 'https://sign.example.com',
  codePepper,
  now,
  send: async () => 0,
});
const change = (rule: Parameters<typeof changeRequest>[2]) => changeRequest({ table, now }, id, rule);
const load = async () => present(await loadRequest(table, id), 'the request');

async function ofSigner({ does, signer }: Extract<Action, { signer: number }>): Promise<unknown> {
  const known = present((await load()).signers[signer], 'the signer');
  const ids = { requestId: id, signerId: known.id };
  const check = () => undefined;
  switch (does) {
    case 'resend':
      return resendInvitation(mailing(), ids, { locale: undefined, check });
    case 'ask for a code':
      return mailRequestedCode(mailing(), { ...ids, token: known.accessToken }, VISITOR);
    case 'correct':
      return correctSigner(mailing(), ids, { email: `${random.below(1e6)}@example.com`, check });
    case 'sign':
      return change((request, time) => signedBy(request, signer, time));
    case 'bounce': {
      const last = present(
        known.mails.findLast(({ sent }) => sent),
        'a mail',
      );
      const mail = { id: String(last.id), kind: last.kind, sentAt: last.at, outcome: 'bounced' } as const;
      return change((request, time) => mailReturned(request, { signerId: known.id, ...mail }, time));
    }
  }
}

const waiting = () => memory.items.filter(({ kind }) => MAILED.includes(String(kind)));

/** As their queue delivers them: one that failed comes again. */
function mailWhatWaits(): Promise<unknown> {
  const Records = waiting().map(
    (item) => ({ messageId: item.id, body: JSON.stringify({ outbox_id: item.id }) }) as SQSRecord,
  );
  return mailTasks({ Records });
}

function act(action: Action): Promise<unknown> {
  switch (action.does) {
    case 'mail what waits':
      return mailWhatWaits();
    case 'remind':
      return remind({}, context);
    case 'cancel':
      return change((request, time) => cancel(request, { actor: 'client', reason: null }, time));
    default:
      return ofSigner(action);
  }
}

const actOrBeRefused = (action: Action): Promise<unknown> =>
  act(action).catch((error: unknown) => {
    const isRefusal = error instanceof ApiError || String(error).includes('a mail is not set');
    if (!isRefusal) throw error;
  });

async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    jest.setSystemTime(Date.now() + 2 * MINUTE);
    await mailWhatWaits();
  }
}

const wasInvited = ({ sentAt, mails: sent }: SignerState): boolean =>
  sentAt !== null || sent.some((mail) => mail.kind === 'resend' && mail.sent);

/** The mails of a kind that SES took are in the trail; a function that died recorded none or repeated them. */
function expectRecorded({ signers, events }: StoredRequest) {
  for (const [kind, type] of Object.entries(EVENTS))
    for (const signer of signers) {
      const taken = mails.filter(
        (mail) => mail.sent && mail.kind === kind && mail.signer === signer.id,
      ).length;
      const recorded = events.filter((event) => event.type === type && event.signerId === signer.id).length;
      expect(recorded).toBeLessThanOrEqual(taken);
      expect(recorded).toBeGreaterThanOrEqual(taken - deaths);
    }
}

async function expectConsistent(): Promise<void> {
  const stored = await wholeRequest(table, id);
  expect(waiting()).toEqual([]);
  expectRecorded(stored);
  expect(mails.filter(({ kind, isTheirs }) => kind !== 'cancelled' && !isTheirs)).toEqual([]);
  if (deaths === 0) expectAsToldLast(stored);
}

/** What holds where no function died between a change and its mail. */
function expectAsToldLast({ state, signers }: SignatureRequest) {
  for (const signer of signers) {
    const last = mails.findLast((mail) => mail.signer === signer.id && CARRY_CODES.includes(mail.kind));
    const hash = last?.code && codeHash(codePepper, id, signer.id, last.code);
    // A code counts even if its mail could not be sent.
    const recorded = signer.mails.findLast(({ kind }) => CARRY_CODES.includes(kind));
    if (signer.code && recorded?.sent) expect(signer.code.hash).toBe(hash);
    const told = mails.filter((mail) => mail.signer === signer.id && mail.kind === 'cancelled');
    const isConcerned = state.status === 'cancelled' && wasInvited(signer);
    expect(told).toHaveLength(isConcerned ? 1 : 0);
  }
}

const ofOne = fc.record({
  does: fc.constantFrom(
    'resend' as const,
    'ask for a code' as const,
    'correct' as const,
    'sign' as const,
    'bounce' as const,
  ),
  signer: fc.nat(1),
});
const ofAll = fc.record({
  does: fc.constantFrom(
    'mail what waits' as const,
    'mail what waits' as const,
    'mail what waits' as const,
    'remind' as const,
    'remind' as const,
    'cancel' as const,
  ),
});
const steps = stepsOf<Action>(fc.oneof(ofOne, ofAll), {
  pauses: [0, SECOND, 2 * MINUTE, DAY, 3 * DAY],
  halfCalls: 20,
  most: 6,
});

describe('mails while functions meet, sleep and die', () => {
  it('go to the right person, are recorded, and the last has the code that counts', async () => {
    await always(
      fc.asyncProperty(fc.nat(), steps, async (seed, drawn) => {
        await begin(seed);
        deaths = await play(drawn, meeting, actOrBeRefused);
        await settle();
        await expectConsistent();
      }),
      0.2,
      50,
    );
  });
});
