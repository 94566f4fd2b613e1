import { createHmac } from 'node:crypto';
import { webhooks } from '../../../client/src/index.ts';

const SECRET = 'whsec_c2VjcmV0';
const NOW = new Date('2026-11-21T10:00:00Z');
const TIME = NOW.getTime() / 1_000;
const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'signer.signed',
  created_at: NOW.toISOString(),
  data: { signer_name: 'Ännä 😀' },
});

const digest = (body = BODY, secret = SECRET, time = TIME) =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
const headers = (value: string) => ({ 'X-Service-Signature': value });
const genuine = headers(`t=${TIME},v1=${digest()}`);
const verify = (
  given: Parameters<typeof webhooks.verify>[1],
  body: Parameters<typeof webhooks.verify>[0] = BODY,
) => webhooks.verify(body, given, SECRET, { now: NOW });

describe('verifying a webhook', () => {
  it('gives the event, whose type tells its data', async () => {
    const event = await verify(genuine);
    expect(event.id).toBe('evt_1');
    expect(event.type === 'signer.signed' && event.data.signer_name).toBe('Ännä 😀');
  });

  it.each([
    ['bytes', new TextEncoder().encode(BODY)],
    ['a buffer of Node', Buffer.from(BODY)],
    ['an ArrayBuffer', new TextEncoder().encode(BODY).buffer],
  ])('takes the body as %s', async (_, body) => {
    expect(await verify(genuine, body)).toMatchObject({ id: 'evt_1' });
  });

  it.each([
    ['Headers', new Headers(genuine)],
    ['the Headers of another library', { get: (name: string) => new Headers(genuine).get(name) }],
    ['what Node gives', { 'x-service-signature': genuine['X-Service-Signature'] }],
    [
      'lists, as API Gateway’s multiValueHeaders',
      { 'X-Service-Signature': [genuine['X-Service-Signature']] },
    ],
    [
      'the call of Express, whose method get reads them',
      { get: (name: string) => new Headers(genuine).get(name) },
    ],
  ])('takes the headers as %s', async (_, given) => {
    expect(await verify(given)).toMatchObject({ id: 'evt_1' });
  });

  it('takes one of several signatures while the secret is being rotated', async () => {
    const other = digest(BODY, 'whsec_other');
    for (const value of [
      `v1=${other},v1=${digest()}`,
      `v1=${digest()},v1=${other}`,
      `v0=${other}, v1=${digest()}`,
    ])
      expect(await verify(headers(`t=${TIME},${value}`))).toMatchObject({ id: 'evt_1' });
  });

  it('takes either secret while one is replaced, and none that is empty', async () => {
    const either = (...secrets: string[]) => webhooks.verify(BODY, genuine, secrets, { now: NOW });
    expect(await either('whsec_new', SECRET)).toMatchObject({ id: 'evt_1' });
    expect(await either(SECRET, '')).toMatchObject({ id: 'evt_1' });
    const ofNobody = headers(`t=${TIME},v1=${digest(BODY, '')}`);
    await expect(webhooks.verify(BODY, ofNobody, [SECRET, ''], { now: NOW })).rejects.toMatchObject({
      code: 'webhook_not_genuine',
    });
    await expect(either()).rejects.toMatchObject({ message: 'The secret is empty.' });
  });

  it.each([
    ['another body', genuine, `${BODY} `],
    ['another secret', headers(`t=${TIME},v1=${digest(BODY, 'whsec_other')}`), BODY],
    ['another time', headers(`t=${TIME + 1},v1=${digest()}`), BODY],
    ['an empty digest', headers(`t=${TIME},v1=`), BODY],
    ['a part of the digest', headers(`t=${TIME},v1=${digest().slice(0, 62)}`), BODY],
    ['a digest of another version', headers(`t=${TIME},v2=${digest()}`), BODY],
    ['no time', headers(`v1=${digest()}`), BODY],
    ['a time that is no number', headers(`t=now,v1=${digest()}`), BODY],
    ['no signature', {}, BODY],
    ['no headers', new Headers(), BODY],
  ])('refuses %s', async (_, given, body) => {
    await expect(verify(given, body)).rejects.toMatchObject({ code: 'webhook_not_genuine' });
  });

  it.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ])('of a signature %i seconds from now it says genuine: %p', async (seconds, isGenuine) => {
    const time = TIME + seconds;
    const verified = verify(headers(`t=${time},v1=${digest(BODY, SECRET, time)}`)).then(
      () => true,
      () => false,
    );
    expect(await verified).toBe(isGenuine);
  });

  it('refuses an empty secret', async () => {
    const given = headers(`t=${TIME},v1=${digest(BODY, '')}`);
    await expect(webhooks.verify(BODY, given, '', { now: NOW })).rejects.toMatchObject({
      code: 'webhook_not_genuine',
      message: expect.stringContaining('secret'),
    });
  });

  it.each([
    ['tolerance', { now: NOW, toleranceSeconds: Number.NaN }],
    ['clock', { now: new Date(Number.NaN) }],
  ])('refuses everything while its %s is no number', async (_, options) => {
    await expect(webhooks.verify(BODY, genuine, SECRET, options)).rejects.toMatchObject({
      code: 'webhook_not_genuine',
    });
  });

  it.each([
    ['was parsed already', JSON.parse(BODY)],
    ['was parsed already, to a list', [BODY]],
    ['a framework has read, and left nothing of', null],
    ['a framework has read, and left empty', ''],
    ['is the whole call', { body: BODY, headers: genuine }],
  ])('a body that %s is named as the cause', async (_, body) => {
    await expect(verify(genuine, body as string)).rejects.toMatchObject({
      code: 'webhook_not_genuine',
      message: expect.stringContaining('before any parsing'),
    });
  });

  it('takes a secret with the line break that a file or a variable may end with', async () => {
    expect(await webhooks.verify(BODY, genuine, `${SECRET}\n`, { now: NOW })).toMatchObject({ id: 'evt_1' });
    await expect(webhooks.verify(BODY, genuine, ' \n', { now: NOW })).rejects.toMatchObject({
      message: expect.stringContaining('secret is empty'),
    });
  });

  it('takes another tolerance', async () => {
    const now = new Date(NOW.getTime() + 3_600_000);
    expect(await webhooks.verify(BODY, genuine, SECRET, { now, toleranceSeconds: 3_600 })).toMatchObject({
      id: 'evt_1',
    });
  });
});
