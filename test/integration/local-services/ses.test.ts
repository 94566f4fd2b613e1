import {
  GetSendQuotaCommand,
  SESClient,
  SendEmailCommand,
  type SendEmailCommandInput,
  SendRawEmailCommand,
} from '@aws-sdk/client-ses';
import { account, allow, type Cloud, failure, region, startCloud } from './harness.ts';

let cloud: Cloud;
let client: SESClient;

beforeAll(async () => {
  cloud = await startCloud();
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

it('A mail lands in the inbox as people see it, the newest first', async () => {
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

it('A raw mail is taken apart', async () => {
  const Data = Buffer.from(
    [
      'From: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?= <no-reply@sender.test>',
      'To: Anna <anna@example.test>',
      'Cc: carl@example.test',
      'Subject: =?UTF-8?B?w7xiZXI=?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'plain =C3=BC',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>html</p>',
      '--b--',
    ].join('\r\n'),
  );
  await client.send(new SendRawEmailCommand({ RawMessage: { Data } }));
  expect(cloud.services.inbox()[0]).toMatchObject({
    from: 'Grüße <no-reply@sender.test>',
    to: ['anna@example.test', 'carl@example.test'],
    subject: 'über',
    text: expect.stringContaining('plain ü'),
    html: expect.stringContaining('<p>html</p>'),
  });
});

it('A recipient called reject is rejected, and nothing is stored', async () => {
  const before = cloud.services.inbox().length;
  expect(await failure(client.send(to('reject@example.test')))).toMatchObject({
    name: 'MessageRejected',
    status: 400,
  });
  expect(cloud.services.inbox()).toHaveLength(before);
});

it.each([
  ['no recipient', to()],
  ['a recipient that is no address', to('nobody')],
  ['more than 50 recipients', to(...Array.from({ length: 51 }, (_, n) => `a${n}@example.test`))],
  ['a line break in the sender', mail({ Source: 'a@sender.test\r\nBcc: eve@evil.test' })],
  ['a name that is not ASCII', mail({ Source: 'Grüße <a@sender.test>' })],
  [
    'a line break in the subject',
    mail({ Message: { Subject: { Data: 'a\nb' }, Body: { Text: { Data: 'x' } } } }),
  ],
])('A mail with %s is refused', async (_what, command) => {
  expect(await failure(client.send(command))).toMatchObject({ name: 'InvalidParameterValue', status: 400 });
});

it('The quota counts the last day', async () => {
  const { SentLast24Hours } = await client.send(new GetSendQuotaCommand({}));
  expect(SentLast24Hours).toBe(cloud.services.inbox().length);
});

it('IAM decides by identity, sender and recipients', async () => {
  const identity = (name: string) => `arn:aws:ses:${region}:${account}:identity/${name}`;
  const denied = { name: 'AccessDenied', status: 403 };
  const byDomain = new SESClient(cloud.caller('domain', allow('ses:SendEmail', identity('sender.test'))));
  await byDomain.send(mail());
  expect(await failure(byDomain.send(mail({ Source: 'a@other.test' })))).toMatchObject(denied);
  expect(await failure(byDomain.send(mail({ ConfigurationSetName: 'set' })))).toMatchObject(denied);
  const bySender = new SESClient(
    cloud.caller('sender', {
      ...allow('ses:SendEmail'),
      Condition: { StringEquals: { 'ses:FromAddress': 'no-reply@sender.test' } },
    }),
  );
  await bySender.send(mail());
  expect(await failure(bySender.send(mail({ Source: 'boss@sender.test' })))).toMatchObject(denied);
  const inside = new SESClient(
    cloud.caller('inside', {
      ...allow('ses:SendEmail'),
      Condition: { 'ForAllValues:StringLike': { 'ses:Recipients': '*@example.test' } },
    }),
  );
  await inside.send(mail());
  expect(await failure(inside.send(to('anna@example.test', 'eve@evil.test')))).toMatchObject(denied);
});
