import { jest } from '@jest/globals';
import { readReturnedMail, tagsOf } from '../../../shared/mail/returned-mail.ts';

const REQUEST = '6b0a8bb2-54c1-4a5c-9e8b-3f1c1b6f6f10';
const SIGNER = '0d9c3a6e-7b1f-4b0e-8a55-5a2d1f4c7e21';
const TAGS = { request: [REQUEST], signer: [SIGNER], kind: ['reminder'], 'ses:configuration-set': ['mails'] };

const event = (more: Record<string, unknown> = {}, tags: Record<string, string[]> = TAGS) => ({
  eventType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bouncedRecipients: [{ emailAddress: 'anna@example.com', diagnosticCode: '550 no anna@example.com' }],
  },
  mail: {
    messageId: 'm-1',
    timestamp: '2026-11-21T12:00:00.000Z',
    destination: ['anna@example.com'],
    commonHeaders: { subject: 'Contract' },
    tags,
  },
  ...more,
});
const complaint = (feedback: string | null) =>
  event({ eventType: 'Complaint', bounce: undefined, complaint: { complaintFeedbackType: feedback } });
const inEnvelope = (message: unknown) => ({
  Type: 'Notification',
  Message: typeof message === 'string' ? message : JSON.stringify(message),
});

let logged: string[];
let written: ReturnType<typeof jest.spyOn>;
beforeEach(() => {
  logged = [];
  written = jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    logged.push(String(line));
    return true;
  });
});
afterEach(() => {
  written.mockRestore();
  // Whatever came: no address and no subject is logged.
  expect(logged.join('')).not.toMatch(/example\.com|Contract/);
});

it('a bounce and a complaint are read with what leads back to the mail', () => {
  const read = {
    requestId: REQUEST,
    signerId: SIGNER,
    id: 'm-1',
    kind: 'reminder',
    sentAt: '2026-11-21T12:00:00.000Z',
  };
  expect(readReturnedMail(inEnvelope(event()))).toEqual({ ...read, outcome: 'bounced' });
  for (const feedback of ['abuse', null])
    expect(readReturnedMail(inEnvelope(complaint(feedback)))).toEqual({ ...read, outcome: 'complained' });
});

it.each([
  ['a bounce that may pass', event({ bounce: { bounceType: 'Transient' } })],
  ['a bounce that SES cannot tell', event({ bounce: { bounceType: 'Undetermined' } })],
  ['the word that a mail is no spam', complaint('not-spam')],
  ['a mail to the sender', event({}, { request: [REQUEST] })],
])('%s has no effect, and is logged by its ids', (_what, message) => {
  expect(readReturnedMail(inEnvelope(message))).toBeUndefined();
  expect(logged).toHaveLength(1);
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({ signature_request_id: REQUEST, mail_id: 'm-1' });
});

it.each([
  ['the sentence by which SES tries a destination', inEnvelope('Successfully validated SNS topic.')],
  ['an event of another kind', inEnvelope(event({ eventType: 'Delivery' }))],
  ['a mail without our tags', inEnvelope(event({}, { campaign: ['spring'] }))],
  ['tags that are no ids', inEnvelope(event({}, { ...TAGS, request: ['R#META'] }))],
  ['a kind that we do not send', inEnvelope(event({}, { ...TAGS, kind: ['newsletter'] }))],
  ['two values of a tag', inEnvelope(event({}, { ...TAGS, signer: [SIGNER, SIGNER] }))],
  ['an envelope without a message', {}],
  ['a text', 'text'],
  ['null', null],
])('a message that leads back to no mail is dropped with a line in the log: %s', (_what, message) => {
  expect(readReturnedMail(message)).toBeUndefined();
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('Message dropped');
});

it('tags hold ids and the kind alone, as SES allows them', () => {
  const tags = tagsOf({ requestId: REQUEST, signerId: SIGNER, kind: 'invitation' });
  expect(tags).toEqual([
    { Name: 'request', Value: REQUEST },
    { Name: 'signer', Value: SIGNER },
    { Name: 'kind', Value: 'invitation' },
  ]);
  for (const { Value } of tags) expect(Value).toMatch(/^[\w-]{1,256}$/);
  expect(tagsOf({ requestId: REQUEST })).toEqual([{ Name: 'request', Value: REQUEST }]);
});
