/** @behaviour lambda.async-retries */

import type { Sent } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';
import { DAY, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 90_000);
afterAll(() => stage.close());

const expired = (id: string) =>
  stage.receiver.eventsOf(id).filter(({ type }) => type === 'signature_request.expired');

/** Creates a request in every active and every final state. */
async function createInEveryState() {
  const pending = await (async () => {
    stage.service.refuseMail('create-signature');
    return stage.send();
  })();
  const sent = await stage.send(2);
  const opened = await stage.send();
  await stage.service.signer(opened.signers[0]?.access_token ?? '').open();
  const partlySigned = await stage.send(2);
  await (await stage.verifiedLate(partlySigned)).sign();
  const cancelled = await stage.send();
  await stage.cancel(cancelled.id);
  const declined = await stage.send();
  await (await stage.verifiedLate(declined)).decline('No');
  const signed = await stage.signed();
  return { pending, sent, opened, partlySigned, cancelled, declined, signed };
}

describe('expiry after thirty days', () => {
  let all: Awaited<ReturnType<typeof createInEveryState>>;

  it('no request expires before its time', async () => {
    all = await createInEveryState();
    expect((await stage.get(all.pending.id)).status).toBe('pending');
    const { expires_at: end } = await stage.get(all.pending.id);
    stage.service.advance(Date.parse(end) - stage.service.cloud.clock.now() - 60_000);
    await stage.service.runSchedule('expire');
    expect(await stage.get(all.pending.id)).toMatchObject({ status: 'pending', is_expired: false });
  });

  it('an overdue request is shown as expired and refuses its links even before the job runs', async () => {
    stage.service.advance(5 * 60_000);
    const request = await stage.get(all.sent.id);
    expect(request).toMatchObject({ is_expired: true });
    const { body } = await stage.client.get('/api/v1/signatures');
    expect(body.data.find(({ id }: Sent) => id === all.opened.id)).toMatchObject({ is_expired: true });
    const link = await stage.service.signer(all.sent.signers[1]?.access_token ?? '').open();
    expect([link.status, link.body.error]).toEqual([410, 'link_expired']);
  });

  it('active requests expire once, even if the job runs repeatedly and concurrently', async () => {
    await Promise.all([1, 2, 3].map(() => stage.service.runSchedule('expire')));
    await stage.service.runSchedule('expire');
    for (const { id } of [all.pending, all.sent, all.opened, all.partlySigned]) {
      expect(await stage.get(id)).toMatchObject({ status: 'expired', is_expired: true });
      expect(await stage.countEvents(id, 'request_expired')).toBe(1);
      await until(() => expired(id).length === 1, 'the event');
      await stage.expectIntact(id);
    }
  });

  it('requests in a final state do not expire', async () => {
    for (const [request, status] of [
      [all.cancelled, 'cancelled'],
      [all.declined, 'declined'],
      [all.signed, 'signed'],
    ] as const) {
      expect(await stage.get(request.id)).toMatchObject({ status, is_expired: false });
      expect(expired(request.id)).toHaveLength(0);
    }
  });
});

describe('races with the expiry job', () => {
  it('a race of cancelling and expiry has one winner and one event', async () => {
    const requests = await Promise.all([1, 2, 3, 4, 5].map(() => stage.send()));
    stage.service.advance(30 * DAY);
    const [answers] = await Promise.all([
      Promise.all(requests.map(({ id }) => stage.cancel(id))),
      stage.service.runSchedule('expire'),
    ]);
    await stage.service.runSchedule('expire');
    for (const [index, { id }] of requests.entries()) {
      const { status } = await stage.get(id);
      expect(status).toBe(answers[index]?.status === 200 ? 'cancelled' : 'expired');
      await until(
        () =>
          stage.receiver
            .eventsOf(id)
            .filter(({ type }) => ['signature_request.expired', 'signature_request.cancelled'].includes(type))
            .length === 1,
        'one end',
      );
      await stage.expectIntact(id);
    }
  });

  it('a signature after the expiry time is refused, even before the job runs', async () => {
    const requests = await Promise.all([1, 2, 3].map(() => stage.send()));
    stage.service.advance(30 * DAY - 60_000);
    const signers = await Promise.all(requests.map((request) => stage.verifiedLate(request)));
    const views = await Promise.all(signers.map((signer) => signer.view()));
    expect(views.map(({ status }) => status)).toEqual([200, 200, 200]);
    stage.service.advance(120_000);
    const [answers] = await Promise.all([
      Promise.all(
        signers.map((signer, index) => {
          const { document, consent } = views[index]?.body ?? {};
          return signer.call('POST', '/sign', {
            document_sha256: document.sha256,
            consent_version: consent.version,
            consent_locale: consent.locale,
            name: 'Me',
            signature: { type: 'typed', text: 'Me' },
          });
        }),
      ),
      stage.service.runSchedule('expire'),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
      answers.map(() => [410, 'link_expired']),
    );
    for (const { id } of requests) expect(await stage.get(id)).toMatchObject({ status: 'expired' });
  });
});
