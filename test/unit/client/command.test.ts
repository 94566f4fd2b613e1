import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command, World } from '../../../client/command/command.ts';
import { download } from '../../../client/command/download.ts';
import { commandHelp } from '../../../client/command/help.ts';
import { lines } from '../../../client/command/login.ts';
import { fileProblem, lineOf, Problem } from '../../../client/command/problem.ts';
import { cancel, list, resend, status } from '../../../client/command/requests.ts';
import { send } from '../../../client/command/send.ts';
import { readSettings, storeSettings } from '../../../client/command/settings.ts';
import { table } from '../../../client/command/text.ts';
import { SignatureRequests } from '../../../client/src/node.ts';
import { fakeService, json, type Reply, refusal, reset, result } from './fake-service.ts';

const SIGNER = {
  id: 's1',
  email: 'ann@example.com',
  name: 'Ann\u001b[2J',
  status: 'sent',
  mails: [],
  // Times of whatever zone the test runs in.
  sent_at: new Date(2026, 10, 21, 0, 5).toISOString(),
};
const REQUEST = {
  id: 'r',
  title: 'Lease',
  status: 'sent',
  expires_at: new Date(2026, 11, 21, 23, 55).toISOString(),
  is_expired: false,
  signers: [SIGNER],
};
const LATE = { ...REQUEST, is_expired: true, signer_count: 1 };

/** The line in which a command fails, with a client that tries nothing again. */
async function lineAt(command: Command, args: string[], ...replies: (() => Response)[]) {
  const fetch = async () => (replies.shift() ?? reset)();
  const client = new SignatureRequests({
    apiKey: 'esk_test_1',
    baseUrl: 'https://sign.example.com',
    retries: 0,
    fetch,
  });
  const world: World = { client: async () => client, isTerminal: true, note: () => undefined };
  return lineOf(await command.run(args, world).catch((error: unknown) => error)).line;
}

async function at(command: Command, args: string[], ...replies: Reply[]) {
  const { client, calls } = fakeService(...replies);
  const notes: string[] = [];
  const world: World = { client: async () => client, isTerminal: true, note: (line) => notes.push(line) };
  return { shown: await result(command.run(args, world)), calls, notes };
}

describe('what a person at a terminal sees', () => {
  it('a request with its signers and times of their own zone, which the deadline names, without what would control the terminal', async () => {
    const { shown } = await at(status, ['r'], json(REQUEST));
    expect(shown?.text).toMatch(
      /^Title {4}Lease\nStatus {3}sent\nExpires {2}2026-12-21 23:55 [A-Z]{3,}\S*\n\nNAME /,
    );
    expect(shown?.text).toMatch(/Ann \[2J +ann@example\.com +sent +2026-11-21 00:05 +s1$/);
  });

  it('that a mail came back, and why a signer declined', async () => {
    const mails = [{ outcome: 'sent' }, { outcome: 'bounced' }];
    const declined = { ...SIGNER, status: 'declined', decline_reason: 'The rent is wrong' };
    const { shown } = await at(
      status,
      ['r'],
      json({ ...REQUEST, signers: [{ ...SIGNER, mails }, declined] }),
    );
    expect(shown?.text).toMatch(/ann@example\.com +sent, mail bounced +2026/);
    expect(shown?.text).toContain('\nReason   The rent is wrong\n');
  });

  it.each<[string, Command, string[], object]>([
    ['a request', status, ['r'], LATE],
    ['a list', list, [], { data: [LATE], has_more: false, next_cursor: null }],
  ])(
    'that the time to sign is over, since a request is still sent until the next night: %s',
    async (_, of, args, answer) => {
      const { shown } = await at(of, args, json(answer));
      expect(shown?.text).toContain('sent, time is over');
    },
  );

  it('a list in columns, of at most as many as were asked for', async () => {
    const rows = ['a', 'b', 'c'].map((id) => ({
      ...REQUEST,
      id,
      signer_count: 1,
      created_at: '2026-11-21T10:00:00Z',
    }));
    const page = json({ data: rows, has_more: true, next_cursor: 'c' });
    const { shown, calls, notes } = await at(list, ['--limit', '2'], page);
    expect(shown?.text.split('\n')).toHaveLength(3);
    expect(calls).toHaveLength(1);
    expect(notes).toEqual(['There are more requests than these 2: see --limit.']);
  });

  it('nothing of further requests under a list that has all', async () => {
    const rows = [{ ...REQUEST, signer_count: 1, created_at: '2026-11-21T10:00:00Z' }];
    const page = json({ data: rows, has_more: false, next_cursor: null });
    expect((await at(list, ['--limit', '1'], page)).notes).toEqual([]);
  });

  it('that there is nothing to list', async () => {
    const { shown } = await at(list, [], json({ data: [], has_more: false, next_cursor: null }));
    expect(shown?.text).toBe('None.');
  });

  it('nothing that turns the direction of a line, nor controls the terminal by the name of a file', () => {
    expect(table(['Ann \u202egpj.exe', 's1'])).toBe('Ann  gpj.exe  s1');
    expect(lineOf(fileProblem('\u001b]0;x\u0007.pdf', 'ENOENT')).line).toBe(' ]0;x .pdf does not exist.');
  });

  it('columns as wide as their widest cell', () => {
    expect(table(['A', 'BB'], ['long', null])).toBe('A     BB\nlong  –');
  });

  it('every option of a command in its help', () => {
    const help = commandHelp(send);
    for (const name of Object.keys(send.options)) expect(help).toContain(`--${name}`);
  });
});

describe('the signers of a send', () => {
  it.each([
    ['Ann Example <ann@example.com>', { name: 'Ann Example', email: 'ann@example.com' }],
    ['"Example, Ann" <ann@example.com>', { name: 'Example, Ann', email: 'ann@example.com' }],
    ['<ann@example.com>', { email: 'ann@example.com' }],
    [' ann@example.com ', { email: 'ann@example.com' }],
  ])('are read from %s', async (to, signer) => {
    const { client, calls } = fakeService(json({ id: 'r', status: 'sent', expires_at: '', signers: [] }));
    const world: World = { client: async () => client, isTerminal: false, note: () => undefined };
    await send.run([import.meta.filename, '--to', to], world);
    expect(calls[0]?.body).toMatchObject({ title: 'command.test.ts', signers: [signer] });
  });

  it.each([
    'Ann <ann@example.com>, Ben <ben@example.com>',
    'ann@example.com, ben@example.com',
    'Ann <ann@example.com;ben@example.com>',
  ])('are refused if several stand in one: %s', async (to) => {
    const sending = lineAt(send, [import.meta.filename, '--to', to], () => json({ id: 'r', signers: [] }));
    expect(await sending).toContain(`--to "${to}" is not one person`);
  });
});

it.each(['abc', '', '1.5', '0x10', '0', '-1'])(
  'a send for "%s" days is wrong usage, and names the option',
  async (days) => {
    const { client, calls } = fakeService();
    const world: World = { client: async () => client, isTerminal: true, note: () => undefined };
    const sending = send.run([import.meta.filename, '--to', 'ann@example.com', `--days=${days}`], world);
    const error = await sending.catch(lineOf);
    expect(error).toEqual({ line: '--days must be a whole number from 1.', exitCode: 2 });
    expect(calls).toHaveLength(0);
  },
);

it('a PDF is not printed on a terminal, which it would garble', async () => {
  const { client, calls } = fakeService();
  const world: World = { client: async () => client, isTerminal: true, note: () => undefined };
  expect(await download.run(['r', '-o', '-'], world).catch(lineOf)).toMatchObject({ exitCode: 2 });
  expect(calls).toHaveLength(0);
});

it('a file that is too large is refused by its size, before it is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'send-'));
  const file = join(folder, 'scan.pdf');
  await writeFile(file, '');
  // Node reads no file of this size at once.
  await truncate(file, 3 * 2 ** 30);
  const line = await lineAt(send, [file, '--to', 'ann@example.com']);
  await rm(folder, { recursive: true });
  expect(line).toBe(`${file} is larger than 10 MB.`);
});

describe('a send of which mails are missing', () => {
  const INVITED = { name: 'Ann', email: 'ann@example.com', email_sent: true, email_error: null };
  const MISSED = { name: 'Ben', email: 'ben@example.com', email_sent: false, email_error: 'rejected' };
  const answer = (status: string, signers: object[]) =>
    json({ id: 'r', status, expires_at: REQUEST.expires_at, signers });

  it.each([
    ['pending', [MISSED]],
    ['sent', [INVITED, MISSED]],
  ])('is not done, and says whom to mail instead of sending again: %s', async (state, signers) => {
    const { client } = fakeService(answer(state, signers));
    const notes: string[] = [];
    const world: World = {
      client: async () => client,
      isTerminal: false,
      note: (line) => void notes.push(line),
    };
    const sent = await send.run([import.meta.filename, '--to', 'ben@example.com'], world);
    expect(sent).toMatchObject({ exitCode: 1, json: { id: 'r', status: state } });
    expect(notes).toEqual([
      'The request was created, but not mailed to ben@example.com. Do not send it again: "signature-requests resend r ADDRESS" mails it.',
    ]);
  });

  it('is done without a note if all were mailed', async () => {
    const { shown } = await at(
      send,
      [import.meta.filename, '--to', 'ann@example.com'],
      answer('sent', [INVITED]),
    );
    expect(shown).toMatchObject({ exitCode: 0 });
  });
});

it.each<[Command, string[], string]>([
  [status, [''], '"status" was given an empty ID.'],
  [resend, ['r', ' '], '"resend" was given an empty SIGNER.'],
])('an empty argument, as of an unset variable, is wrong usage, and is named: %#', async (of, args, line) => {
  const { client, calls } = fakeService();
  const world: World = { client: async () => client, isTerminal: true, note: () => undefined };
  expect(await of.run(args, world).catch(lineOf)).toEqual({ line, exitCode: 2 });
  expect(calls).toHaveLength(0);
});

it.each<[Command, string[], string]>([
  [cancel, ['r', '--reason', '- too late'], '--reason=VALUE'],
  [download, ['r', '-o', '-r.pdf'], '--output=VALUE'],
])('a value that begins with a dash is answered with how to write it: %#', async (of, args, written) => {
  expect(await lineAt(of, args)).toBe(`Write a value that begins with a dash as ${written}.`);
});

it.each([
  ['3', 4],
  ['300', 100],
])(
  'a list of %s is asked for in pages of %i: few calls, and at most one more than is shown',
  async (limit, size) => {
    const { calls } = await at(
      list,
      ['--limit', limit],
      json({ data: [], has_more: false, next_cursor: null }),
    );
    expect(calls.map(({ path }) => path)).toEqual([`/api/v1/signatures?limit=${size}`]);
  },
);

it('a resend asks for one signer by address, whatever its case', async () => {
  const { calls } = await at(resend, ['r', 'ANN@example.com'], json(REQUEST), json({ email_sent: true }));
  expect(calls.map(({ path }) => path)).toEqual([
    '/api/v1/signatures/r',
    '/api/v1/signatures/r/signers/s1/resend',
  ]);
});

it('a resend for which nobody is left says what became of the request', async () => {
  const cancelled = { ...REQUEST, status: 'cancelled', signers: [{ ...SIGNER, status: 'invalidated' }] };
  expect(await lineAt(resend, ['r'], () => json(cancelled))).toBe(
    'Nobody is left to sign: the request’s status is cancelled.',
  );
});

describe('a resend to several', () => {
  const SIGNERS = [SIGNER, { ...SIGNER, id: 's2', email: 'ben@example.com' }];
  const ofTwo = () => json({ ...REQUEST, signers: SIGNERS });

  it('is not done if a mail was not sent', async () => {
    const lost = json({ email_sent: false, email_error: 'rejected' });
    const { shown } = await at(resend, ['r'], ofTwo, json({ email_sent: true, email_error: null }), lost);
    expect(shown).toMatchObject({ exitCode: 1, json: [{ email_sent: true }, { email_sent: false }] });
    expect(shown?.text).toBe('ann@example.com  mailed\nben@example.com  not mailed: rejected');
  });

  it('says who was mailed before it failed', async () => {
    const line = await lineAt(
      resend,
      ['r'],
      ofTwo,
      () => json({ email_sent: true }),
      () => refusal(409, 'request_not_active'),
    );
    expect(line).toBe('It is request_not_active. Mailed before that: ann@example.com.');
  });
});

describe('a change whose outcome is unknown', () => {
  it.each<[string, Command, string[], (() => Response)[]]>([
    ['send', send, [import.meta.filename, '--to', 'ann@example.com'], [reset]],
    ['cancel', cancel, ['r'], [reset]],
    ['resend', resend, ['r', 's1'], [() => json(REQUEST), () => refusal(500, 'internal_error')]],
  ])('%s says to look before it is repeated', async (_, command, args, replies) => {
    expect(await lineAt(command, args, ...replies)).toContain(
      'It may have been done all the same: see "signature-requests list" before you repeat it.',
    );
  });

  it('is not one that was refused', async () => {
    const refused = () => refusal(409, 'request_not_cancellable');
    expect(await lineAt(cancel, ['r'], refused)).toBe('It is request_not_cancellable.');
  });
});

describe('an error', () => {
  it('that asks to wait says how long: its message names a header', async () => {
    const busy = () => refusal(429, 'too_many_requests', { 'retry-after': '7200' });
    expect(await lineAt(list, [], busy)).toBe('It is too_many_requests. Try again in 7200 seconds.');
  });

  it.each([
    [200, 'The answer is not JSON. Is the URL the address of the service?'],
    [404, 'The answer was 404 without an error. Is the URL the address of the service?'],
    [502, 'The answer was 502 without an error.'],
  ])(
    'a page with status %i instead of an answer is asked about once, by the words of a login',
    async (status, line) => {
      expect(await lineAt(list, [], () => new Response('<html>', { status }))).toBe(line);
    },
  );

  it('names all faults of a call, so that one correction is enough', async () => {
    const [title, email] = ['title must not be blank.', 'signers[0].email must be an e-mail address.'];
    const errors = [
      { error: 'invalid_title', message: title },
      { error: 'invalid_signer_email', message: email },
    ];
    const refused = () => json({ ...errors[0], errors }, 400);
    const args = [import.meta.filename, '--to', 'ann@example', '--title', ''];
    expect(await lineAt(send, args, refused)).toBe(`${title} ${email}`);
  });

  it('is one line without keys', () => {
    expect(lineOf(new Problem('The key\n  esk_live_abc-_9 is odd.', 2))).toEqual({
      line: 'The key esk_live_… is odd.',
      exitCode: 2,
    });
  });
});

describe('a login at a terminal', () => {
  /** The answers of somebody who types or pastes all this at once, and what the terminal shows. */
  async function answersOf(typed: string) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = new PassThrough();
    const input = lines({ stdin, stderr });
    const address = input.ask('Address: ');
    stdin.write(typed);
    const answers = [await address, await input.ask('Key: ', { isSecret: true })];
    input.close();
    stderr.end();
    return { answers, shown: await text(stderr) };
  }

  it('a key that was pasted together with the address is not shown', async () => {
    const { answers, shown } = await answersOf('https://sign.example.com\nesk_live_1\n');
    expect(answers).toEqual(['https://sign.example.com', 'esk_live_1']);
    expect(shown).toBe('Address: https://sign.example.com\r\nKey: \n');
  });

  it('the question stays when a letter of the answer is taken back', async () => {
    const { answers, shown } = await answersOf('httpx\u007fs\nk\n');
    expect(answers).toEqual(['https', 'k']);
    const [, rewritten] = shown.split('\u001b[0J');
    expect(rewritten).toMatch(/^Address: http\b/);
  });
});

describe('the settings', () => {
  const SETTINGS = { apiKey: 'esk_test_1', baseUrl: 'https://sign.example.com' };
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are readable by their user alone, even if the file was not', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    const file = await storeSettings(SETTINGS, env);
    await rm(file);
    await writeFile(file, '{}', { mode: 0o644 });
    expect(await storeSettings(SETTINGS, env)).toBe(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    expect(await readSettings(env)).toEqual(SETTINGS);
  });

  it('that cannot be stored leave no copy of the key behind', async () => {
    const stored = join(folder, 'signature-requests');
    await mkdir(join(stored, 'settings.json'), { recursive: true });
    await expect(storeSettings(SETTINGS, { XDG_CONFIG_HOME: folder })).rejects.toThrow('settings.json');
    expect(await readdir(stored)).toEqual(['settings.json']);
  });

  it('that have no folder, since it is a file, name that file and no option that a login lacks', async () => {
    const file = join(folder, 'signature-requests');
    await writeFile(file, '');
    const error = await storeSettings(SETTINGS, { XDG_CONFIG_HOME: folder }).catch(
      (thrown: unknown) => thrown,
    );
    expect(lineOf(error).line).toBe(`${file} is not a folder.`);
  });

  it('are stored although a run with the same process id was killed while it stored them', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    const file = await storeSettings(SETTINGS, env);
    await writeFile(`${file}.${process.pid}`, '{"apiKey":"esk_te');
    await storeSettings({ ...SETTINGS, apiKey: 'esk_test_2' }, env);
    expect(await readSettings(env)).toEqual({ ...SETTINGS, apiKey: 'esk_test_2' });
    expect(await readdir(dirname(file))).toEqual(['settings.json']);
  });

  it('that cannot be read are not called missing', async () => {
    const file = join(folder, 'signature-requests', 'settings.json');
    await mkdir(file, { recursive: true });
    await expect(readSettings({ XDG_CONFIG_HOME: folder })).rejects.toThrow(`${file} is a folder.`);
  });

  it('of the environment hold over the file, both or none', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    await storeSettings(SETTINGS, env);
    const other = {
      SIGNATURE_REQUESTS_API_KEY: 'esk_test_2',
      SIGNATURE_REQUESTS_URL: 'https://other.example.com',
    };
    expect(await readSettings({ ...env, ...other })).toEqual({
      apiKey: 'esk_test_2',
      baseUrl: 'https://other.example.com',
    });
    await expect(
      readSettings({ ...env, SIGNATURE_REQUESTS_URL: 'https://other.example.com' }),
    ).rejects.toThrow('SIGNATURE_REQUESTS_API_KEY is not set');
  });

  it.each([
    ['URL', { ...SETTINGS, baseUrl: 'localhost:3000' }],
    ['URL', { ...SETTINGS, baseUrl: 'https://sign.example.com/api/v1' }],
    ['API_KEY', { ...SETTINGS, apiKey: 'esk_test_…' }],
  ])('of the environment that are no address or key name the variable: %s of %j', async (name, given) => {
    const env = { SIGNATURE_REQUESTS_API_KEY: given.apiKey, SIGNATURE_REQUESTS_URL: given.baseUrl };
    await expect(readSettings(env)).rejects.toThrow(new RegExp(`^SIGNATURE_REQUESTS_${name} (must|is)`));
  });

  it('are read from a file that an editor began with a byte order mark', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    const file = await storeSettings(SETTINGS, env);
    await writeFile(file, `\ufeff${await readFile(file, 'utf8')}`);
    expect(await readSettings(env)).toEqual(SETTINGS);
  });

  it.each([
    ['broken off', '{"apiKey":'],
    ['no object', 'null'],
    ['without an address', '{"apiKey":"esk_test_1"}'],
    ['with an address that is none', '{"apiKey":"esk_test_1","baseUrl":"localhost:3000"}'],
    ['with a key that is no text', '{"apiKey":1,"baseUrl":"https://sign.example.com"}'],
  ])('that are damaged are named: %s', async (_, text) => {
    const file = await storeSettings(SETTINGS, { XDG_CONFIG_HOME: folder });
    await writeFile(file, text);
    await expect(readSettings({ XDG_CONFIG_HOME: folder })).rejects.toThrow(`${file} is damaged`);
  });
});
