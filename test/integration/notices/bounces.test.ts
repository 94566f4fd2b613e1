/** @behaviour ses.events sqs.visibility sns.queues */

import { randomUUID } from 'node:crypto';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import type { Fault } from '../../../local/ports.ts';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import { settingsOf } from '../../support/aws.ts';
import { NoticeStage } from '../../support/notice-stage.ts';
import { first, type Sent } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

/** Mails that come back, or are reported as spam, over the local SES, SNS and queue. */

const SENDER = 'office@example.com';
const REDELIVERY = 3 * MINUTE + 1_000;

let stage: NoticeStage;
beforeAll(async () => {
  stage = await NoticeStage.open();
  await stage.notify(SENDER);
}, 90_000);
afterAll(() => stage.close());

const mailTo = (email: string, words: RegExp) =>
  first(stage.service.mails(email).filter(({ subject }) => words.test(subject)));

/** Lets a mail come back by the control port. */
async function returns(email: string, type: 'bounce' | 'complaint', words = /asks you to sign/) {
  const response = await fetch(`${stage.service.cloud.controlUrl}/inbox/${mailTo(email, words).id}/bounce`, {
    method: 'POST',
    body: JSON.stringify({ type }),
  });
  expect(await response.json()).toEqual({ ok: true, published: 1 });
}

const mailsOf = async ({ id }: Sent): Promise<{ kind: string; outcome: string }[]> =>
  first((await stage.signing.get(id)).signers as { mails: { kind: string; outcome: string }[] }[]).mails;
const outcomes = async (request: Sent) =>
  (await mailsOf(request)).map(({ kind, outcome }) => `${kind} ${outcome}`);
const untilOutcome = (request: Sent, outcome: string) =>
  until(async () => (await outcomes(request)).includes(outcome), outcome, 40);

const told = (title: string) =>
  stage.service.mails(SENDER).filter(({ subject }) => subject.endsWith(`: “${title}”`));
const bounces = () => {
  const named = (name: string) =>
    stage.service.cloud.services.queues().find((queue) => queue.name.endsWith(name));
  const { visible = 0, in_flight = 0 } = named('-bounces') ?? {};
  return { waiting: visible + in_flight, dead: named('-bounces-dead-letters')?.visible ?? 0 };
};
const untilRead = () => until(() => bounces().waiting === 0, 'the queue of bounces to be empty', 40);

it('an invitation that bounces shows in the answer, in the trail and in a notice, and changes no status', async () => {
  const body = {
    title: 'To nobody',
    signers: [{ email: 'bounce@simulator.amazonses.com' }],
    document: { content_base64: stage.signing.pdf.toString('base64') },
  };
  const key = { 'idempotency-key': 'to-nobody' };
  const { body: sent } = await stage.signing.client.post<Sent>('/api/v1/signatures', body, key);
  await untilOutcome(sent, 'invitation bounced');
  expect(await mailsOf(sent)).toEqual([
    {
      kind: 'invitation',
      sent_at: expect.stringMatching(/Z$/),
      outcome: 'bounced',
      at: expect.stringMatching(/Z$/),
    },
  ]);
  await stage.untilOutboxIsEmpty();
  expect(told('To nobody').map(({ subject }) => subject)).toEqual(['E-mail returned: “To nobody”']);
  expect(await stage.signing.trail(sent.id, 'mail_bounced')).toMatchObject([
    { signer_id: first(sent.signers).id, details: { mail: 'invitation' } },
  ]);
  expect(await stage.signing.get(sent.id)).toMatchObject({ status: 'sent', signers: [{ status: 'sent' }] });
  const replayed = await stage.signing.client.post('/api/v1/signatures', body, key);
  expect(replayed.body).toEqual(sent);
  expect(await stage.service.admin('request', 'verify-audit', sent.id)).toMatchObject({ intact: true });
});

it('a complaint that SES tells of twice is recorded and told once', async () => {
  const sent = await stage.signing.send(1, { title: 'Unwanted' });
  const { email } = first(sent.signers);
  await returns(email, 'complaint');
  await returns(email, 'complaint');
  await untilOutcome(sent, 'invitation complained');
  await untilRead();
  await stage.untilOutboxIsEmpty();
  expect(told('Unwanted').map(({ subject }) => subject)).toEqual(['E-mail reported as spam: “Unwanted”']);
  expect(await stage.signing.trail(sent.id, 'mail_complained')).toHaveLength(1);
});

it('a bounce that arrives before the invitation was written down is not lost', async () => {
  stage.service.fault({
    service: 'dynamodb',
    // The first one stores the request.
    operation: 'TransactWriteItems',
    function: 'create-signature',
    after: 2,
    effect: 'delay',
    ms: 3_000,
  });
  const creating = stage.signing.send(1, {
    title: 'Early',
    signers: [{ email: 'bounce+early@simulator.amazonses.com' }],
  });
  await until(() => told('Early').length > 0, 'the notice', 40);
  const sent = await creating;
  expect(stage.service.cloud.services.faults()).toEqual([]);
  expect(await outcomes(sent)).toEqual(['invitation bounced']);
  stage.service.advance(3 * DAY);
  await stage.service.runSchedule('remind');
  expect(await outcomes(sent)).toEqual(['invitation bounced']);
});

it('reminders stop with a bounce, and a resend starts them anew', async () => {
  const sent = await stage.signing.send(1, { title: 'Moved' });
  const { id, email } = first(sent.signers);
  await returns(email, 'bounce');
  await untilOutcome(sent, 'invitation bounced');
  // A notice that is under way while the clock jumps is sent by the sweep too.
  await stage.untilOutboxIsEmpty();
  stage.service.advance(3 * DAY);
  await stage.service.runSchedule('remind');
  expect(await stage.signing.trail(sent.id, 'reminder_sent')).toEqual([]);

  expect((await stage.signing.resend(sent.id, id)).body.email_sent).toBe(true);
  stage.service.advance(3 * DAY);
  await stage.service.runSchedule('remind');
  await untilOutcome(sent, 'reminder sent');
  expect(await outcomes(sent)).toEqual(['invitation bounced', 'resend sent', 'reminder sent']);
  await returns(email, 'bounce', /^Reminder/);
  await untilOutcome(sent, 'reminder bounced');
  await stage.untilOutboxIsEmpty();
  // Once for each time that the sender sent the invitation.
  expect(told('Moved')).toHaveLength(2);
  stage.service.advance(5 * DAY);
  await stage.service.runSchedule('remind');
  expect(await stage.signing.trail(sent.id, 'reminder_sent')).toHaveLength(1);
});

it('a mail that SES refuses is in the record too', async () => {
  const sent = await stage.signing.send(1, { signers: [{ email: 'reject@example.com' }] });
  expect((await stage.signing.resend(sent.id, first(sent.signers).id)).body.email_sent).toBe(false);
  expect(await outcomes(sent)).toEqual(['invitation failed', 'resend failed']);
});

it('bounces of unknown requests, and of mails that are not ours, are dropped', async () => {
  const ses = new SESClient(settingsOf(stage.service));
  const ours = { request: randomUUID(), signer: randomUUID(), kind: 'invitation' };
  const foreign: Record<string, string>[] = [
    {},
    ours,
    { ...ours, kind: 'newsletter' },
    { ...ours, request: 'x' },
  ];
  for (const tags of foreign)
    await ses.send(
      new SendEmailCommand({
        Source: 'somebody@example.com',
        Destination: { ToAddresses: ['bounce@simulator.amazonses.com'] },
        Message: { Subject: { Data: 'Foreign' }, Body: { Text: { Data: 'text' } } },
        ConfigurationSetName: 'signature-requests',
        Tags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
      }),
    );
  ses.destroy();
  await untilRead();
  expect(bounces()).toEqual({ waiting: 0, dead: 0 });
});

const POINTS: [service: string, operation: string, effect: Fault['effect']][] = (
  ['kill', 'kill-after'] as const
).flatMap((effect) => [
  ['dynamodb', 'Query', effect],
  ['dynamodb', 'TransactWriteItems', effect],
  ['sqs', 'SendMessageBatch', effect],
]);

it.each(POINTS)(
  'a bounce whose function is interrupted at %s %s (%s) is recorded and told once',
  async (service, operation, effect) => {
    const title = `${operation} ${effect}`;
    const sent = await stage.signing.send(1, { title });
    await stage.untilOutboxIsEmpty();
    stage.service.fault({ service, operation, function: 'record-bounce', after: 1, effect });
    await returns(first(sent.signers).email, 'bounce');
    await until(() => stage.service.cloud.services.faults().length === 0, 'the fault');
    stage.service.advance(REDELIVERY);
    await untilRead();
    await untilOutcome(sent, 'invitation bounced');
    await stage.sweepUntilOutboxIsEmpty();
    expect(await stage.signing.trail(sent.id, 'mail_bounced')).toHaveLength(1);
    expect(told(title).map(({ subject }) => subject)).toEqual([`E-mail returned: “${title}”`]);
    expect(bounces().dead).toBe(0);
  },
);
