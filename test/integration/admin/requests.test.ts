import { auditKey, metaKey } from '../../../shared/store/keys.ts';
import { creationWrites } from '../../../shared/store/requests.ts';
import { NOON, newRequest } from '../../support/requests.ts';
import { LocalRun } from './local-run.ts';

describe('requests by the administrator’s command', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await LocalRun.start();
  });
  afterAll(() => run.stop());

  async function stored(): Promise<string> {
    const { request, change } = newRequest(2);
    await run.table.transact(creationWrites(change, request.content, NOON).writes);
    return request.state.id;
  }

  it('finds an intact trail intact, and says where a changed or removed event breaks it', async () => {
    const id = await stored();
    await run.ok('request', 'cancel', id);
    const verdict = await run.ok('request', 'verify-audit', id);
    expect(verdict).toEqual({
      request_id: id,
      intact: true,
      events: 2,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
      broken_at: null,
    });
    await run.table.update(auditKey(id, 2), { actor: 'client' });
    expect(await run.ok('request', 'verify-audit', id)).toMatchObject({
      intact: false,
      events: 2,
      broken_at: 2,
    });
    await run.table.delete(auditKey(id, 2));
    expect(await run.ok('request', 'verify-audit', id)).toMatchObject({
      intact: false,
      events: 1,
      broken_at: 2,
    });
    await run.table.delete(auditKey(id, 1));
    expect(await run.ok('request', 'verify-audit', id)).toMatchObject({
      intact: false,
      events: 0,
      broken_at: 1,
    });
  });

  it('cancels once, with the reason in the trail and the event on its way', async () => {
    const id = await stored();
    const queued = () => run.cloud.services.queues().find(({ name }) => name === 'events')?.visible ?? 0;
    const before = queued();
    expect(await run.ok('request', 'cancel', id, '--reason', 'Asked for by phone')).toEqual({
      request_id: id,
      status: 'cancelled',
      cancelled_at: expect.any(String),
    });
    expect(queued()).toBe(before + 1);
    const shown = await run.ok('request', 'show', id);
    expect(shown.audit_trail.at(-1)).toMatchObject({
      type: 'request_cancelled',
      actor: 'operator',
      details: { reason: 'Asked for by phone' },
    });
    expect(await run.run('request', 'cancel', id)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The request is signed, being sealed, cancelled, declined or expired.\n',
    });
  });

  it('queues a failed seal again, and no other', async () => {
    const id = await stored();
    expect(await run.run('request', 'restamp', id)).toMatchObject({ code: 1 });
    await run.table.update(metaKey(id), { status: 'stamp_failed' });
    expect(await run.ok('request', 'restamp', id)).toEqual({ request_id: id, status: 'awaiting_stamp' });
    expect(run.cloud.services.queues().find(({ name }) => name === 'seals')?.visible).toBe(1);
  });

  it('shows nothing that opens a request', async () => {
    const id = await stored();
    const { stdout } = await run.run('request', 'show', id);
    expect(stdout).toContain('signer0@example.com');
    expect(stdout).not.toMatch(/token-\d|"hash"|code|access_token/);
  });
});
