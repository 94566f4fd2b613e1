/** @behaviour sqs.dead-letters lambda.async-retries secrets.versions */

import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { run } from '../../../admin/run.ts';
import type { Problem } from '../../../admin/status.ts';
import { secretsOf } from '../../support/aws.ts';
import { BAD_NEWS, pipes } from '../../support/operator-terminal.ts';
import { follow } from '../../support/runbook.ts';
import { until } from '../../support/until.ts';
import { DAY, Stage } from './stage.ts';

/** Follows the runbook: each test breaks something, finds it in the status and repairs it as described there. */

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.openCold();
}, 90_000);
afterAll(() => stage.close());

const admin = (...args: string[]) => stage.service.admin(...args);
/** Runs a command as the runbook says it. */
const followHere = (
  section: string,
  command: string,
  values: Readonly<Record<string, string>> = {},
  ...asScript: '--yes'[]
) => admin(...follow(section, command, values).slice(1), ...asScript);

/** More than one message takes until it is a dead letter: two runs at once must both fail. */
const KILLS = 12;

/** Kills each run at a call. */
const killEach = (call: { service: string; operation: string; function: string }) => {
  for (let kill = 1; kill <= KILLS; kill += 1) stage.service.fault({ ...call, after: 1, effect: 'kill' });
};

/** Advances the clock after each killed run until the queue holds a dead letter. */
async function untilDeadLetter(queue: string, milliseconds: number): Promise<void> {
  const { services } = stage.service.cloud;
  const dead = () =>
    services.queues().find(({ name }) => name.endsWith(`${queue}-dead-letters`))?.visible ?? 0;
  for (let left = KILLS; left > 0; ) {
    await until(() => dead() > 0 || services.faults().length < left, 'a killed run');
    if (dead() > 0) break;
    left = services.faults().length;
    stage.service.advance(milliseconds);
  }
  services.clearFaults();
}

const sections = (problems: Problem[]) => problems.map(({ runbook }) => runbook.split('runbook.md#')[1]);

const secrets = () => secretsOf(stage.service);

describe('status', () => {
  it('the status counts live and test requests by state and shows the next certificate expiry', async () => {
    const before = await admin('status');
    const testing = await stage.service.client({ test: true });
    await stage.send(1, {}, testing);
    await stage.send();
    await stage.cancel((await stage.send()).id);
    await stage.signed();
    const status = await admin('status', '--json');
    const added = (state: string) => status.requests[state] - before.requests[state];
    expect(['sent', 'cancelled', 'signed', 'opened'].map(added)).toEqual([1, 1, 1, 0]);
    expect(status.test_requests.sent - before.test_requests.sent).toBe(1);
    expect(status).toMatchObject({
      awaiting_stamp: { count: 0, oldest_since: null },
      stamp_failed: 0,
      dead_letters: {
        seal: 0,
        events: 0,
        deliveries: 0,
        'slow-deliveries': 0,
        mail: 0,
        bounces: 0,
        schedules: 0,
      },
      next_certificate_expiry: expect.stringMatching(/^20\d\d-/),
      problems: [],
    });
    expect((await admin('status', '--quick')).requests).toBeNull();
  });

  it('the details of an organization contain no secrets', async () => {
    const shown = await admin('org', 'show', stage.client.ownerId);
    expect(shown).toMatchObject({
      organization_id: stage.client.ownerId,
      subscription: 'active',
      keys: [{ mode: 'live', revoked_at: null }],
      webhook_endpoints: [{ url: stage.receiver.url }],
      requests: { signed: 1 },
    });
    expect(JSON.stringify(shown)).not.toMatch(/esk_[a-z]+_[\w-]{5}|whsec_|[Cc]iphertext|hash/);
  });
});

describe('runbook', () => {
  it('the operator fixes the cause of failed seals and requeues them all', async () => {
    const client = secrets();
    const SecretId = stage.service.cloud.outputs.SealSecretArn ?? '';
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    await client.send(
      new PutSecretValueCommand({ SecretId, SecretString: '{"p12_base64":"AAAA","passphrase":"x"}' }),
    );
    const requests = [await stage.send(), await stage.send()];
    const [first = ''] = requests.map(({ id }) => id);
    for (const request of requests) await (await stage.verifiedLate(request)).sign();
    for (const { id } of requests) await stage.service.untilStatus(stage.client, id, 'stamp_failed');

    // The certificate is readable again, so only the failed seals are a problem.
    await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
    const status = await followHere('Stamp failures', 'admin status');
    expect(status.stamp_failed).toBe(2);
    const told = { code: 'key_unreadable', reason: expect.any(String), tries: expect.any(Number) };
    expect(status.seal_faults).toEqual([expect.objectContaining(told), expect.objectContaining(told)]);
    expect(status.requests.stamp_failed).toBe(2);
    expect(status.problems).toEqual([
      {
        problem: '2 seals failed for good',
        runbook: 'docs/runbook.md#stamp-failures',
        ids: expect.arrayContaining(requests.map((request) => request.id)),
        more: 0,
      },
    ]);
    const { audit_trail: trail } = await followHere('Stamp failures', 'admin request show ID', { ID: first });
    expect(trail).toContainEqual(
      expect.objectContaining({ type: 'seal_failed', details: { code: 'key_unreadable' } }),
    );

    const verdict = await followHere('Stamp failures', 'admin request verify-audit ID', { ID: first });
    expect(verdict).toMatchObject({ intact: true });

    const restamped = await followHere('Stamp failures', 'admin request restamp ID', { ID: first });
    expect(restamped).toEqual({ request_id: first, status: 'awaiting_stamp' });
    const rest = await followHere('Stamp failures', 'admin request restamp --all-failed');
    expect(rest).toEqual({ queued: 1 });
    for (const { id } of requests) await stage.service.untilStatus(stage.client, id, 'signed');
    expect(await admin('request', 'restamp', '--all-failed')).toEqual({ queued: 0 });
    expect((await admin('status')).problems).toEqual([]);
  });

  it('the status reports an unreadable certificate until it is fixed', async () => {
    const client = secrets();
    const SecretId = stage.service.cloud.outputs.TestSealSecretArn ?? '';
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    await client.send(new PutSecretValueCommand({ SecretId, SecretString: '{"p12_base64":"AAAA"}' }));
    const notes: string[] = [];
    const asScript = pipes(notes);
    const broken = JSON.parse(await run(['status', '--dir', stage.service.dir], asScript));
    expect(notes).toEqual([BAD_NEWS]);
    expect(broken.certificates).toContainEqual({
      certificate: 'test_seal',
      expires_at: null,
      days_left: null,
      fault: expect.stringContaining('key_unreadable'),
    });
    expect(sections(broken.problems)).toEqual(['certificates']);
    await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
    expect((await admin('job', 'run', 'check-certificates')).failed).toBe(0);
    const mended = JSON.parse(await run(['status', '--dir', stage.service.dir], asScript));
    expect(mended.problems).toEqual([]);
    expect(notes).toEqual([BAD_NEWS]);
  });

  it('a secret that is marked for deletion is named by the status, which shows all the rest', async () => {
    stage.service.cloud.services.addFault({
      service: 'secretsmanager',
      operation: 'GetSecretValue',
      function: 'operator',
      after: 1,
      effect: 'error',
      error_code: 'InvalidRequestException',
    });
    const status = await admin('status', '--quick');
    expect(status.problems).toEqual([
      {
        problem: 'The seal certificate is missing: its secret cannot be read: InvalidRequestException',
        runbook: 'docs/runbook.md#certificates',
        ids: ['seal'],
        more: 0,
      },
    ]);
    expect(status).toMatchObject({ dead_letters: { seal: 0 }, next_certificate_expiry: expect.any(String) });
  });

  it('a seal that waits for a secret is not said to wait for storage', async () => {
    const request = await stage.send();
    const signer = await stage.verifiedLate(request);
    for (const after of [1, 2])
      stage.service.fault({
        service: 'secretsmanager',
        operation: 'GetSecretValue',
        function: 'seal',
        after,
        effect: 'error',
        error_code: 'InvalidRequestException',
      });
    await signer.sign();
    await until(async () => (await admin('status', '--quick')).seal_faults.length > 0, 'the fault');
    const [fault] = (await admin('status', '--quick')).seal_faults;
    expect(fault.code).toMatch(/^(key|timestamp)_unavailable$/);
    expect(fault.reason).toBe('its secret cannot be read: InvalidRequestException');
    stage.service.cloud.services.clearFaults();
    stage.service.advance(60_000);
    await stage.service.untilStatus(stage.client, request.id, 'signed');
  });

  it('the operator redrives dead letters, and each event arrives once', async () => {
    const { id } = await stage.send();
    await until(() => stage.receiver.eventsOf(id).length === 2, 'the events of the creation');
    await until(
      async () => (await stage.countEvents(id, 'webhook_delivered')) === 2,
      'the record of both deliveries',
    );
    // A single message is left, and the clock moves only after its function was killed: nothing else is in flight.
    killEach({ service: 'dynamodb', operation: 'GetItem', function: 'deliver-webhook' });
    await stage.cancel(id);
    await untilDeadLetter('deliveries', 181_000);
    const status = await admin('status');
    expect(status.dead_letters.deliveries).toBeGreaterThan(0);
    expect(sections(status.problems)).toContain('dead-letters');
    expect(status.problems.flatMap(({ ids }: Problem) => ids)).toContain(id);

    const { moved } = await followHere('Dead letters', 'admin queue redrive NAME', { NAME: 'deliveries' });
    expect(moved).toBe(status.dead_letters.deliveries);
    await until(
      async () => (await stage.countEvents(id, 'webhook_delivered')) === 3,
      'the record of the third delivery',
    );
    // Events of one change can overtake each other.
    const types = stage.receiver.eventsOf(id).map(({ type }) => type);
    expect(types.sort()).toEqual([
      'signature_request.cancelled',
      'signature_request.created',
      'signature_request.sent',
    ]);
    const queues: { dead_letters: number }[] = await followHere('Dead letters', 'admin queue list');
    expect(queues.filter(({ dead_letters: dead }) => dead > 0)).toEqual([]);
  });

  it('the operator runs a failed job manually and clears its dead letters', async () => {
    const { id } = await stage.send();
    await stage.cancel(id);
    killEach({ service: 'dynamodb', operation: 'Query', function: 'purge' });
    stage.service.advance(8 * DAY);
    await untilDeadLetter('schedules', 5 * 60_000);
    const status = await admin('status');
    expect(status.dead_letters.schedules).toBeGreaterThan(0);
    expect(status.overdue.purge).toBeGreaterThan(0);
    expect((await stage.get(id)).retention.pdf_purged).toBe(false);

    const again = await followHere('Jobs that fail', 'admin job run NAME', { NAME: 'purge' });
    expect(again).toMatchObject({ job: 'purge', failed: 0 });
    expect((await stage.get(id)).retention.pdf_purged).toBe(true);
    await expect(admin('queue', 'redrive', 'schedules')).rejects.toThrow(/job run/);
    const cleared = await followHere('Jobs that fail', 'admin queue clear schedules', {}, '--yes');
    expect(cleared.cleared).toBeGreaterThan(0);
    await followHere('Dead letters', 'admin queue clear schedules');
    expect((await admin('status')).dead_letters.schedules).toBe(0);
  }, 90_000);

  it('the operator’s commands refuse unknown names in one sentence', async () => {
    await expect(admin('queue', 'redrive', 'nothing')).rejects.toThrow(/There is no queue "nothing"/);
    await expect(admin('job', 'run', 'nothing')).rejects.toThrow(/There is no job "nothing"/);
    await expect(admin('org', 'show', 'nothing')).rejects.toThrow(/There is no organization nothing/);
  });
});
