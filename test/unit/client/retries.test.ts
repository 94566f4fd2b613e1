import { getEventListeners } from 'node:events';
import { jest } from '@jest/globals';
import { SignatureRequestsError } from '../../../client/src/errors.ts';
import { pauseAfter } from '../../../client/src/retries.ts';
import { failure, fakeService, json, outcome, type Reply, refusal, reset, result } from './fake-service.ts';

const NEW = { title: 'Lease', signers: [{ email: 'ann@example.com' }], file: new Uint8Array([1, 2, 3]) };
const broken = (): Response =>
  new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }));

const PASSING: [string, Reply][] = [
  ['a reset', reset],
  ['an answer that breaks off', broken],
  ['an answer that never comes', 'stalls'],
  ['a 500', refusal(500, 'internal_error')],
  ['a 503', refusal(503, 'service_unavailable')],
  ['a 504', refusal(504, 'timed_out')],
];
const REFUSED: [string, Reply][] = [
  ['a 429', refusal(429, 'too_many_requests', { 'retry-after': '1' })],
  ['a conflict with another change', refusal(409, 'conflict')],
];

describe('retries', () => {
  it.each([...PASSING, ...REFUSED])(
    'after %s a create is tried again with the same key',
    async (_, fault) => {
      const { client, calls } = fakeService(fault, fault, json({ id: 'r' }));
      expect(await result(client.signatureRequests.create(NEW))).toEqual({ id: 'r' });
      expect(calls).toHaveLength(3);
      expect(new Set(calls.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
      expect(calls[2]?.body).toEqual(calls[0]?.body);
    },
  );

  it('every create has a key of its own', async () => {
    const { client, calls } = fakeService(json({ id: 'r' }));
    await result(client.signatureRequests.create(NEW));
    await result(client.signatureRequests.create(NEW));
    const [first, second] = calls.map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it.each(PASSING)('after %s a resend is not tried again: it might mail a second code', async (_, fault) => {
    const { client, calls } = fakeService(fault, json({ ok: true }));
    await failure(client.signatureRequests.resend('r', 's'));
    expect(calls).toHaveLength(1);
  });

  it.each(PASSING)('after %s deleting an endpoint is not tried again: it might be gone', async (_, fault) => {
    const { client, calls } = fakeService(fault, json({ ok: true }));
    await failure(client.webhookEndpoints.delete('w'));
    expect(calls).toHaveLength(1);
  });

  it.each(REFUSED)('after %s a resend is tried again, since nothing was done', async (_, fault) => {
    const { client, calls } = fakeService(fault, json({ ok: true }));
    expect(await result(client.signatureRequests.resend('r', 's'))).toEqual({ ok: true });
    expect(calls).toHaveLength(2);
  });

  it('waits as long as the service asks', async () => {
    const { client, calls } = fakeService(
      refusal(429, 'too_many_requests', { 'retry-after': '30' }),
      json({ id: 'r' }),
    );
    const answer = client.signatureRequests.retrieve('r');
    await jest.advanceTimersByTimeAsync(29_900);
    expect(calls).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(200);
    expect(await answer).toEqual({ id: 'r' });
  });

  it('accepts a date in Retry-After', async () => {
    const date = new Date('2026-11-21T10:00:20Z').toUTCString();
    const { client, calls } = fakeService(
      refusal(503, 'service_unavailable', { 'retry-after': date }),
      json({}),
    );
    const answer = client.signatureRequests.retrieve('r');
    await jest.advanceTimersByTimeAsync(19_000);
    expect(calls).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await answer).toEqual({});
  });

  it('waits as long as 90 seconds, and no longer', () => {
    const busy = (retryAfterMs: number) =>
      new SignatureRequestsError('too_many_requests', 'Wait.', { status: 429, retryAfterMs });
    expect(pauseAfter(busy(90_000), 1, true)).toBe(90_000);
    expect(pauseAfter(busy(90_001), 1, true)).toBeUndefined();
  });

  it('does not wait out a daily limit, but says how long it lasts', async () => {
    const { client, calls } = fakeService(refusal(429, 'too_many_requests', { 'retry-after': '7200' }));
    expect(await failure(client.signatureRequests.retrieve('r'))).toMatchObject({ retryAfterMs: 7_200_000 });
    expect(calls).toHaveLength(1);
  });

  it('pauses longer and longer, and gives up after four more attempts', async () => {
    const times: number[] = [];
    const { client } = fakeService(() => {
      times.push(Date.now());
      return refusal(500, 'internal_error');
    });
    expect(await failure(client.signatureRequests.retrieve('r'))).toMatchObject({ code: 'internal_error' });
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses).toHaveLength(4);
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(pause).toBeLessThanOrEqual(500 * 2 ** index + 1);
    }
  });

  it('pauses at most eight seconds, half of them random, so that clients that failed together do not retry together', () => {
    const fault = new SignatureRequestsError('internal_error', 'It failed.', { status: 500 });
    const pauses = Array.from({ length: 50 }, () => pauseAfter(fault, 20, true) ?? 0);
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(4_000);
      expect(pause).toBeLessThanOrEqual(8_000);
    }
    expect(new Set(pauses).size).toBeGreaterThan(1);
  });

  it.each([400, 401, 404, 410])('an error %i is not tried again', async (status) => {
    const { client, calls } = fakeService(refusal(status, 'not_found'));
    expect(await failure(client.signatureRequests.create(NEW))).toMatchObject({ status });
    expect(calls).toHaveLength(1);
  });

  it('an idempotency key that does not fit a header is rejected without a call', async () => {
    const { client, calls } = fakeService(json({ id: 'r' }));
    for (const idempotencyKey of ['Заказ-5', 'a\nb'])
      expect(await failure(client.signatureRequests.create(NEW, { idempotencyKey }))).toMatchObject({
        code: 'invalid_idempotency_key',
      });
    expect(calls).toEqual([]);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31])('a time limit of %d ms is a long one', async (timeoutMs) => {
    const { client } = fakeService('stalls');
    let isOver = false;
    void outcome(client.signatureRequests.retrieve('r', { timeoutMs }), 0).finally(() => {
      isOver = true;
    });
    await jest.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(isOver).toBe(false);
  });

  it('an attempt without an answer ends after the time limit', async () => {
    const { client } = fakeService('stalls');
    const answer = outcome(client.signatureRequests.resend('r', 's', {}, { timeoutMs: 5_000 }), 5_000);
    expect(await answer).toMatchObject({
      status: 'rejected',
      reason: { code: 'no_answer', status: undefined },
    });
  });

  it.each([
    ['before', 0],
    ['during', 100],
    ['in the pause after', 60_100],
  ])('a signal that aborts %s an attempt ends the call with its reason', async (_, milliseconds) => {
    const { client, calls } = fakeService('stalls');
    const controller = new AbortController();
    const reason = new Error('The user went away.');
    if (milliseconds === 0) controller.abort(reason);
    setTimeout(() => controller.abort(reason), milliseconds);
    const ended = outcome(
      client.signatureRequests.retrieve('r', { signal: controller.signal }),
      milliseconds,
    );
    expect(await ended).toEqual({ status: 'rejected', reason });
    expect(calls).toHaveLength(milliseconds === 0 ? 0 : 1);
  });

  it('a signal that aborts a call that is not tried again ends it with its reason too', async () => {
    const { client } = fakeService('stalls');
    const controller = new AbortController();
    const reason = new Error('The user went away.');
    setTimeout(() => controller.abort(reason), 100);
    const ended = outcome(client.signatureRequests.resend('r', 's', {}, { signal: controller.signal }), 100);
    expect(await ended).toEqual({ status: 'rejected', reason });
  });

  it('calls that share a signal put one listener on it: Node warns of a leak from the eleventh on', async () => {
    const { client } = fakeService('stalls');
    const { signal } = new AbortController();
    const calls = Array.from({ length: 20 }, () => client.signatureRequests.cancel('r', {}, { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await outcome(Promise.allSettled(calls));
  });
});
