import { SESClient, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-ses';
import { ACCOUNT, allow, type Cloud, failure, queue, REGION, startCloud } from './harness.ts';

let cloud: Cloud;
let client: SESClient;

const TOPIC = `arn:aws:sns:${REGION}:${ACCOUNT}:returned`;

beforeAll(async () => {
  cloud = await startCloud();
  const { services } = cloud;
  await services.createConfigurationSet({ name: 'set', destinations: [] });
  await services.createConfigurationSet({
    name: 'publishing',
    destinations: [{ topicArn: TOPIC, events: ['bounce', 'complaint'] }],
  });
  await services.createQueue(queue('returns'));
  await services.createSubscription({ arn: `${TOPIC}:1`, topicArn: TOPIC, queueName: 'returns' });
  client = new SESClient(cloud.operator);
});
afterAll(() => cloud.stop());

const mail = (more: Partial<SendEmailCommandInput> = {}) =>
  new SendEmailCommand({
    Source: 'Signatures <no-reply@sender.test>',
    Destination: { ToAddresses: ['anna@example.test'] },
    Message: {
      Subject: { Data: 'Grüße & more', Charset: 'UTF-8' },
      Body: { Text: { Data: 'text + plus' }, Html: { Data: '<p>ü</p>' } },
    },
    ...more,
  });
const to = (...ToAddresses: string[]) => mail({ Destination: { ToAddresses } });

it('a sent mail is in the inbox, with its sender and texts decoded, newest first', async () => {
  const { MessageId } = await client.send(
    mail({ ConfigurationSetName: 'set', Tags: [{ Name: 'kind', Value: 'invitation' }] }),
  );
  await client.send(to('second@example.test'));
  const [second, first] = cloud.services.inbox();
  expect(second?.to).toEqual(['second@example.test']);
  expect(first).toEqual({
    id: MessageId,
    from: 'Signatures <no-reply@sender.test>',
    to: ['anna@example.test'],
    subject: 'Grüße & more',
    text: 'text + plus',
    html: '<p>ü</p>',
    sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
});

it('a mail to a recipient named reject is rejected and not stored', async () => {
  const before = cloud.services.inbox().length;
  expect(await failure(client.send(to('reject@example.test')))).toMatchObject({
    name: 'MessageRejected',
    status: 400,
  });
  expect(cloud.services.inbox()).toHaveLength(before);
});

/** @behaviour ses.refused-fields */
it.each([
  ['no recipient', to()],
  ['a recipient that is not an address', to('nobody')],
  ['a reply address with a no-break space', mail({ ReplyToAddresses: ['office@example.test\u00a0'] })],
  ['more than 50 recipients', to(...Array.from({ length: 51 }, (_, n) => `a${n}@example.test`))],
  ['a line break in the sender', mail({ Source: 'a@sender.test\r\nBcc: eve@evil.test' })],
  ['a sender of more than 320 characters', mail({ Source: `${'A'.repeat(308)} <a@sender.test>` })],
  ['a sender name that is not ASCII', mail({ Source: 'Grüße <a@sender.test>' })],
  [
    'a line break in the subject',
    mail({ Message: { Subject: { Data: 'a\nb' }, Body: { Text: { Data: 'x' } } } }),
  ],
  ['a message tag with a space', mail({ Tags: [{ Name: 'kind', Value: 'an invitation' }] })],
])('a mail with %s is refused', async (_what, command) => {
  expect(await failure(client.send(command))).toMatchObject({ name: 'InvalidParameterValue', status: 400 });
});

/** @behaviour ses.access */
it('IAM statements apply by identity and sender', async () => {
  const identity = (name: string) => `arn:aws:ses:${REGION}:${ACCOUNT}:identity/${name}`;
  const denied = { name: 'AccessDenied', status: 403 };
  const byDomain = new SESClient(
    cloud.caller(
      'domain',
      allow('ses:SendEmail', identity('sender.test')),
      allow('ses:SendEmail', identity('anna@example.test')),
    ),
  );
  await byDomain.send(mail());
  expect(await failure(byDomain.send(mail({ Source: 'a@other.test' })))).toMatchObject(denied);
  expect(await failure(byDomain.send(mail({ ConfigurationSetName: 'set' })))).toMatchObject(denied);
  const bySender = new SESClient(
    cloud.caller('sender', {
      ...allow('ses:SendEmail'),
      Condition: { StringEqualsIgnoreCase: { 'ses:FromAddress': 'No-Reply@sender.test' } },
    }),
  );
  await bySender.send(mail());
  expect(await failure(bySender.send(mail({ Source: 'boss@sender.test' })))).toMatchObject(denied);
});

/** @behaviour ses.sandbox */
it('the recipient’s identity must be allowed too, as in the sandbox', async () => {
  const senderOnly = new SESClient(
    cloud.caller(
      'sender-only',
      allow('ses:SendEmail', `arn:aws:ses:${REGION}:${ACCOUNT}:identity/sender.test`),
    ),
  );
  expect(await failure(senderOnly.send(mail()))).toMatchObject({
    name: 'AccessDenied',
    message: expect.stringContaining('identity/anna@example.test'),
  });
});

/** @behaviour ses.configuration-sets */
it('a mail in a configuration set that does not exist is refused', async () => {
  expect(await failure(client.send(mail({ ConfigurationSetName: 'none' })))).toMatchObject({
    name: 'ConfigurationSetDoesNotExistException',
    status: 400,
  });
});

/** The envelopes that the queue got about a mail. */
async function envelopesOf(id: string) {
  const received = await cloud.services.receive('returns', 10, 0, new AbortController().signal);
  return received.map(({ body }) => JSON.parse(body)).filter(({ Message }) => Message.includes(id));
}

/** @behaviour ses.events */
it.each([
  [
    'bounce@simulator.amazonses.com',
    'Bounce',
    { bounce: { bounceType: 'Permanent', bounceSubType: 'General' } },
  ],
  ['complaint@simulator.amazonses.com', 'Complaint', { complaint: { complaintFeedbackType: 'abuse' } }],
  ['bounce+label@simulator.amazonses.com', 'Bounce', {}],
])('a mail to %s is published as the event %s with its tags', async (address, eventType, part) => {
  const { MessageId = '' } = await client.send(
    mail({
      Destination: { ToAddresses: [address] },
      ConfigurationSetName: 'publishing',
      Tags: [{ Name: 'kind', Value: 'invitation' }],
    }),
  );
  const [envelope] = await envelopesOf(MessageId);
  expect(JSON.parse(envelope?.Message)).toMatchObject({
    eventType,
    ...part,
    mail: {
      timestamp: expect.stringMatching(/Z$/),
      source: 'Signatures <no-reply@sender.test>',
      destination: [address],
      tags: { kind: ['invitation'], 'ses:configuration-set': ['publishing'] },
    },
  });
});

/** @behaviour sns.queues */
it('a queue gets a published event in the envelope of SNS', async () => {
  const { MessageId = '' } = await client.send(mail({ ConfigurationSetName: 'publishing' }));
  expect(cloud.services.returnMail(MessageId, 'bounce')).toBe(1);
  const [envelope] = await envelopesOf(MessageId);
  expect(envelope).toEqual({
    Type: 'Notification',
    MessageId: expect.any(String),
    TopicArn: TOPIC,
    Subject: 'Amazon SES Email Event Notification',
    Message: expect.stringContaining('"eventType":"Bounce"'),
    Timestamp: expect.stringMatching(/Z$/),
    SignatureVersion: '1',
    Signature: expect.any(String),
    SigningCertURL: expect.any(String),
    UnsubscribeURL: expect.any(String),
  });
});

it('nothing is published of a mail without a configuration set, or in one that publishes nothing', async () => {
  for (const more of [{}, { ConfigurationSetName: 'set' }]) {
    const { MessageId = '' } = await client.send(mail(more));
    expect(cloud.services.returnMail(MessageId, 'bounce')).toBe(0);
    expect(await envelopesOf(MessageId)).toEqual([]);
  }
  expect(cloud.services.returnMail('unknown', 'bounce')).toBeUndefined();
});
