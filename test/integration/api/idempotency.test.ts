/** @behaviour dynamodb.conditions s3.conditional-puts */

import { randomUUID } from 'node:crypto';
import { DAY, SECOND } from '../../../shared/runtime/time.ts';
import { makePdf } from '../../support/pdf.ts';
import type { Receiver } from '../../support/receiver.ts';
import { type Answer, type ApiClient, Service } from '../../support/service.ts';
import { deathsAt } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let pdf: string;

const PATH = '/api/v1/signatures';
const names = ['one', 'two', 'three'];
const body = (title = 'Once') => {
  const marker = randomUUID().slice(0, 8);
  return {
    title,
    signers: names.map((name) => ({ email: `${name}-${marker}@example.com`, name })),
    document: { content_base64: pdf },
  };
};
const create = (input: unknown, key: string) => client.post(PATH, input, { 'idempotency-key': key });
const mailsTo = (input: ReturnType<typeof body>) =>
  input.signers.map(({ email }) => service.mails(email).length);

beforeAll(async () => {
  pdf = (await makePdf()).toString('base64');
  service = await Service.startCold();
  client = await service.client();
});
afterAll(() => service?.stop());

const total = async () => {
  const { body: page } = await client.get(`${PATH}?limit=100`);
  return page.data.length;
};

describe('idempotency keys', () => {
  it('a repeated key with the same body replays the first response, marked as a replay', async () => {
    const [input, key] = [body(), randomUUID()];
    const first = await create(input, key);
    const again = await create(input, key);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect(mailsTo(input)).toEqual([1, 1, 1]);
  });

  it('a replay returns the original response even if the request has changed since', async () => {
    const [input, key] = [body(), randomUUID()];
    const first = await create(input, key);
    const [signer] = first.body.signers;
    await client.post(`${PATH}/${first.body.id}/signers/${signer.id}/resend`, { locale: 'de' });
    await client.call('PATCH', `${PATH}/${first.body.id}/signers/${signer.id}`, {
      email: 'new@example.com',
      name: 'New',
    });
    await client.post(`${PATH}/${first.body.id}/cancel`);
    expect((await create(input, key)).bytes.equals(first.bytes)).toBe(true);
  });

  it('a repeated key with another body is refused, and so is a key of 256 characters', async () => {
    const key = randomUUID();
    await create(body(), key);
    expect(await create(body('Other'), key)).toMatchObject({
      status: 409,
      body: { error: 'idempotency_key_conflict', field: '/idempotency-key' },
    });
    expect((await create(body(), 'x'.repeat(256))).body.error).toBe('invalid_idempotency_key');
    expect((await create(body(), 'x'.repeat(255))).status).toBe(200);
  });

  it('two owners can use the same key', async () => {
    const [input, key] = [body(), randomUUID()];
    const first = await create(input, key);
    const stranger = await service.client();
    const theirs = await stranger.post(PATH, input, { 'idempotency-key': key });
    expect(theirs.status).toBe(200);
    expect(theirs.body.id).not.toBe(first.body.id);
  });

  it('an error is not replayed, so its key can be reused with a corrected body', async () => {
    const key = randomUUID();
    const wrong = { ...body(), document: { content_base64: Buffer.from('no pdf').toString('base64') } };
    expect((await create(wrong, key)).body.error).toBe('not_a_pdf');
    expect((await create(body(), key)).status).toBe(200);
  });

  it('a key expires after 24 hours', async () => {
    const [input, key] = [body(), randomUUID()];
    const first = await create(input, key);
    service.advance(DAY - 60 * SECOND);
    expect((await create(input, key)).body.id).toBe(first.body.id);
    service.advance(61 * SECOND);
    const later = await create(input, key);
    expect(later.status).toBe(200);
    expect(later.body.id).not.toBe(first.body.id);
  });

  it('20 concurrent creates with one key make one request; the others get it or are asked to wait', async () => {
    const [input, key, before] = [body(), randomUUID(), await total()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(input, key)));
    const created = answers.filter(({ status }) => status === 200);
    const busy = answers.filter(({ status }) => status === 409);
    expect(created.length).toBeGreaterThan(0);
    expect(new Set(created.map(({ body: answer }) => answer.id)).size).toBe(1);
    expect(created.length + busy.length).toBe(20);
    const madeIt = created.filter(({ headers }) => headers.get('idempotent-replayed') !== 'true');
    expect(madeIt).toHaveLength(1);
    for (const answer of busy) {
      expect(answer.body.error).toBe('idempotency_in_progress');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await total()).toBe(before + 1);
    expect(mailsTo(input)).toEqual([1, 1, 1]);
  });
});

describe('interrupted creates', () => {
  /**
   * Repeats a create that died until it succeeds, as a client would. The clock moves once: a further move would end the lease of
   * a mail that the sweep, or the call, is sending.
   */
  const createDespite = async (input: unknown, key: string): Promise<Answer<{ id: string }>> => {
    const tried = async () => {
      const answer = await create(input, key);
      if (answer.status === 200) return answer;
      expect([409, 500, 502, 504]).toContain(answer.status);
      return undefined;
    };
    const first = await tried();
    if (first) return first;
    service.advance(61 * SECOND);
    return until(tried, 'the create');
  };

  /** The sweep sends what the crash left. */
  const firstEvents = async (receiver: Receiver, id: string): Promise<string[]> =>
    until(async () => {
      const types = receiver.eventsOf(id).map(({ type }) => type);
      if (types.length >= 2) return types.sort();
      service.advance(61 * SECOND);
      await service.runSchedule('sweep');
      return undefined;
    }, `created and sent of ${id}`);

  it('a create killed at any call and retried makes one request, mails every signer and sends each event once', async () => {
    const receiver = await service.receiver(client);
    const calls = await service.callsOf('create-signature', () => create(body(), randomUUID()));
    expect(calls.length).toBeGreaterThan(8);
    for (const death of deathsAt(calls)) {
      const [input, key, before] = [body(), randomUUID(), await total()];
      service.fault({ ...death, function: 'create-signature' });
      const { body: answer } = await createDespite(input, key);
      expect({ ...death, total: await total() }).toEqual({ ...death, total: before + 1 });
      // The sweep that the clock's move starts may be mailing what the crash left; the retry leaves that to it.
      await until(() => Math.min(...mailsTo(input)) >= 1, 'a mail to each signer');
      expect(Math.max(...mailsTo(input))).toBeLessThanOrEqual(2);
      expect(await firstEvents(receiver, answer.id)).toEqual([
        'signature_request.created',
        'signature_request.sent',
      ]);
      service.cloud.services.clearFaults();
    }
  }, 240_000);

  it('a create killed while five mails are under way mails no more than those once more', async () => {
    const receiver = await service.receiver(client);
    const marker = randomUUID().slice(0, 8);
    const signers = Array.from({ length: 9 }, (_, place) => ({
      email: `nine-${place}-${marker}@example.com`,
    }));
    const [input, key] = [{ ...body(), signers }, randomUUID()];
    const mails = () => signers.map(({ email }) => service.mails(email).length);
    const fault = { service: 'ses', operation: 'SendEmail', function: 'create-signature' };
    // SES takes the first mails, and its answers come after the function has died.
    for (let nth = 1; nth <= 4; nth += 1) service.fault({ ...fault, after: nth, effect: 'delay', ms: 1_000 });
    service.fault({ ...fault, after: 5, effect: 'kill-after' });
    expect((await create(input, key)).status).not.toBe(200);
    await until(() => mails().filter(Boolean).length === 5, 'the mails under way');

    // Once: a further move of the clock would end the lease of a mail that the sweep, or the call, is sending.
    service.advance(61 * SECOND);
    const { body: answer } = await until(async () => {
      const tried = await create(input, key);
      return tried.status === 200 && tried;
    }, 'the create');
    await until(() => Math.min(...mails()) >= 1, 'a mail to each signer');
    expect(mails()).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1]);
    expect((await create(input, key)).body.id).toBe(answer.id);
    expect(await firstEvents(receiver, answer.id)).toHaveLength(2);
    expect(mails()).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1]);
  });
});
