/** @behaviour dynamodb.conditions */

import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { LocalRun, runAdmin, runHere } from './local-run.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('the admin command with bad input', () => {
  let run: LocalRun;
  let org: string;
  beforeAll(async () => {
    run = await LocalRun.start();
    org = (await run.ok('org', 'create', '--name', 'Acme')).organization_id;
  });
  afterAll(() => run.stop());

  it.each([
    [[], 'Name a command; --help lists them.'],
    [['--colour', 'org', 'list'], 'Name a command; --help lists them.'],
    [['org'], /^There is no command "org"\. There is "org create", "org update"/],
    [['fly', 'away'], 'There is no command "fly away". --help lists them.'],
    [['org', 'create'], '"org create" needs --name.'],
    [['org', 'create', '--name', ' '], '--name must not be empty.'],
    [
      ['org', 'create', '--name', 'a\nb'],
      '--name must be one line of 1 to 200 characters, with a visible one.',
    ],
    [['org', 'create', '--name', 'x', '--colour', 'red'], /^Unknown option '--colour' \("org create --help"/],
    [['org', 'create', '--name', 'x', '--archive=on'], /does not take an argument/],
    [['org', 'create', '--name'], /^Option .--name. argument is ambiguous/],
    [
      ['org', 'create', '--name', 'x', '--subscription', 'gold'],
      '--subscription must be one of active, inactive, none, not "gold".',
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
    [['org', 'update', UNKNOWN_ID, '--archive', 'on'], `There is no organization ${UNKNOWN_ID}.`],
    [['org', 'update', ''], '"org update" was given an empty id.'],
    [['key', 'revoke', ' '], '"key revoke" was given an empty key.'],
    [['org', 'update', 'x', 'y'], '"org update" does not take "y".'],
    [['user', 'create', '--email', 'nobody'], '--email must be an e-mail address.'],
    [['user', 'create', '--email', 'a@example.com', '--role', 'admin'], '--role needs --org.'],
    [
      ['user', 'create', '--email', 'a@example.com', '--org', UNKNOWN_ID, '--subscription', 'active'],
      /^Members use the organization’s subscription\./,
    ],
    [['key', 'create'], 'Name the owner of the key: --org ID or --user ID.'],
    [['key', 'create', '--org', UNKNOWN_ID, '--user', UNKNOWN_ID], 'Give --org or --user, not both.'],
    [['key', 'create', '--user', UNKNOWN_ID], `There is no user ${UNKNOWN_ID}.`],
    [['key', 'revoke', 'abc'], 'There is no key abc.'],
    [['key', 'revoke', 'esk_live_abc'], 'That is not a complete API key.'],
    [['request', 'verify-audit', UNKNOWN_ID], `There is no request ${UNKNOWN_ID}.`],
    [['org', 'list', '--region', 'eu-north-1'], '--region needs --stack.'],
    [['org', 'list', '--stack', ''], '--stack must not be empty.'],
    [['--stack=', 'org', 'list'], '--stack must not be empty.'],
    [['org', 'list', '--stack', 'x', '--region', ' '], '--region must not be empty.'],
  ])('%j is refused with one sentence and exit code 2', async (args, sentence) => {
    const outcome = await run.run(...args);
    expect(outcome.stderr.trim()).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
    expect(outcome.stderr.trim()).not.toContain('\n');
    expect(outcome.stdout).toBe('');
    expect(outcome.code).toBe(2);
  });

  it('the id of an organization is not accepted as that of a user', async () => {
    const outcome = await run.run('key', 'create', '--user', org);
    expect(outcome).toMatchObject({ code: 2, stderr: `There is no user ${org}.\n` });
  });

  it('--help lists the commands and explains each of them', async () => {
    const overview = await runHere(['--help']);
    expect(overview.code).toBe(0);
    for (const name of ['org create', 'key revoke', 'request verify-audit ID', 'demo'])
      expect(overview.stdout).toContain(name);
    const { stdout } = await runHere(['org', 'update', '--help']);
    expect(stdout).toContain('org update ID [--subscription active|inactive|none] [--archive on|off]');
    const group = await runHere(['key', '--help']);
    expect(group.stdout).toContain('key create');
    expect(group.stdout).not.toContain('org create');
    for (const name of [[], ['org', 'update'], ['key']])
      expect(await runHere([...name, '-h'])).toEqual(await runHere([...name, '--help']));
  });

  it('a stack without a seal key in KMS is told from one that is out of date', async () => {
    expect(await run.run('seal-key', 'csr', '--subject', 'CN=Acme')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The stack has no seal key in KMS: deploy it with -c sealKey=rsa or ec/),
    });
  });

  it('a local run that is missing or does not answer is reported with exit code 1', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'no-run-'));
    expect(await runHere(['org', 'list', '--dir', dir])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `No local run in ${dir}: start one with npm start, or name a deployed stack with --stack.\n`,
    });
    writeFileSync(join(dir, 'run.json'), JSON.stringify({ control_url: 'http://127.0.0.1:9', outputs: {} }));
    expect(await runHere(['org', 'list', '--dir', dir])).toMatchObject({
      code: 1,
      stderr: `The local run in ${dir} does not answer; start it with npm start.\n`,
    });
  });

  it('a result for which the disk has no room is reported in one sentence, with exit code 1', async () => {
    const shell = ['-c', 'exec "$@" >/dev/full', 'sh', process.execPath, 'admin/main.ts'];
    const child = spawn('sh', [...shell, 'org', 'list', '--dir', run.dir], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'The command was carried out, but its result could not be printed (ENOSPC).\n',
    });
  });

  it('a reader who has enough of the result, such as head, is no error', async () => {
    const child = spawn(process.execPath, ['admin/main.ts', 'org', 'list', '--dir', run.dir]);
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('a command whose messages nobody reads is carried out', async () => {
    const create = ['org', 'create', '--name', 'Unread', '--dir', run.dir];
    const child = spawn(process.execPath, ['admin/main.ts', ...create]);
    child.stderr.destroy();
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(code).toBe(0);
    expect(await run.ok('org', 'list')).toContainEqual(JSON.parse(stdout));
  });

  it('a missing region or missing credentials are named when a deployed stack is addressed', async () => {
    const none = {
      AWS_REGION: '',
      AWS_DEFAULT_REGION: '',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    expect(await runAdmin(['org', 'list', '--stack', 'x'], none)).toMatchObject({
      code: 2,
      stderr: 'Set the region with --region or AWS_REGION.\n',
    });
    const { code, stderr } = await runAdmin(['org', 'list', '--stack', 'x', '--region', 'eu-north-1'], {
      ...none,
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_ACCESS_KEY_ID: '',
      AWS_SECRET_ACCESS_KEY: '',
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'There are no AWS credentials in the environment; sign in first, for example with AWS_PROFILE.\n',
    });
  });

  it('a profile without credentials is named, and how to renew a session that has ended', async () => {
    const HOME = mkdtempSync(join(tmpdir(), 'home-'));
    const AWS_CONFIG_FILE = join(HOME, 'config');
    const url = 'https://acme.example.com/start';
    writeFileSync(
      AWS_CONFIG_FILE,
      `[profile ops]\nsso_start_url=${url}\nsso_region=eu-north-1\nsso_account_id=1\nsso_role_name=Ops\n`,
    );
    const sessions = join(HOME, '.aws', 'sso', 'cache');
    mkdirSync(sessions, { recursive: true });
    writeFileSync(
      join(sessions, `${hash('sha1', url)}.json`),
      JSON.stringify({ startUrl: url, accessToken: 'token', expiresAt: '2026-01-01T00:00:00Z' }),
    );
    const environment = { HOME, AWS_CONFIG_FILE, AWS_ACCESS_KEY_ID: '', AWS_EC2_METADATA_DISABLED: 'true' };
    const list = ['org', 'list', '--stack', 'x', '--region', 'eu-north-1'];
    expect((await runAdmin(list, { ...environment, AWS_PROFILE: 'ops' })).stderr).toMatch(
      /^The SSO session .* has expired\. .* run aws sso login/,
    );
    expect((await runAdmin(list, { ...environment, AWS_PROFILE: 'opps' })).stderr).toBe(
      'The profile "opps" gives no AWS credentials; check its name (AWS_PROFILE) and its settings.\n',
    );
  });
});
