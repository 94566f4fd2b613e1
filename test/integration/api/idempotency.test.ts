import { randomUUID } from 'node:crypto';
import { DAY, SECOND } from '../../../shared/runtime/time.ts';
import { makePdf } from '../../support/pdf.ts';
import { type Answer, type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let pdf: string;

const path = '/api/v1/signatures';
const names = ['one', 'two', 'three'];
const body = (title = 'Once') => {
  const marker = randomUUID().slice(0, 8);
  return {
    title,
    signers: names.map((name) => ({ email: `${name}-${marker}@example.com`, name })),
    document: { content_base64: pdf },
  };
};
const create = (what: unknown, key: string) => client.post(path, what, { 'idempotency-key': key });
const mailsTo = (what: ReturnType<typeof body>) =>
  what.signers.map(({ email }) => service.mails(email).length);

beforeAll(async () => {
  pdf = (await makePdf()).toString('base64');
  service = await Service.start();
  client = await service.client();
}, 60_000);
afterAll(() => service?.stop());

const total = async () => {
  const { body: page } = await client.get(`${path}?limit=100`);
  return page.data.length;
};

describe('creating with an idempotency key', () => {
  it('replays the first answer for the same body, and says so', async () => {
    const [what, key] = [body(), randomUUID()];
    const first = await create(what, key);
    const again = await create(what, key);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect(mailsTo(what)).toEqual([1, 1, 1]);
  });

  it('replays the answer as it was then, whatever has changed since', async () => {
    const [what, key] = [body(), randomUUID()];
    const first = await create(what, key);
    const [signer] = first.body.signers;
    await client.post(`${path}/${first.body.id}/signers/${signer.id}/resend`, { locale: 'de' });
    await client.post(`${path}/${first.body.id}/cancel`);
    expect((await create(what, key)).bytes.equals(first.bytes)).toBe(true);
  });

  it('refuses another body under the same key, and an empty or endless key', async () => {
    const key = randomUUID();
    await create(body(), key);
    expect(await create(body('Other'), key)).toMatchObject({
      status: 409,
      body: { error: 'idempotency_key_conflict' },
    });
    expect((await create(body(), 'x'.repeat(256))).body.error).toBe('invalid_idempotency_key');
    expect((await create(body(), 'x'.repeat(255))).status).toBe(200);
  });

  it('keeps the keys of owners, and of live and test mode, apart', async () => {
    const [what, key] = [body(), randomUUID()];
    const first = await create(what, key);
    const stranger = await service.client();
    const theirs = await stranger.post(path, what, { 'idempotency-key': key });
    expect(theirs.status).toBe(200);
    expect(theirs.body.id).not.toBe(first.body.id);
  });

  it('does not replay an error: the key is free for a corrected body', async () => {
    const key = randomUUID();
    const wrong = { ...body(), document: { content_base64: Buffer.from('no pdf').toString('base64') } };
    expect((await create(wrong, key)).body.error).toBe('not_a_pdf');
    expect((await create(body(), key)).status).toBe(200);
  });

  it('forgets a key after 24 hours by the clock', async () => {
    const [what, key] = [body(), randomUUID()];
    const first = await create(what, key);
    service.advance(DAY - 60 * SECOND);
    expect((await create(what, key)).body.id).toBe(first.body.id);
    service.advance(61 * SECOND);
    const later = await create(what, key);
    expect(later.status).toBe(200);
    expect(later.body.id).not.toBe(first.body.id);
  });

  it('makes one request of 20 creates at once, and answers the others with it or asks them to wait', async () => {
    const [what, key, before] = [body(), randomUUID(), await total()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(what, key)));
    const made = answers.filter(({ status }) => status === 200);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body: answer }) => answer.id)).size).toBe(1);
    expect(made.length + waiting.length).toBe(20);
    for (const answer of waiting) {
      expect(answer.body.error).toBe('idempotency_in_progress');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await total()).toBe(before + 1);
    expect(mailsTo(what)).toEqual([1, 1, 1]);
  }, 60_000);
});

describe('a create that dies', () => {
  /** Creates until it is done, as a client would: a time-out or a busy answer is tried again later. */
  const persist = async (what: unknown, key: string): Promise<Answer<{ id: string }>> => {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const answer = await create(what, key);
      if (answer.status === 200) return answer;
      expect([409, 500, 502, 504]).toContain(answer.status);
      service.advance(61 * SECOND);
    }
    throw new Error('The create was never done.');
  };

  it('is one request with every signer mailed and each event once, wherever it was killed', async () => {
    const receiver = await service.receiver(client);
    const calls = await service.callsOf('create-signature', () => create(body(), randomUUID()));
    expect(calls.length).toBeGreaterThan(8);
    for (const effect of ['kill', 'kill-after'] as const) {
      const seen = new Map<string, number>();
      for (const { service: name, operation } of calls) {
        const nth = (seen.get(`${name}.${operation}`) ?? 0) + 1;
        seen.set(`${name}.${operation}`, nth);
        const [what, key, before] = [body(), randomUUID(), await total()];
        service.fault({ service: name, operation, function: 'create-signature', after: nth, effect });
        const { body: answer } = await persist(what, key);
        expect([name, operation, nth, effect, await total()]).toEqual([
          name,
          operation,
          nth,
          effect,
          before + 1,
        ]);
        const mails = mailsTo(what);
        expect(Math.min(...mails)).toBe(1);
        expect(mails.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(4);
        const events = await until(async () => {
          const types = receiver.eventsOf(answer.id).map(({ type }) => type);
          if (types.length < 2) {
            service.advance(61 * SECOND);
            await service.runSchedule('sweep');
          }
          return types.length >= 2 && types;
        }, `created and sent of ${answer.id}`);
        expect([...events].sort()).toEqual(['signature_request.created', 'signature_request.sent']);
        service.cloud.services.clearFaults();
      }
    }
  }, 240_000);
});
