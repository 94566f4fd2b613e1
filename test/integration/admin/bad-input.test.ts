import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalRun, runAdmin } from './local-run.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('the administrator’s command, used wrongly', () => {
  let run: LocalRun;
  let org: string;
  beforeAll(async () => {
    run = await LocalRun.start();
    org = (await run.ok('org', 'create', '--name', 'Acme')).organization_id;
  });
  afterAll(() => run.stop());

  it.each([
    [[], 'Say what to do; --help lists the commands.'],
    [['org'], /^There is no command "org"\. There is "org create", "org update"/],
    [['fly', 'away'], 'There is no command "fly away". --help lists them.'],
    [['org', 'create'], '"org create" needs --name.'],
    [['org', 'create', '--name', ' '], '--name must not be empty.'],
    [['org', 'create', '--name', 'a\nb'], '--name must be one line of at most 200 characters.'],
    [['org', 'create', '--name', 'x', '--colour', 'red'], /^Unknown option '--colour' \("org create --help"/],
    [['org', 'create', '--name', 'x', '--archive=on'], /does not take an argument/],
    [['org', 'create', '--name'], /^Option .--name. argument is ambiguous/],
    [
      ['org', 'create', '--name', 'x', '--subscription', 'gold'],
      '--subscription is one of active, inactive, none, not "gold".',
    ],
    [
      ['org', 'create', '--name', 'x', '--webhook-url', 'ftp://x.example'],
      '--webhook-url must be an https address.',
    ],
    [
      ['org', 'create', '--name', 'x', '--webhook-url', 'http://192.168.1.2/'],
      '--webhook-url must be an https address.',
    ],
    [['org', 'update'], '"org update" needs an id.'],
    [['org', 'update', NOBODY, '--archive', 'on'], `There is no organization ${NOBODY}.`],
    [['org', 'update', 'x', 'y'], '"org update" does not take "y".'],
    [['user', 'create', '--email', 'nobody'], '"nobody" is not an e-mail address.'],
    [['key', 'create'], 'Say whose key it is: --org ID or --user ID.'],
    [['key', 'create', '--org', NOBODY, '--user', NOBODY], 'Give --org or --user, not both.'],
    [['key', 'create', '--user', NOBODY], `There is no user ${NOBODY}.`],
    [['key', 'revoke', 'abc'], 'There is no key abc.'],
    [['key', 'revoke', 'esk_live_abc'], 'Give the key’s id, as "key list" shows it, not the key.'],
    [['request', 'verify-audit', NOBODY], `There is no request ${NOBODY}.`],
    [['org', 'list', '--region', 'eu-north-1'], '--region belongs to --stack.'],
  ])('answers %j with one sentence and code 2', async (args, sentence) => {
    const outcome = await run.run(...args);
    expect(outcome.stderr.trim()).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
    expect(outcome.stderr.trim()).not.toContain('\n');
    expect(outcome.stdout).toBe('');
    expect(outcome.code).toBe(2);
  });

  it('does not take an organization’s id for a user’s', async () => {
    const outcome = await run.run('key', 'create', '--user', org);
    expect(outcome).toMatchObject({ code: 2, stderr: `There is no user ${org}.\n` });
  });

  it('explains itself', async () => {
    const overview = await runAdmin(['--help']);
    expect(overview.code).toBe(0);
    for (const name of ['org create', 'key revoke KEY_ID', 'request verify-audit ID', 'demo'])
      expect(overview.stdout).toContain(name);
    const { stdout } = await runAdmin(['org', 'update', '--help']);
    expect(stdout).toContain('org update ID [--subscription active|inactive|none] [--archive on|off]');
    const group = await runAdmin(['key', '--help']);
    expect(group.stdout).toContain('key create');
    expect(group.stdout).not.toContain('org create');
  });

  it('says that there is no local run, or that it does not answer, with code 1', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'no-run-'));
    expect(await runAdmin(['org', 'list', '--dir', dir])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `No local run in ${dir}: start one with npm start, or name a deployed stack with --stack.\n`,
    });
    writeFileSync(join(dir, 'run.json'), JSON.stringify({ control_url: 'http://127.0.0.1:9', outputs: {} }));
    expect(await runAdmin(['org', 'list', '--dir', dir])).toMatchObject({
      code: 1,
      stderr: `The local run in ${dir} does not answer; start it with npm start.\n`,
    });
  });

  it('says what it misses to reach a deployed stack', async () => {
    const none = {
      AWS_REGION: '',
      AWS_DEFAULT_REGION: '',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    expect(await runAdmin(['org', 'list', '--stack', 'x'], none)).toMatchObject({
      code: 2,
      stderr: 'Say which region: --region REGION, or AWS_REGION in the environment.\n',
    });
    const { code, stderr } = await runAdmin(['org', 'list', '--stack', 'x', '--region', 'eu-north-1'], {
      ...none,
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_ACCESS_KEY_ID: '',
      AWS_SECRET_ACCESS_KEY: '',
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'There are no AWS credentials in the environment; sign in first, for one with AWS_PROFILE.\n',
    });
  });
});
