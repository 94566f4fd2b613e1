import { request as send } from 'node:http';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { type Json, Notes } from './notes.ts';

const DAY = 86_400;
let notes: Notes;

beforeAll(async () => {
  notes = await Notes.start();
});
afterAll(() => notes.stop());

/** Sends headers that `fetch` does not allow to set. */
function get(path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = send(`${notes.cloud.controlUrl}${path}`, { headers }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, body });
    });
    request.on('error', reject).end();
  });
}

const mail = (to: string, subject: string, html: string) =>
  new SESClient(notes.operator()).send(
    new SendEmailCommand({
      Source: 'notes@example.com',
      Destination: { ToAddresses: [to] },
      Message: {
        Subject: { Data: subject },
        Body: { Text: { Data: `${subject} as text` }, Html: { Data: html } },
      },
    }),
  );

describe('the control port', () => {
  it.each([
    ['a foreign Host', { host: 'evil.example' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['an Origin that is not a URL', { origin: 'evil' }],
  ])('the control port refuses a request with %s', async (_what, headers) => {
    const { status, body } = await get('/inbox', headers);
    expect([status, JSON.parse(body).error]).toEqual([403, 'forbidden']);
  });

  it('the control port answers a page of this machine', async () => {
    const { port } = new URL(notes.cloud.controlUrl);
    const headers = { host: `127.0.0.1:${port}`, origin: `http://localhost:${port}` };
    expect((await get('/clock', headers)).status).toBe(200);
  });

  it('the control port answers 404 to an unknown path and 405 with the allowed methods', async () => {
    expect(await notes.control('GET', '/nothing')).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
    expect(await notes.control('PUT', '/clock', {})).toMatchObject({
      status: 405,
      body: { error: 'method_not_allowed', message: '/clock allows GET, POST.' },
    });
  });

  it('the control port refuses a body that is not a JSON object or over 1 MB', async () => {
    for (const body of ['{', '[1]', 'null', '']) {
      expect(await notes.control('POST', '/clock', body)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^invalid_(json|request)$/) },
      });
    }
    expect((await notes.control('POST', '/clock', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });
});

describe('the inbox', () => {
  it('the inbox lists mails as JSON, newest first, and shows them on a page without running their scripts', async () => {
    await mail('ann@example.com', 'First', '<p>One</p>');
    await mail('bob@example.com', '<script>Second</script>', '<p>Two</p>');
    const { body: mails } = await notes.control('GET', '/inbox');
    expect(mails).toMatchObject([
      { to: 'bob@example.com', subject: '<script>Second</script>' },
      {
        id: expect.any(String),
        from: 'notes@example.com',
        to: 'ann@example.com',
        subject: 'First',
        text: 'First as text',
        html: '<p>One</p>',
        sent_at: expect.stringMatching(/^\d{4}-/),
      },
    ]);
    const page = await get('/', {});
    expect(page.body).toContain('&lt;script&gt;Second&lt;/script&gt;');
    expect(page.body).not.toContain('<script>');
    expect(page.body).toContain('sandbox="allow-popups');
    expect((await get(`/inbox/${mails[1].id}`, {})).body).toContain('<p>One</p>');
    expect((await get('/inbox/unknown', {})).status).toBe(404);
  });

  it('the inbox answers the mails to one address, page by page', async () => {
    for (const subject of ['1', '2', '3']) await mail('paged@example.com', subject, '');
    await mail('paged@example.com.evil.example', '4', '');
    const subjects = async (query: string) => {
      const { body } = await notes.control('GET', `/inbox?${query}`);
      return body.map(({ subject }: { subject: string }) => subject);
    };
    expect(await subjects('to=paged@example.com')).toEqual(['3', '2', '1']);
    expect(await subjects('to=nobody@example.com')).toEqual([]);
    expect(await subjects('limit=2')).toEqual(['4', '3']);
    const { body: page } = await notes.control('GET', '/inbox?to=paged@example.com&limit=2');
    expect(page.map(({ subject }: { subject: string }) => subject)).toEqual(['3', '2']);
    expect(await subjects(`to=paged@example.com&limit=2&before=${page[1].id}`)).toEqual(['1']);
    expect((await notes.control('GET', '/inbox?limit=0')).status).toBe(400);
  });

  it('a mail can be made to bounce or to be reported as spam, which is published where its configuration set says', async () => {
    await mail('eve@example.com', 'Third', '<p>Three</p>');
    const { body: mails } = await notes.control('GET', '/inbox');
    const path = `/inbox/${mails[0].id}/bounce`;
    for (const type of ['bounce', 'complaint'])
      expect((await notes.control('POST', path, { type })).body).toEqual({ ok: true, published: 0 });
    expect(await notes.control('POST', path, { type: 'delay' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect((await notes.control('POST', '/inbox/none/bounce', { type: 'bounce' })).status).toBe(404);
  });
});

describe('the clock', () => {
  it('the clock moves forward for functions and control port alike', async () => {
    const before = (await notes.control('GET', '/clock')).body;
    const { status, body } = await notes.control('POST', '/clock', { advance_seconds: DAY });
    expect(status).toBe(200);
    expect(body.offset_seconds).toBe(before.offset_seconds + DAY);
    expect(Date.parse(body.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(DAY * 1000);
    const { newDate } = await notes.json('/behave');
    expect(Math.abs(Date.parse(newDate) - Date.parse(body.now))).toBeLessThan(5_000);
  });

  it.each([{}, { advance_seconds: -1 }, { advance_seconds: '60' }, { advance_seconds: 1e12 }])(
    'the clock is not moved by the body %j',
    async (body) => {
      const { body: before } = await notes.control('GET', '/clock');
      expect(await notes.control('POST', '/clock', body)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
      expect((await notes.control('GET', '/clock')).body.offset_seconds).toBe(before.offset_seconds);
    },
  );
});

describe('the schedules', () => {
  const schedule = async (name: string): Promise<Json> =>
    (await notes.control('GET', '/schedules')).body.find((one: Json) => one.name === name);

  it('schedules are listed with their last and next run', async () => {
    expect(await schedule('notes-daily')).toEqual({
      name: 'notes-daily',
      expression: 'cron(30 3 * * ? *)',
      last_run: expect.anything(),
      next_run: expect.stringMatching(/T03:30:00\.000Z$/),
    });
  });

  it('a schedule runs once when the clock jumps over several of its times', async () => {
    await notes.untilCounted('tick daily', 1);
    const before = await notes.counted('tick daily');
    notes.cloud.clock.advance(10 * DAY * 1000);
    await notes.untilCounted('tick daily', before.times + 1);
    // If the jump had caused a second run, it would be counted by now.
    notes.cloud.clock.advance(DAY * 1000);
    await notes.untilCounted('tick daily', before.times + 2);
    const { times, lastAt } = await notes.counted('tick daily');
    expect(times).toBe(before.times + 2);
    expect(Math.abs(Date.parse(lastAt ?? '') - notes.cloud.clock.now())).toBeLessThan(10_000);
  });

  it('a schedule can be run at once, to its end', async () => {
    const { times } = await notes.counted('tick daily');
    expect(await notes.control('POST', '/schedules/notes-daily/run')).toEqual({
      status: 200,
      body: { ok: true },
    });
    expect((await notes.counted('tick daily')).times).toBe(times + 1);
    expect((await schedule('notes-daily')).last_run).not.toBeNull();
  });

  it('the error of a failed schedule is returned', async () => {
    const { status, body } = await notes.control('POST', '/schedules/notes-broken/run');
    expect([status, body.ok]).toEqual([200, false]);
    expect(body.error).toContain('always fails');
    expect((await notes.control('POST', '/schedules/none/run')).status).toBe(404);
  });
});

describe('the queues', () => {
  it('queues are listed with their message counts', async () => {
    expect((await notes.control('GET', '/queues')).body).toContainEqual({
      name: 'notes-jobs',
      visible: 0,
      in_flight: 0,
      dead_letters: 0,
    });
  });
});

describe('a fault', () => {
  const put = { service: 'dynamodb', operation: 'PutItem', after: 1 };
  const add = (fault: object) => notes.control('POST', '/faults', fault);

  it('a fault fires once, at the nth call', async () => {
    const { status, body } = await add({
      ...put,
      function: 'store',
      after: 2,
      effect: 'error',
      error_code: 'Odd',
    });
    expect([status, body.function]).toEqual([200, 'notes-store']);
    expect((await notes.call('put', { id: 'f1' })).status).toBe(200);
    expect((await notes.control('GET', '/faults')).body).toHaveLength(1);
    expect((await notes.call('put', { id: 'f2' })).body.error).toBe('Odd');
    expect((await notes.control('GET', '/faults')).body).toEqual([]);
    expect((await notes.call('put', { id: 'f2' })).status).toBe(200);
  });

  it('a fault kills the function before its call takes effect, or right after', async () => {
    await add({ ...put, effect: 'kill' });
    expect((await notes.fetch('/store', { method: 'POST', body: '{"call":"put","id":"k1"}' })).status).toBe(
      502,
    );
    expect((await notes.call('get', { id: 'k1' })).body.Item).toBeUndefined();
    await add({ ...put, effect: 'kill-after' });
    expect((await notes.fetch('/store', { method: 'POST', body: '{"call":"put","id":"k2"}' })).status).toBe(
      502,
    );
    expect((await notes.call('get', { id: 'k2' })).body.Item).toEqual({ pk: { S: 'k2' } });
  });

  it('a fault delays a call', async () => {
    await add({ ...put, effect: 'delay', ms: 300 });
    const started = performance.now();
    expect((await notes.call('put', { id: 'd' })).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(300);
  });

  it('DELETE removes all faults', async () => {
    await add({ ...put, effect: 'kill' });
    expect(await notes.control('DELETE', '/faults')).toEqual({ status: 200, body: { ok: true } });
    expect((await notes.control('GET', '/faults')).body).toEqual([]);
    expect((await notes.call('put', { id: 'e' })).status).toBe(200);
  });

  it.each([
    [{ operation: 'PutItem', after: 1, effect: 'kill' }, 'service'],
    [{ ...put, operation: '', effect: 'kill' }, 'operation'],
    [{ ...put, service: 'dynamo', effect: 'kill' }, 'dynamo PutItem'],
    [{ ...put, operation: 'PutItems', effect: 'kill' }, 'dynamodb PutItems'],
    [{ ...put, after: 0, effect: 'kill' }, 'after'],
    [{ ...put, effect: 'explode' }, 'effect'],
    [{ ...put, effect: 'error' }, 'error_code'],
    [{ ...put, effect: 'delay' }, 'ms'],
    [{ ...put, effect: 'kill', function: 'nobody' }, 'nobody'],
    [{ ...put, effect: 'kill', function: 'notes' }, 'notes'],
  ])('the invalid fault %j is refused', async (fault, named) => {
    const { status, body } = await add(fault);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.message).toContain(named);
  });
});

describe('the calls', () => {
  it('calls since the last DELETE are listed in order of time', async () => {
    expect(await notes.control('DELETE', '/calls')).toEqual({ status: 200, body: { ok: true } });
    await notes.call('put', { id: 'c' });
    await notes.call('get', { id: 'c' });
    const { body } = await notes.control('GET', '/calls');
    expect(body.map(({ operation }: Json) => operation)).toEqual(['PutItem', 'GetItem']);
  });
});
