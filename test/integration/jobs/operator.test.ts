import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { until } from '../../support/until.ts';
import { DAY, Stage } from './stage.ts';

/** The operator's view, and the runbook followed: something is broken, seen in the status, and mended by its words. */

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 90_000);
afterAll(() => stage.close());

const admin = (...args: string[]) => stage.service.admin(...args);

/** Has the call fail again and again, and lets time pass, until what made it is given up. */
async function untilGivenUp(queue: string, kill: () => void, milliseconds: number): Promise<void> {
  const { services } = stage.service.cloud;
  const dead = () =>
    services.queues().find(({ name }) => name.endsWith(`${queue}-dead-letters`))?.visible ?? 0;
  for (let attempt = 1; attempt < 12; attempt += 1) {
    await until(() => dead() > 0 || services.faults().length === 0, 'the fault');
    if (dead() > 0) break;
    kill();
    stage.service.advance(milliseconds);
  }
  services.clearFaults();
}

const sections = (problems: string[]) => problems.map((problem) => problem.split('runbook.md#')[1]);

const secrets = () => {
  const { services, operator, clock } = stage.service.cloud;
  return new SecretsManagerClient({
    endpoint: services.url,
    region: services.region,
    credentials: operator,
    systemClockOffset: clock.offsetMs(),
  });
};

describe('the status', () => {
  it('counts requests by state, live and test apart, and says when jobs ran and certificates end', async () => {
    const before = await admin('status');
    const testing = await stage.service.client({ test: true });
    await stage.create(1, {}, testing);
    await stage.create();
    await stage.cancel((await stage.create()).id);
    await stage.signed();
    const status = await admin('status', '--json');
    const grown = (state: string) => status.requests[state] - before.requests[state];
    expect(['sent', 'cancelled', 'signed', 'opened'].map(grown)).toEqual([1, 1, 1, 0]);
    expect(status.test_requests.sent - before.test_requests.sent).toBe(1);
    expect(status).toMatchObject({
      awaiting_stamp: { count: 0, oldest_since: null },
      stamp_failed: 0,
      dead_letters: { seal: 0, events: 0, deliveries: 0, mail: 0, schedules: 0 },
      next_certificate_expiry: expect.stringMatching(/^20\d\d-/),
      problems: [],
    });
    expect((await admin('status', '--quick')).requests).toBeNull();
  }, 60_000);

  it('shows an organization without secrets', async () => {
    const shown = await admin('org', 'show', stage.client.ownerId);
    expect(shown).toMatchObject({
      organization_id: stage.client.ownerId,
      subscription: 'active',
      keys: [{ mode: 'live', revoked_at: null }],
      webhook_endpoints: [{ url: stage.receiver.url }],
      requests: { signed: 1 },
    });
    expect(JSON.stringify(shown)).not.toMatch(/esk_|whsec_|[Cc]iphertext|hash/);
  });
});

describe('by the runbook', () => {
  it('stamp failures: the cause is mended and every seal is queued again', async () => {
    const client = secrets();
    const SecretId = stage.service.cloud.outputs.SealSecretArn ?? '';
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    await client.send(
      new PutSecretValueCommand({ SecretId, SecretString: '{"p12_base64":"AAAA","passphrase":"x"}' }),
    );
    const requests = [await stage.create(), await stage.create()];
    for (const request of requests) await (await stage.verified(request)).sign();
    for (const { id } of requests) await stage.service.untilStatus(stage.client, id, 'stamp_failed');

    // The seal's certificate cannot be read, and the status says what else it can.
    await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
    const status = await admin('status');
    expect(status.stamp_failed).toBe(2);
    expect(status.requests.stamp_failed).toBe(2);
    expect(sections(status.problems)).toEqual(['stamp-failures']);
    const { audit_trail: trail } = await admin('request', 'show', requests[0]?.id ?? '');
    expect(trail).toContainEqual(
      expect.objectContaining({ type: 'seal_failed', details: { code: 'key_unreadable' } }),
    );

    expect(await admin('request', 'restamp', '--all-failed')).toEqual({ queued: 2 });
    for (const { id } of requests) await stage.service.untilStatus(stage.client, id, 'signed');
    expect(await admin('request', 'restamp', '--all-failed')).toEqual({ queued: 0 });
    expect((await admin('status')).problems).toEqual([]);
  }, 60_000);

  it('a certificate that cannot be read is itself what the status says', async () => {
    const client = secrets();
    const SecretId = stage.service.cloud.outputs.TestSealSecretArn ?? '';
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
    await client.send(new PutSecretValueCommand({ SecretId, SecretString: '{"p12_base64":"AAAA"}' }));
    const broken = await admin('status');
    expect(broken.certificates).toContainEqual({
      certificate: 'test_seal',
      expires_at: null,
      days_left: null,
      fault: expect.stringContaining('key_unreadable'),
    });
    expect(sections(broken.problems)).toEqual(['certificates']);
    await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
    expect((await admin('job', 'run', 'check-certificates')).failed).toBe(0);
    expect((await admin('status')).problems).toEqual([]);
  }, 60_000);

  it('dead letters: given back, the event arrives, once', async () => {
    const kill = () =>
      stage.service.fault({
        service: 'dynamodb',
        operation: 'GetItem',
        function: 'deliver-webhook',
        after: 1,
        effect: 'kill',
      });
    kill();
    const { id } = await stage.create();
    await untilGivenUp('deliveries', kill, 181_000);
    const status = await admin('status');
    expect(status.dead_letters.deliveries).toBeGreaterThan(0);
    expect(sections(status.problems)).toContain('dead-letters');

    const { moved } = await admin('queue', 'redrive', 'deliveries');
    expect(moved).toBe(status.dead_letters.deliveries);
    await until(
      () =>
        stage.receiver.eventsOf(id).filter(({ type }) => type === 'signature_request.created').length === 1,
      'the event',
    );
    await until(
      () => stage.receiver.eventsOf(id).filter(({ type }) => type === 'signature_request.sent').length === 1,
      'the other event',
    );
    expect(
      (await admin('queue', 'list')).every(({ dead_letters: dead }: { dead_letters: number }) => dead === 0),
    ).toBe(true);
  }, 60_000);

  it('jobs that fail: run by hand after the cause is gone, and their dead letters forgotten', async () => {
    const { id } = await stage.create();
    await stage.cancel(id);
    const kill = () =>
      stage.service.fault({
        service: 'dynamodb',
        operation: 'Query',
        function: 'purge',
        after: 1,
        effect: 'kill',
      });
    kill();
    stage.service.advance(8 * DAY);
    await until(() => stage.service.cloud.services.faults().length === 0, 'the fault');
    // The run that the schedule started is dead. Lambda tries such a run again; here one is started in the same way.
    kill();
    const { cloud } = stage.service;
    await new LambdaClient({
      endpoint: cloud.services.url,
      region: cloud.services.region,
      credentials: cloud.operator,
      systemClockOffset: cloud.clock.offsetMs(),
    }).send(
      new InvokeCommand({
        FunctionName: stage.service.functionName('purge'),
        InvocationType: 'Event',
        Payload: '{}',
      }),
    );
    await untilGivenUp('schedules', kill, 5 * 60_000);
    const status = await admin('status');
    expect(status.dead_letters.schedules).toBeGreaterThan(0);
    expect(status.overdue.purge).toBeGreaterThan(0);
    expect((await stage.get(id)).retention.pdf_purged).toBe(false);

    expect(await admin('job', 'run', 'purge')).toMatchObject({ job: 'purge', failed: 0 });
    expect((await stage.get(id)).retention.pdf_purged).toBe(true);
    await expect(admin('queue', 'redrive', 'schedules')).rejects.toThrow(/job run/);
    await admin('queue', 'clear', 'schedules');
    expect((await admin('status')).dead_letters.schedules).toBe(0);
  }, 90_000);

  it('refuses what it does not know, in one sentence', async () => {
    await expect(admin('queue', 'redrive', 'nothing')).rejects.toThrow(/There is no queue "nothing"/);
    await expect(admin('job', 'run', 'nothing')).rejects.toThrow(/There is no job "nothing"/);
    await expect(admin('org', 'show', 'nothing')).rejects.toThrow(/There is no organization nothing/);
  });
});
