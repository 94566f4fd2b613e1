/** @behaviour dynamodb.conditions */

import { randomUUID } from 'node:crypto';
import { cancel } from '../../../shared/requests/ending.ts';
import { recordKeyUse } from '../../../shared/store/key-uses.ts';
import { person, pipes } from '../../support/operator-terminal.ts';
import { changed, storedNew } from '../../support/stored-requests.ts';
import { LocalRun, runAdmin, runHere } from './local-run.ts';

/** Output and questions of the operator's commands, at a terminal and in a pipe. */

let run: LocalRun;
beforeAll(async () => {
  run = await LocalRun.start();
});
afterAll(() => run.stop());

const newOrg = async (name = 'Acme'): Promise<string> =>
  (await run.ok('org', 'create', '--name', name, '--subscription', 'active')).organization_id;

describe('request list', () => {
  const owner = (id: string, mode: 'live' | 'test' = 'live') => ({
    id,
    type: 'organization' as const,
    name: 'Acme',
    mode,
    archive: false,
    reminders: true,
  });
  const signer = (email: string) => ({
    id: randomUUID(),
    email,
    name: 'Anna',
    locale: 'en' as const,
    accessToken: randomUUID(),
    codeHash: 'hash',
  });
  const stored = async (ownerId: string, email = 'anna@example.com', mode: 'live' | 'test' = 'live') =>
    (await storedNew(run.table, 1, { owner: owner(ownerId, mode), signers: [signer(email)] })).state.id;
  const ids = ({ requests }: { requests: { request_id: string }[] }) =>
    requests.map(({ request_id: id }) => id);

  it('request list pages through an organization’s requests, each once', async () => {
    const org = await newOrg();
    const made = [await stored(org), await stored(org), await stored(org)];
    await stored(await newOrg());
    const first = await run.ok('request', 'list', '--org', org, '--limit', '2');
    expect(first.requests[0]).toEqual({
      request_id: expect.any(String),
      status: 'pending',
      created_at: expect.any(String),
      owner_id: org,
      title: 'Contract',
      signers: 1,
    });
    const second = await run.ok('request', 'list', '--org', org, '--limit', '2', '--after', first.next);
    expect(second.next).toBeNull();
    expect([...ids(first), ...ids(second)].sort()).toEqual(made.sort());
  });

  it('request list filters by state, signer and time, and keeps test requests apart', async () => {
    const org = await newOrg();
    const [anna, berta] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    const open = await stored(org, anna);
    const cancelled = await stored(org, berta);
    await changed(run.table, cancelled, (request, now) =>
      cancel(request, { actor: 'operator', reason: null }, now),
    );
    const test = await stored(org, anna, 'test');
    const elsewhere = await stored(await newOrg(), anna);

    const list = async (...filters: string[]) => ids(await run.ok('request', 'list', ...filters));
    expect(await list('--org', org, '--status', 'cancelled')).toEqual([cancelled]);
    expect(await list('--org', org, '--signer', anna.toUpperCase())).toEqual([open]);
    expect((await list('--signer', anna)).sort()).toEqual([open, elsewhere].sort());
    expect(await list('--signer', anna, '--status', 'cancelled')).toEqual([]);
    expect(await list('--org', org, '--test')).toEqual([test]);
    expect(await list('--org', org, '--since', '2026-11-22')).toEqual([]);
    expect((await list('--org', org, '--since', '2026-11-21')).sort()).toEqual([open, cancelled].sort());
  });

  it('request list by signer goes on after a page that other filters emptied', async () => {
    const [org, address] = [await newOrg(), `${randomUUID()}@example.com`];
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) made.push(await stored(org, address));
    const pages: string[] = [];
    let next: string | null = '';
    for (let count = 0; next !== null && count < 5; count += 1) {
      const after: string[] = next === '' ? [] : ['--after', next];
      const page = await run.ok('request', 'list', '--signer', address, '--limit', '1', ...after);
      pages.push(...ids(page));
      next = page.next;
    }
    expect(pages.sort()).toEqual(made.sort());
  });

  it.each([
    ['of another owner', '--signer', { sk: 'other#live#2026-11-22T00:00:00.000Z#sr_1' }],
    ['from before --since', '--since', { createdAt: '2026-11-20T00:00:00.000Z', id: 'sr_1' }],
  ])('request list refuses the position of another list: %s', async (_, option, position) => {
    const value = option === '--since' ? '2026-11-21' : 'a@example.com';
    const next = Buffer.from(JSON.stringify(position)).toString('base64url');
    const options = ['--org', await newOrg(), option, value, '--after', next];
    const { code, stderr } = await run.run('request', 'list', ...options);
    expect([code, stderr.trim()]).toEqual([2, '--after must be the "next" of the same list.']);
  });

  it.each([
    [[], 'Say whose requests: --org ID, --user ID or --signer ADDRESS.'],
    [['--signer', 'nobody'], '--signer must be an e-mail address.'],
    [['--org', 'nobody'], 'There is no organization nobody.'],
    [['--signer', 'a@example.com', '--since', 'yesterday'], /^--since must be a date/],
    [['--signer', 'a@example.com', '--since', '2026-02-31'], /^--since must be a date/],
    [['--signer', 'a@example.com', '--since', '2026-11-21T10:00'], /^--since must be a date/],
    [['--signer', 'a@example.com', '--limit', '0'], '--limit must be a number from 1 to 100.'],
    [['--signer', 'a@example.com', '--after', 'xyz'], '--after must be the "next" of the same list.'],
  ])('request list %j is refused with one sentence', async (options, sentence) => {
    const { code, stderr } = await run.run('request', 'list', ...options);
    expect([code, stderr.trim()]).toEqual([
      2,
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    ]);
  });
});

describe('API keys', () => {
  it('key list shows name, prefix and last use, and null for keys from before they were kept', async () => {
    const org = await newOrg();
    const named = await run.ok('key', 'create', '--org', org, '--name', 'Billing');
    const old = await run.ok('key', 'create', '--org', org);
    await run.table.update(
      { pk: `OWNER#${org}`, sk: `KEY#${old.key_id}` },
      { name: undefined, prefix: undefined },
    );
    const usedAt = new Date('2026-11-21T12:34:56.000Z');
    await recordKeyUse(run.table, named.key_id, usedAt);
    const keys = await run.ok('key', 'list', '--org', org);
    expect(keys.find(({ key_id: id }: { key_id: string }) => id === named.key_id)).toMatchObject({
      name: 'Billing',
      prefix: named.api_key.slice(0, 13),
      last_used_at: usedAt.toISOString(),
    });
    expect(keys.find(({ key_id: id }: { key_id: string }) => id === old.key_id)).toMatchObject({
      name: null,
      prefix: null,
      last_used_at: null,
    });
    expect((await run.ok('org', 'show', org)).keys).toContainEqual(
      expect.objectContaining({ name: 'Billing' }),
    );
  });

  it('the use of a key is written once an hour', async () => {
    const uses = async () => (await run.table.get({ pk: 'KEYUSE#hourly', sk: 'KEYUSE' }))?.usedAt;
    const at = (time: string) => recordKeyUse(run.table, 'hourly', new Date(`2026-11-21T${time}.000Z`));
    await at('12:00:01');
    await at('12:59:59');
    expect(await uses()).toBe('2026-11-21T12:00:01.000Z');
    await at('13:00:00');
    expect(await uses()).toBe('2026-11-21T13:00:00.000Z');
  });

  it('key revoke takes a pasted key and shows nothing of it', async () => {
    const org = await newOrg();
    const { key_id: id, api_key: key } = await run.ok('key', 'create', '--org', org);
    const revoked = { key_id: id, revoked_at: expect.any(String) };

    const typing = person(key);
    const typed = await run.runAt(typing, 'key', 'revoke', '--json');
    expect([typed.code, typed.json]).toEqual([0, revoked]);
    const given = await run.run('key', 'revoke', key);
    expect(given.json).toEqual(revoked);
    for (const text of [typed.stdout, typed.stderr, given.stdout, given.stderr, ...typing.seen])
      expect(text).not.toContain(key);
  });

  it('key revoke reads a key from a pipe', async () => {
    const org = await newOrg();
    const { key_id: id, api_key: key } = await run.ok('key', 'create', '--org', org);
    const piped = await runAdmin(['key', 'revoke', '--dir', run.dir], {}, `${key}\n`);
    expect(piped).toMatchObject({ code: 0, stderr: '', json: { key_id: id } });
    expect(piped.stdout).not.toContain(key);
    expect(await runAdmin(['key', 'revoke', '--dir', run.dir], {}, '')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There was no answer; nothing was changed.\n',
    });
  });

  it('no message quotes a pasted key', async () => {
    const org = await newOrg();
    const { api_key: key } = await run.ok('key', 'create', '--org', org);
    const unknown = `esk_live_${'x'.repeat(43)}`;
    for (const call of [
      ['key', 'revoke', unknown],
      ['key', 'revoke', `${key}x`],
      ['key', 'revoke', 'some-id', key],
      ['request', 'show', key],
    ]) {
      const { code, stdout, stderr } = await run.run(...call);
      expect([code, stdout]).toEqual([2, '']);
      for (const secret of [key.slice(9), unknown.slice(9)]) expect(stderr).not.toContain(secret);
    }
  });
});

describe('org', () => {
  it('org rename changes what signers of new requests see, and nothing else', async () => {
    const org = await newOrg('Old name');
    expect(await run.ok('org', 'rename', org, 'New name')).toMatchObject({
      organization_id: org,
      name: 'New name',
      subscription: 'active',
    });
    expect((await run.ok('org', 'show', org)).name).toBe('New name');
    expect((await run.run('org', 'rename', org, 'a\nb')).stderr).toMatch(/^The name must be one line/);
    expect((await run.run('org', 'rename', randomUUID(), 'Acme')).stderr).toMatch(/no organization/);
  });

  it('org create asks for a subscription at a terminal', async () => {
    const typing = person('active');
    const made = await run.runAt(typing, 'org', 'create', '--name', 'Asked', '--json');
    expect(made.json.subscription).toBe('active');
    expect(typing.seen).toEqual([expect.stringContaining('Subscription (active, inactive, none)')]);

    const enter = person('');
    const none = await run.runAt(enter, 'org', 'create', '--name', 'Asked', '--json');
    expect(none.json.subscription).toBe('none');
    expect(enter.seen.at(-1)).toContain('402');

    const capital = person('Inactive');
    const inactive = await run.runAt(capital, 'org', 'create', '--name', 'Asked', '--json');
    expect(inactive.json.subscription).toBe('inactive');
    expect(capital.seen.at(-1)).toContain('402');
    expect(await run.runAt(person('gold'), 'org', 'create', '--name', 'Asked')).toMatchObject({ code: 2 });
  });

  it('org create in a pipe does not ask, and says what 402 will mean', async () => {
    const notes: string[] = [];
    const made = await run.runAt(pipes(notes), 'org', 'create', '--name', 'Piped');
    expect(made.json.subscription).toBe('none');
    expect(notes).toEqual([
      expect.stringMatching(/refused with 402.*"org update ID --subscription active" changes that/),
    ]);
    notes.length = 0;
    await run.runAt(pipes(notes), 'org', 'create', '--name', 'Piped', '--subscription', 'none');
    expect(notes).toEqual([]);
  });
});

describe('output', () => {
  it('lists are tables on a terminal and JSON with --json', async () => {
    const org = await newOrg('Tabled');
    await run.ok('key', 'create', '--org', org, '--name', 'Control\u0007less'.replace('\u0007', ''));
    const { stdout } = await run.runAt(person(), 'key', 'list', '--org', org);
    const [head = '', row = ''] = stdout.split('\n');
    expect(head.trim().split(/ {2,}/)).toEqual([
      'key_id',
      'organization_id',
      'name',
      'prefix',
      'mode',
      'created_at',
      'last_used_at',
      'revoked_at',
    ]);
    expect(row).toContain(org);
    expect(row).toContain('Controlless');
    expect((await run.runAt(person(), 'key', 'list', '--org', org, '--json')).json).toHaveLength(1);
    expect((await run.run('key', 'list', '--org', org)).json).toHaveLength(1);
  });

  it('a record is shown as names and values, and the lists in it as tables', async () => {
    const org = await newOrg('Recorded');
    await run.ok('key', 'create', '--org', org);
    const { stdout } = await run.runAt(person(), 'org', 'show', org);
    expect(stdout).toMatch(/^ {2}organization_id +[0-9a-f-]{36}$/m);
    expect(stdout).toMatch(/^keys:\n {2}key_id +name/m);
    expect(stdout).toMatch(/^requests:\n {2}pending +0$/m);
  });
});

describe('the common options', () => {
  it('the common options work before and after the command', async () => {
    const before = await runHere(['--dir', run.dir, '--json', 'org', 'list']);
    const after = await runHere(['org', 'list', `--dir=${run.dir}`]);
    expect(before).toMatchObject({ code: 0, stderr: '' });
    expect(before.json).toEqual(after.json);
    const help = await runHere(['--stack', 'signatures', 'org', 'create', '--help']);
    expect(help.stdout).toContain('Create an organization');
    expect(await runHere(['--stack', 'signatures', '--dir=x', 'org', 'list'])).toMatchObject({
      code: 2,
      stderr: 'Give --dir for a local run or --stack for a deployed stack, not both.\n',
    });
  });
});
