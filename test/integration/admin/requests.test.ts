/** @behaviour dynamodb.conditions */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyHead } from '../../../shared/requests/chain.ts';
import { canonicalJson } from '../../../shared/runtime/canonical-json.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { auditKey, metaKey } from '../../../shared/store/keys.ts';
import { creationWrites } from '../../../shared/store/requests.ts';
import { BAD_NEWS, pipes } from '../../support/operator-terminal.ts';
import { NOON, newRequest } from '../../support/requests.ts';
import { LocalRun } from './local-run.ts';

describe('request commands', () => {
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

  it('request verify-audit accepts an intact trail, and shows where a changed or removed event breaks it', async () => {
    const id = await stored();
    await run.ok('request', 'cancel', id);
    const verdict = await run.ok('request', 'verify-audit', id);
    expect(verdict).toEqual({
      request_id: id,
      intact: true,
      events: 2,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
      broken_at: null,
      compared: true,
      anchored: false,
      evidence_fault: 'the request is not sealed',
      differences: [],
      erased: [],
      operational: expect.any(Object),
    });
    const notes: string[] = [];
    await run.runAt(pipes(notes), 'request', 'verify-audit', id);
    expect(notes.splice(0)).toEqual([
      'Trail and records fit together, but were not compared with sealed evidence (the request is not sealed): whoever rewrote both would not show.',
    ]);
    const other = join(run.dir, 'other.pdf');
    await writeFile(other, '%PDF-1.7');
    await run.runAt(pipes(notes), 'request', 'verify-audit', id, '--evidence', other);
    expect(notes.splice(0)).toEqual([BAD_NEWS, expect.stringContaining('were not compared')]);
    await run.table.update(auditKey(id, 2), { actor: 'client' });
    await run.runAt(pipes(notes), 'request', 'verify-audit', id);
    expect(notes).toEqual([BAD_NEWS]);
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

  it('request verify-audit verifies the chain alone of a request from before events stated every fact', async () => {
    const id = await stored();
    const event = {
      sequence: 1,
      type: 'request_created',
      at: NOON.toISOString(),
      actor: 'client',
      signerId: null,
      ipAddress: null,
      userAgent: null,
      details: { signers: 2 },
      previousHash: emptyHead(id),
    };
    const hash = sha256Hex(canonicalJson(event));
    await run.table.put({ ...auditKey(id, 1), ...event, hash });
    await run.table.update(metaKey(id), { auditHead: hash, trailVersion: undefined });
    const verdict = { intact: true, compared: false, head: hash, differences: [] };
    expect(await run.ok('request', 'verify-audit', id)).toMatchObject(verdict);
    await run.table.update(auditKey(id, 1), { details: { signers: 3 } });
    expect(await run.ok('request', 'verify-audit', id)).toMatchObject({ intact: false, broken_at: 1 });
  });

  it('request cancel cancels once, records the reason in the trail and queues the event', async () => {
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
      stderr: 'The request’s status is `cancelled`, so it can no longer be cancelled.\n',
    });
  });

  it('request cancel takes a reason that the API would take', async () => {
    const id = await stored();
    for (const reason of ['x'.repeat(501), 'red \u001b[31mletters'])
      expect(await run.run('request', 'cancel', id, '--reason', reason)).toMatchObject({
        code: 2,
        stderr: '--reason takes at most 500 characters, and no control characters.\n',
      });
    expect(await run.ok('request', 'show', id)).toMatchObject({ status: 'pending' });
  });

  it('request restamp queues only a failed seal again', async () => {
    const id = await stored();
    expect(await run.run('request', 'restamp', id)).toMatchObject({
      code: 1,
      stderr: 'The request is pending: only one that is stamp_failed is queued again.\n',
    });
    await run.table.update(metaKey(id), { status: 'stamp_failed' });
    expect(await run.ok('request', 'restamp', id)).toEqual({ request_id: id, status: 'awaiting_stamp' });
    expect(run.cloud.services.queues().find(({ name }) => name === 'seals')?.visible).toBe(1);
  });

  it('request show leaves out tokens and codes', async () => {
    const id = await stored();
    const { stdout } = await run.run('request', 'show', id);
    expect(stdout).toContain('signer0@example.com');
    expect(stdout).not.toMatch(/token-\d|"hash"|code|access_token/);
  });
});
