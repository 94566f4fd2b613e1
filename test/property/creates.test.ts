import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { ApiError } from '../../shared/contract/api-error.ts';
import { createSignatureBody } from '../../shared/contract/signatures.ts';
import { createRequest, creationAnswer } from '../../shared/creation/create-request.ts';
import { configuredMailer } from '../../shared/mail/ses-mailer.ts';
import { sha256Hex } from '../../shared/runtime/hash.ts';
import { present } from '../../shared/runtime/present.ts';
import { after, HOUR, MINUTE, SECOND } from '../../shared/runtime/time.ts';
import { uploadObjectKey } from '../../shared/store/objects.ts';
import { addUpload } from '../../shared/store/uploads.ts';
import { sweepOrphans } from '../../shared/work/orphans.ts';
import { captureLog } from '../support/captured-log.ts';
import { functionEnvironment } from '../support/http-call.ts';
import { Meeting } from '../support/meeting.ts';
import { MemoryDynamo } from '../support/memory-dynamo.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { makePdf } from '../support/pdf.ts';
import { always } from '../support/property.ts';
import { Random } from '../support/random.ts';
import { NOON, newCaller } from '../support/requests.ts';
import { play, stepsOf } from '../support/steps.ts';
import { skipPauses } from '../support/virtual-time.ts';
import { wholeRequest } from '../support/whole-request.ts';

const KEY = 'key-1';
type Call = { key: typeof KEY | undefined; document: 'sent' | 'uploaded'; title: string };
type Action = ({ does: 'create' } & Call) | { does: 'replace the upload' | 'mail what was left' | 'sweep' };

const PEOPLE = ['ann@example.com', 'bob@example.com'];
const UPLOAD = 'aaaaaaaa-1e0f-4a9b-8c7d-6e5f4a3b2c1d';
const UPLOADED = 'uploaded.pdf';
/** What a call may be told while another with its key is under way, or after the upload's end. */
const REFUSALS = ['idempotency_in_progress', 'idempotency_key_conflict', 'invalid_upload', 'conflict'];

const memory = new MemoryDynamo();
const { table } = memory;
const objects = new MemoryObjects();
const ses = mockClient(SESClient);
let pdfs: readonly Uint8Array[];
let mailTasks: (event: SQSEvent) => Promise<unknown>;
let meeting: Meeting;
/** What happened. */
let answers: { key: string | undefined; answer: string }[];
let deaths: number;
let mails: number;

const now = () => new Date();

beforeAll(async () => {
  functionEnvironment();
  Object.assign(process.env, {
    EVENTS_QUEUE_URL: 'events',
    MAIL_QUEUE_URL: 'mail',
    MAIL_FROM: 'sign@example.com',
    MAIL_CONFIGURATION_SET: 'set',
  });
  mockClient(SQSClient).resolves({});
  ses.on(SendEmailCommand).callsFake(() =>
    meeting.call(() => {
      mails += 1;
      return { MessageId: `mail-${mails}` };
    }),
  );
  ({ handler: mailTasks } = await import('../../functions/jobs/complete-mail.ts'));
  pdfs = await Promise.all([makePdf('Contract', 1), makePdf('Another contract', 1)]);
  captureLog();
  skipPauses(NOON);
});
afterAll(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

async function begin(seed: number): Promise<void> {
  jest.setSystemTime(NOON);
  memory.clear();
  objects.objects.clear();
  meeting = new Meeting(new Random(seed));
  await addUpload(table, UPLOAD, { ownerId: 'owner-1', mode: 'live' }, after(NOON, HOUR));
  upload(0);
  memory.meeting = meeting;
  objects.meeting = meeting;
  answers = [];
  deaths = 0;
  mails = 0;
}

const pdf = (n: number) => present(pdfs[n], 'the PDF');
const upload = (n: number) => objects.objects.set(`staging/${uploadObjectKey(UPLOAD)}`, { bytes: pdf(n) });

async function create({ key, document, title }: Call): Promise<string> {
  const sent = { content_base64: Buffer.from(pdf(0)).toString('base64') };
  const rawBody = JSON.stringify({
    title,
    signers: PEOPLE.map((email) => ({ email })),
    document: document === 'sent' ? sent : { upload_id: UPLOAD, filename: UPLOADED },
  });
  const { request } = await createRequest(
    {
      table,
      s3: objects.s3,
      documentsBucket: 'documents',
      stagingBucket: 'staging',
      send: async () => 0,
      mailer: configuredMailer(),
      baseUrl: 'https://sign.example.com',
      codePepper: Buffer.from('pepper'),
      now,
    },
    {
      caller: newCaller(),
      body: createSignatureBody.parse(JSON.parse(rawBody)),
      rawBody,
      idempotencyKey: key,
    },
  );
  return JSON.stringify(creationAnswer(request, 'https://sign.example.com'));
}

async function createOrRefuse(call: Call): Promise<void> {
  try {
    answers.push({ key: call.key, answer: await create(call) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(REFUSALS).toContain(error.code);
  }
}

/** As their queue delivers them: a message that failed comes again. */
async function mailWhatWasLeft(): Promise<void> {
  const left = memory.items.filter(({ kind }) => kind === 'mail');
  const Records = left.map(
    ({ id }) => ({ messageId: id, body: JSON.stringify({ outbox_id: id }) }) as SQSRecord,
  );
  await mailTasks({ Records });
}

async function act(action: Action): Promise<unknown> {
  switch (action.does) {
    case 'create':
      return createOrRefuse(action);
    case 'replace the upload':
      return upload(1);
    case 'mail what was left':
      return mailWhatWasLeft();
    case 'sweep':
      return sweepOrphans(table, objects.s3, 'documents', { now, until: new Date(Date.now() + MINUTE) });
  }
}

/** The jobs' next runs, when nothing holds them back any more. */
async function settle(): Promise<void> {
  jest.setSystemTime(Date.now() + 2 * HOUR);
  await mailWhatWasLeft();
  await act({ does: 'sweep' });
}

const storedIds = () => memory.items.filter(({ sk }) => sk === 'R#META').map(({ id }) => String(id));

/** A request is whole, and each signer was mailed. */
async function expectWhole(id: string): Promise<void> {
  const { state, signers, content } = await wholeRequest(table, id);
  expect([state.status, signers.map(({ invitation }) => invitation?.sent)]).toEqual(['sent', [true, true]]);
  const { bytes } = present(objects.objects.get(`documents/${content.documentKey}`), 'the original');
  expect(sha256Hex(bytes)).toBe(content.documentSha256);
}

async function expectConsistent(): Promise<void> {
  const ids = storedIds();
  const answered = new Set(answers.map(({ answer }) => String(JSON.parse(answer).id)));
  expect(ids).toEqual(expect.arrayContaining([...answered]));
  expect(ids.length - answered.size).toBeLessThanOrEqual(deaths);
  for (const id of ids) await expectWhole(id);
  // A death repeats at most the mails that were under way.
  expect(mails).toBeGreaterThanOrEqual(ids.length * PEOPLE.length);
  expect(mails).toBeLessThanOrEqual((ids.length + deaths) * PEOPLE.length);
  const files = [...objects.objects.keys()].filter((name) => name.startsWith('documents/'));
  expect(files).toHaveLength(ids.length);
  expect(memory.items.filter(({ filename }) => filename === UPLOADED).length).toBeLessThan(2);
  const keyed = answers.flatMap(({ key, answer }) => (key ? [answer] : []));
  expect(new Set(keyed).size).toBeLessThan(2);
  expect(memory.items.filter(({ kind }) => kind === 'mail')).toEqual([]);
}

const call = fc.record({
  does: fc.constant('create' as const),
  key: fc.constantFrom(undefined, KEY, KEY, KEY),
  document: fc.constantFrom('sent' as const, 'uploaded' as const),
  title: fc.constantFrom('Lease', 'Lease', 'Loan'),
});
const other = fc.record({
  does: fc.constantFrom('replace the upload' as const, 'mail what was left' as const, 'sweep' as const),
});
const steps = stepsOf<Action>(fc.oneof({ weight: 3, arbitrary: call }, { weight: 1, arbitrary: other }), {
  pauses: [0, SECOND, MINUTE, HOUR, 2 * HOUR],
  halfCalls: 25,
  most: 4,
});

describe('creates at the same time, some of which die', () => {
  it('make each request once and whole, and leave nothing else', async () => {
    await always(
      fc.asyncProperty(fc.nat(), steps, async (seed, drawn) => {
        await begin(seed);
        deaths = await play(drawn, meeting, act);
        await settle();
        // With the key each is answered as before, or now at last: a refused call frees it for one before.
        const actions = drawn.flatMap(({ functions }) => functions.map(({ action }) => action));
        const keyed = actions.filter((action) => action.does === 'create' && action.key);
        for (const action of [...keyed, ...keyed]) await act(action);
        if (keyed.some((action) => action.does === 'create' && action.document === 'sent'))
          expect(answers.some(({ key }) => key)).toBe(true);
        await settle();
        await expectConsistent();
      }),
      0.2,
      50,
    );
  });
});
