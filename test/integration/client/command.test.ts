import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhooks } from '../../../client/src/node.ts';
import { makePdf } from '../../support/pdf.ts';
import { Receiver } from '../../support/receiver.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ended, type Place, runCommand, startCommand } from './command.ts';

let service: Service;
let owner: ApiClient;
let folder: string;
let place: Place;

beforeAll(async () => {
  service = await Service.start();
  owner = await service.client();
  folder = await mkdtemp(join(tmpdir(), 'command-'));
  await writeFile(join(folder, 'lease.pdf'), await makePdf());
  const env = { SIGNATURE_REQUESTS_API_KEY: owner.apiKey, SIGNATURE_REQUESTS_URL: service.baseUrl };
  place = { cwd: folder, env };
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => runCommand(args, place);

/** Runs a command that must succeed. */
async function ok(...args: string[]) {
  const { code, stderr, json } = await run(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return json;
}

describe('signature-requests', () => {
  it.each([[], ['download']])('says with -h what it says with --help: %j', async (...name) => {
    const [short, long] = await Promise.all([run(...name, '-h'), run(...name, '--help')]);
    expect(short).toEqual(long);
    expect(short).toMatchObject({ code: 0, stderr: '' });
  });

  it('a command whose message nobody reads ends with the same code', async () => {
    const child = startCommand(['nothing'], place);
    child.stderr?.destroy();
    expect(await once(child, 'close')).toEqual([2, null]);
  });

  it('sends a PDF, waits until it is sealed, downloads and verifies it', async () => {
    const sent = await ok(
      ...['send', 'lease.pdf', '--to', 'Ann Example <ann@example.com>', '--to', 'ben@example.com'],
      ...['--language', 'fi', '--days', '7', '--reference', 'Lease 7'],
    );
    expect(sent.signers).toMatchObject([
      { email: 'ann@example.com', name: 'Ann Example', locale: 'fi', email_sent: true },
      { email: 'ben@example.com', locale: 'fi' },
    ]);
    const listed = await until(async () => {
      const found = await ok('list', '--reference', 'Lease 7', '--status', 'sent');
      return found.length > 0 && found;
    }, 'the list');
    expect(listed).toMatchObject([{ id: sent.id, title: 'lease' }]);

    const waiting = run('status', sent.id, '--wait');
    for (const { access_token, email } of sent.signers)
      expect((await (await service.verifiedSigner(access_token, email)).sign()).status).toBe(200);
    const { json: sealed } = await waiting;
    expect(sealed).toMatchObject({ id: sent.id, status: 'signed' });

    expect(await ok('download', sent.id)).toMatchObject({ file: `${sent.id}.pdf` });
    await ok('download', sent.id, '--evidence', '-o', 'evidence.pdf');
    await ok('download', sent.id, '--audit-trail');
    const document = await readFile(join(folder, `${sent.id}.pdf`));
    expect(createHash('sha256').update(document).digest('hex')).toBe(sealed.document_hash);

    const again = await run('download', sent.id);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\S+ exists already; name another .*\n$/),
    });

    const verified = await run('verify', `${sent.id}.pdf`, 'evidence.pdf');
    expect(verified).toMatchObject({ code: 1, json: { judgement: 'intact' } });
    const [{ signer, timestamp }] = verified.json.document.signatures;
    await writeFile(join(folder, 'trust.txt'), `${signer.fingerprint}\n${timestamp.authority.fingerprint}\n`);
    const trusted = await run('verify', `${sent.id}.pdf`, 'evidence.pdf', '--trust', 'trust.txt');
    expect(trusted).toMatchObject({ code: 0, json: { judgement: 'green' } });
    await writeFile(
      join(folder, 'altered.pdf'),
      Buffer.concat([document, Buffer.from('1 0 obj\nnull\nendobj\n')]),
    );
    expect(await run('verify', 'altered.pdf')).toMatchObject({ code: 1, json: { judgement: 'red' } });
    const untrusting = await run('verify', 'altered.pdf', '--trust', 'altered.pdf');
    expect(untrusting).toMatchObject({ code: 1, stderr: expect.stringContaining('altered.pdf has neither') });
  }, 90_000);

  it('writes out in JSON what a title holds that would control a terminal', async () => {
    const title = 'Lease\u009b2J\u202e';
    const { id } = await ok('send', 'lease.pdf', '--title', title, '--to', 'ann@example.com');
    const { stdout, json } = await run('status', id);
    expect(json).toMatchObject({ title });
    expect(stdout).not.toMatch(/[\u009b\u202e]/);
  });

  it('resends to one signer or to all who have not signed, and cancels', async () => {
    const { id, signers } = await ok(
      'send',
      'lease.pdf',
      '--to',
      'cai@example.com',
      '--to',
      'dan@example.com',
    );
    expect(await ok('resend', id, 'cai@example.com')).toMatchObject([
      { signer_id: signers[0].id, email_sent: true },
    ]);
    expect(await ok('resend', id)).toHaveLength(2);
    expect(service.mails('cai@example.com')).toHaveLength(3);
    expect(await ok('cancel', id, '--reason', 'A mistake')).toMatchObject({ id, status: 'cancelled' });
    expect(await run('status', id, '--wait')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is cancelled'),
    });
  });

  it('stores the key of a login for its user alone, and nothing of a wrong one', async () => {
    const here = { cwd: folder, env: {} };
    const login = (key: string) => runCommand(['login', '--url', service.baseUrl], here, `${key}\n`);
    expect(await login('esk_live_wrong')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('valid key'),
    });
    expect(await readdir(folder)).not.toContain('signature-requests');

    const full = { ...here, mostBlocks: 0 };
    const { stderr } = await runCommand(['login', '--url', service.baseUrl], full, `${owner.apiKey}\n`);
    expect(stderr).toMatch(/^\/\S+\/settings\.json cannot be used \(EFBIG\)\.\n$/);
    expect(await readdir(join(folder, 'signature-requests'))).toEqual([]);

    const { code, json } = await login(owner.apiKey);
    expect(code).toBe(0);
    expect((await stat(json.stored)).mode & 0o777).toBe(0o600);
    expect(await runCommand(['list'], here)).toMatchObject({ code: 0, stderr: '' });
    await rm(join(folder, 'signature-requests'), { recursive: true });
  });

  it.each([
    ['a command that is none', ['sned'], 2, 'There is no command "sned"'],
    ['a missing argument', ['status'], 2, '"status" needs ID'],
    ['one too many', ['status', 'a', 'b'], 2, '"status" does not take "b"'],
    ['an unknown option', ['list', '--nope'], 2, "Unknown option '--nope': see"],
    ['no signer', ['send', 'lease.pdf'], 2, '"send" needs a signer: --to'],
    ['no address to forward to', ['listen'], 2, '"listen" needs --forward'],
    [
      'an address without http',
      ['listen', '--forward', 'localhost:4000/hook'],
      2,
      '"listen" needs --forward',
    ],
    ['an empty id', ['status', ''], 2, '"status" was given an empty ID'],
    [
      'an address without http to log in to',
      ['login', '--url', 'localhost:3000'],
      1,
      'must look like https:',
    ],
    ['a file that is not there', ['send', 'no.pdf', '--to', 'ann@example.com'], 1, 'no.pdf does not exist.'],
    ['a folder to verify', ['verify', '.'], 1, '. is a folder.'],
    ['a folder to send', ['send', '.', '--to', 'ann@example.com'], 1, 'A folder is named where a file'],
    ['a signer without address', ['send', 'lease.pdf', '--to', 'Ann'], 2, '--to "Ann" has no address'],
    ['a status that is none', ['list', '--status', 'sealed'], 1, 'status'],
    [
      'a request that is not there',
      ['status', '8b0f2c1e-7f0d-4c8e-9a55-3f0f5f2f6f10'],
      1,
      '"signature-requests list"',
    ],
  ])('says in one line what to do about %s', async (_, args, code, words) => {
    const { stderr, ...outcome } = await run(...args);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(words);
  });

  it('"listen" ends where its endpoint is refused', async () => {
    const env = { SIGNATURE_REQUESTS_API_KEY: 'esk_live_wrong', SIGNATURE_REQUESTS_URL: service.baseUrl };
    const args = ['listen', '--forward', 'http://127.0.0.1:4000/hook'];
    expect(await runCommand(args, { cwd: folder, env })).toMatchObject({ code: 1, stdout: '' });
  });

  it.each([
    ['no key', {}, 'There is no API key. Run "signature-requests login"'],
    ['half of the settings', { SIGNATURE_REQUESTS_API_KEY: 'k' }, 'SIGNATURE_REQUESTS_URL is not set'],
    [
      'a service that does not answer',
      { SIGNATURE_REQUESTS_API_KEY: 'k', SIGNATURE_REQUESTS_URL: 'http://127.0.0.1:1' },
      'Is the address right',
    ],
  ])('says in one line what to do about %s', async (_, env, words) => {
    const { code, stderr } = await runCommand(['cancel', 'an-id'], { cwd: folder, env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(words);
  });

  it('forwards webhooks with their headers until it is stopped, and leaves nothing behind', async () => {
    const program = await Receiver.start();
    const listening = startCommand(['listen', '--forward', program.url], place);
    let notes = '';
    listening.stderr?.on('data', (chunk) => {
      notes += chunk;
    });
    const outcome = ended(listening);
    const secret = await until(() => /whsec_\S+/.exec(notes)?.[0], 'the secret');

    const { id } = await ok('send', 'lease.pdf', '--to', 'eve@example.com');
    const { raw, headers } = await until(() => program.deliveries[0], 'a webhook');
    expect(await webhooks.verify(raw, headers, secret)).toMatchObject({ data: { signature_request_id: id } });
    await until(() => program.deliveries.length === 2, 'both webhooks');
    const [endpoint] = (await owner.get('/api/v1/webhook-endpoints')).body.data;
    const stranger = await fetch(endpoint.url, { method: 'POST', body: '{}' });
    expect(stranger.status).toBe(401);

    listening.kill('SIGINT');
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 401]);
    expect((await owner.get('/api/v1/webhook-endpoints')).body.data).toEqual([]);
    program.stop();
  });
});
