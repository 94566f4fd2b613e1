/** @behaviour dynamodb.conditions */

import { DAY, SECOND } from '../../../shared/runtime/time.ts';
import { makePdf } from '../../support/pdf.ts';
import { ApiClient, Service } from '../../support/service.ts';
import { first } from '../../support/signing-stage.ts';

let service: Service;
let pdf: string;
let people = 0;

const PATH = '/api/v1/signatures';
const now = () => service.cloud.clock.now();
/** Lets no midnight fall into a test, which takes far less than a day. */
const nextMorning = () => service.advance(DAY - (now() % DAY) + SECOND);
const secondsToMidnight = () => (DAY - (now() % DAY)) / SECOND;
const strangers = (count: number) =>
  Array.from({ length: count }, () => {
    people += 1;
    return { email: `stranger${people}@example.com` };
  });
/** Without reminders, which would go to every signer as the days pass. */
const request = (signers: { email: string }[]) => ({
  title: 'Free trial',
  signers,
  reminders: false,
  document: { content_base64: pdf },
});
const freeKey = () => service.client({ subscription: 'none', test: true });
const send = (client: ApiClient, signers: { email: string }[], headers?: Record<string, string>) =>
  client.post(PATH, request(signers), headers);
const mailed = (signers: { email: string }[]) =>
  signers.reduce((sum, { email }) => sum + service.mails(email).length, 0);

beforeAll(async () => {
  pdf = (await makePdf()).toString('base64');
  service = await Service.start();
});
afterAll(() => service?.stop());
beforeEach(nextMorning);

describe('test keys of an owner without a subscription', () => {
  it('twenty different addresses are mailed a day; one more is refused until midnight and leaves nothing', async () => {
    const client = await freeKey();
    const twenty = strangers(20);
    const { body: created } = await send(client, twenty);
    const another = strangers(1);
    const refused = await send(client, another, { 'idempotency-key': 'another' });
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(Math.abs(wait - secondsToMidnight())).toBeLessThan(20);
    expect(mailed(another)).toBe(0);
    expect((await client.get(PATH)).body.data.map(({ id }: { id: string }) => id)).toEqual([created.id]);

    // Addresses of the same day count once, also in a new request and a resend.
    expect((await send(client, twenty.slice(0, 2))).status).toBe(200);
    const resend = `${PATH}/${created.id}/signers/${created.signers[0].id}/resend`;
    expect((await client.post(resend)).status).toBe(200);

    service.advance(wait * SECOND);
    const later = await send(client, another, { 'idempotency-key': 'another' });
    expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(mailed(another)).toBe(1);
  });

  it('calls at once never mail more than twenty addresses, and a replay takes no place again', async () => {
    const client = await freeKey();
    const groups = Array.from({ length: 8 }, () => strangers(4));
    const answers = await Promise.all(
      groups.map((signers, n) => send(client, signers, { 'idempotency-key': String(n) })),
    );
    const statuses = answers.map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect(groups.map(mailed)).toEqual(statuses.map((status) => (status === 200 ? 4 : 0)));
    const replays = await Promise.all(
      groups.map((signers, n) => send(client, signers, { 'idempotency-key': String(n) })),
    );
    expect(replays.map(({ status }) => status)).toEqual(statuses);
    expect(groups.map(mailed)).toEqual(statuses.map((status) => (status === 200 ? 4 : 0)));
  });

  it('resends and codes asked for count too, and a refused resend leaves the earlier code valid', async () => {
    const client = await freeKey();
    service.advance(DAY - 60 * SECOND);
    const { body } = await send(client, strangers(2));
    const [one, two] = body.signers;
    const code = service.code(one.email);
    // The next day begins within the ten minutes of that code.
    service.advance(90 * SECOND);
    expect((await send(client, strangers(19))).status).toBe(200);
    expect((await service.signer(two.access_token).sendCode()).status).toBe(200);
    const signer = service.signer(one.access_token);
    for (const refused of [
      await client.post(`${PATH}/${body.id}/signers/${one.id}/resend`),
      await signer.sendCode(),
    ])
      expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests']);
    expect((await signer.verify(code)).status).toBe(200);
  });

  it('a reminder beyond the limit is skipped', async () => {
    const client = await freeKey();
    const early = strangers(1);
    await client.post(PATH, { ...request(early), reminders: true });
    service.advance(3 * DAY - 60 * SECOND);
    await service.runSchedule('remind');
    service.advance(90 * SECOND);
    expect((await send(client, strangers(20))).status).toBe(200);
    await service.runSchedule('remind');
    expect(mailed(early)).toBe(1);
  });

  it('a key with a subscription, and a key in live mode, have no such limit', async () => {
    const [subscribed, live] = [await service.client({ test: true }), await service.client()];
    for (const client of [subscribed, live])
      for (const signers of [strangers(20), strangers(1)])
        expect((await send(client, signers)).status).toBe(200);
  });

  it('all keys of an owner share the limit, which no other owner touches', async () => {
    const client = await freeKey();
    const { api_key: key } = await service.admin('key', 'create', '--org', client.ownerId, '--test');
    expect((await send(client, strangers(20))).status).toBe(200);
    expect((await send(new ApiClient(service.baseUrl, key), strangers(1))).status).toBe(429);
    expect((await send(await freeKey(), strangers(1))).status).toBe(200);
  });
});

it('a test key mails in the name of its own owner alone, whatever the body and the headers say', async () => {
  const { organization_id: bank } = await service.admin('org', 'create', '--name', 'A Bank');
  const { user_id: userId } = await service.admin('user', 'create', '--email', 'me@example.com');
  const { api_key: key } = await service.admin('key', 'create', '--user', userId, '--test');
  const me = new ApiClient(service.baseUrl, key);
  const signers = strangers(1);
  const claims = { organization_id: bank, owner_id: bank, owner_type: 'organization', sender_name: 'A Bank' };
  const { status, body } = await me.post(
    PATH,
    { ...request(signers), ...claims, owner: claims, sender: claims },
    { 'x-owner': bank, 'x-organization-id': bank },
  );
  expect(status).toBe(200);
  const { body: read } = await me.get(`${PATH}/${body.id}`);
  expect([read.owner_type, read.user_id, read.organization_id]).toEqual(['user', userId, undefined]);
  const mail = first(service.mails(first(signers).email));
  expect(JSON.stringify(mail)).not.toContain('A Bank');
  expect(mail.from).toContain('me@example.com');
});
