import { jest } from '@jest/globals';
import { RequestEndedError } from '../../../client/src/node.ts';
import { failure, fakeService, json, outcome, refusal, reset, result } from './fake-service.ts';

const request = (status: string) => json({ id: 'r', status });

describe('waiting until a request is sealed', () => {
  it('polls until the request is signed', async () => {
    const { client, calls } = fakeService(
      request('sent'),
      request('opened'),
      request('awaiting_stamp'),
      request('signed'),
    );
    expect(await result(client.signatureRequests.waitUntilSealed('r'))).toMatchObject({ status: 'signed' });
    expect(calls).toHaveLength(4);
  });

  it.each([
    ['cancelled', 'request_cancelled'],
    ['declined', 'request_declined'],
    ['expired', 'request_expired'],
    ['stamp_failed', 'stamp_failed'],
  ])('ends with a typed error when the request is %s', async (status, code) => {
    const { client } = fakeService(request('sent'), request(status));
    const error = await failure(client.signatureRequests.waitUntilSealed('r'));
    expect(error).toBeInstanceOf(RequestEndedError);
    expect(error).toMatchObject({ code, request: { id: 'r', status } });
  });

  it.each([
    ['connection breaks', reset],
    ['service fails', refusal(503, 'service_unavailable')],
    ['address makes too many requests', refusal(429, 'too_many_requests', { 'retry-after': '300' })],
  ])('goes on when the %s for longer than one look is tried again', async (_, fault) => {
    const faults = Array.from({ length: 12 }, () => fault);
    const { client } = fakeService(request('sent'), ...faults, request('signed'));
    expect(await result(client.signatureRequests.waitUntilSealed('r'))).toMatchObject({ status: 'signed' });
  });

  it.each([
    ['there never was a connection', [reset], 'connection_failed'],
    ['the request is refused meanwhile', [request('sent'), refusal(401, 'unauthorized')], 'unauthorized'],
  ])('ends when %s', async (_, replies, code) => {
    const { client } = fakeService(...replies);
    expect(await failure(client.signatureRequests.waitUntilSealed('r'))).toMatchObject({ code });
  });

  it('polls at once, again after a second, and less and less often, at last twice a minute', async () => {
    const times: number[] = [];
    const { client } = fakeService(() => {
      times.push(Date.now());
      return request('sent');
    });
    void outcome(client.signatureRequests.waitUntilSealed('r'), 0);
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses[0]).toBe(1_000);
    expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
    expect(pauses.at(-1)).toBe(30_000);
    expect(times.length).toBeLessThan(35);
  });

  it('ends at its time limit, after a last poll', async () => {
    const { client } = fakeService(request('sent'));
    const started = Date.now();
    let took = 0;
    const waiting = client.signatureRequests.waitUntilSealed('r', { timeoutMs: 90_000 }).finally(() => {
      took = Date.now() - started;
    });
    expect(await failure(waiting)).toMatchObject({ code: 'not_sealed_in_time' });
    expect(took).toBe(90_000);
  });

  it('ends within seconds of its time limit when the service stops answering', async () => {
    const { client } = fakeService(request('sent'), 'stalls');
    const started = Date.now();
    let took = 0;
    const waiting = client.signatureRequests.waitUntilSealed('r', { timeoutMs: 30_000 }).finally(() => {
      took = Date.now() - started;
    });
    expect(await failure(waiting)).toMatchObject({ code: 'no_answer' });
    expect(took).toBe(30_000);
  });

  it('gives a service that stopped answering five seconds for the last poll', async () => {
    const { client } = fakeService(request('sent'), 'stalls');
    const started = Date.now();
    const waiting = client.signatureRequests.waitUntilSealed('r', { timeoutMs: 500 });
    expect(await failure(waiting.finally(() => expect(Date.now() - started).toBe(5_500)))).toMatchObject({
      code: 'no_answer',
    });
  });

  it('returns a request that the last poll after the time limit finds signed', async () => {
    const { client, calls } = fakeService(request('sent'), request('signed'));
    const waiting = client.signatureRequests.waitUntilSealed('r', { timeoutMs: 500 });
    expect(await result(waiting)).toMatchObject({ status: 'signed' });
    expect(calls).toHaveLength(2);
  });

  it.each([Number.NaN, 'soon' as unknown as number])(
    'refuses the time limit %p, which is no number: no poll could be answered in time',
    async (timeoutMs) => {
      const { client, calls } = fakeService(request('signed'));
      expect(await failure(client.signatureRequests.waitUntilSealed('r', { timeoutMs }))).toEqual(
        new TypeError('`timeoutMs` must be a number.'),
      );
      expect(calls).toEqual([]);
    },
  );

  it('takes a time limit from the environment, a number as text, as every other call does', async () => {
    const { client } = fakeService(request('sent'));
    const timeoutMs = '5000' as unknown as number;
    const started = Date.now();
    const waiting = client.signatureRequests.waitUntilSealed('r', { timeoutMs });
    expect(await failure(waiting.finally(() => expect(Date.now() - started).toBe(5_000)))).toMatchObject({
      code: 'not_sealed_in_time',
    });
  });

  it('ends with the reason of a signal that aborts in a pause', async () => {
    const { client } = fakeService(request('sent'));
    const controller = new AbortController();
    const waiting = outcome(
      client.signatureRequests.waitUntilSealed('r', { signal: controller.signal }),
      500,
    );
    const reason = new Error('Enough.');
    setTimeout(() => controller.abort(reason), 200);
    expect(await waiting).toEqual({ status: 'rejected', reason });
  });
});
