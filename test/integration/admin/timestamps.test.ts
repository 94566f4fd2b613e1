/** @behaviour secrets.versions */

import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import { TimestampAuthority } from '../../../local/timestamp-authority/authority.ts';
import { makeDemoCa, pem } from '../../support/demo-keys.ts';
import { listenHere, originOf } from '../../support/loopback.ts';
import { person } from '../../support/operator-terminal.ts';
import { ACCOUNT, REGION } from '../local-services/harness.ts';
import { LocalRun, type Outcome } from './local-run.ts';

/** An authority is stored only after it has given a valid timestamp. */

const SECRET = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:timestamp-abcdef`;
const POLICY = '1.3.6.1.4.1.13762.3';
const YEAR = 365 * 86_400_000;

let run: LocalRun;
let folder: string;
let authority: TimestampAuthority;
const servers: Server[] = [];

beforeAll(async () => {
  run = await LocalRun.start();
  folder = mkdtempSync(join(tmpdir(), 'timestamps-'));
  authority = new TimestampAuthority(join(folder, 'tsa'), run.cloud.clock);
});
beforeEach(() =>
  new SecretsManagerClient(run.cloud.operator).send(
    new PutSecretValueCommand({ SecretId: SECRET, SecretString: '{}' }),
  ),
);
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await run.stop();
  rmSync(folder, { recursive: true });
});

/** Starts a server and returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await listenHere(server);
  return `${originOf(server)}/timestamp`;
}

const valid: RequestListener = async (request, response) =>
  response.end(authority.answer(await buffer(request)));

/** Requires this login. */
const withLogin =
  (username: string, password: string): RequestListener =>
  (request, response) => {
    const login = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (request.headers.authorization !== login) return response.writeHead(401).end();
    return valid(request, response);
  };

const stored = async () => JSON.parse(await run.cloud.services.secretValue(SECRET));
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const caPem = () => readFileSync(authority.caFile, 'utf8');

const rootOf = (text: string) => {
  const { subject, validToDate } = new X509Certificate(text);
  return { subject: subject.replaceAll('\n', ', '), expires_at: validToDate.toISOString() };
};
const shown = (url: string, more: object = {}) => ({
  url,
  login: false,
  policy_oid: null,
  roots: [rootOf(caPem())],
  ...more,
});

const set = (url: string, ...more: string[]) =>
  run.ok('timestamp', 'set', '--url', url, '--ca-file', authority.caFile, ...more);
const trySet = (url: string, ...more: string[]) =>
  run.run('timestamp', 'set', '--url', url, '--ca-file', authority.caFile, ...more);
const outcomeOf = ({ code, stdout, stderr }: Outcome) => [code, stdout, stderr.trim()];

describe('timestamp set', () => {
  it('timestamp set adds authorities in order, each after it has given a valid timestamp', async () => {
    const [first, second] = [await serve(valid), await serve(valid)];
    expect(await set(first)).toEqual([shown(first)]);
    expect(await set(second, '--policy-oid', POLICY)).toEqual([
      shown(first),
      shown(second, { policy_oid: POLICY }),
    ]);
    expect(await stored()).toEqual({
      authorities: [
        { url: first, ca_pem: caPem() },
        { url: second, ca_pem: caPem(), policy_oid: POLICY },
      ],
    });
  });

  it('timestamp set replaces the authority with the same URL in its place', async () => {
    const [first, second] = [await serve(valid), await serve(valid)];
    // The same URL in another spelling.
    await set(first.replace('http:', 'HTTP:'), '--policy-oid', POLICY);
    await set(second);
    expect(await set(first)).toEqual([shown(first), shown(second)]);
    expect((await stored()).authorities).toHaveLength(2);
  });

  it('timestamp set reads the password from the environment and never prints it', async () => {
    const url = await serve(withLogin('acme', 'open sesame'));
    const login = ['--username', 'acme', '--password-env', 'TSA_PASSWORD'];
    const call = ['timestamp', 'set', '--url', url, '--ca-file', authority.caFile, ...login];

    const refused = await run.runWith({ TSA_PASSWORD: 'close sesame' }, ...call);
    expect(outcomeOf(refused)).toEqual([
      1,
      '',
      expect.stringMatching(/^Nothing was stored: .*\(.*HTTP 401\)\.$/),
    ]);
    expect(refused.stderr).not.toContain('sesame');
    expect(await stored()).toEqual({});

    const taken = await run.runWith({ TSA_PASSWORD: 'open sesame' }, ...call);
    expect([taken.code, taken.json]).toEqual([0, [shown(url, { login: true })]]);
    const listed = await run.run('timestamp', 'list');
    expect(listed.json).toEqual(taken.json);
    for (const { stdout, stderr } of [taken, listed]) expect(stdout + stderr).not.toContain('sesame');
    expect(await stored()).toEqual({
      authorities: [{ url, ca_pem: caPem(), username: 'acme', password: 'open sesame' }],
    });
  });

  const html: RequestListener = (_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Timestamps</title>');
  it.each<[string, RequestListener, RegExp]>([
    ['answers with a page', html, /the answer is no timestamp/],
    ['answers with an empty body', (_request, response) => response.end(), /the answer is no timestamp/],
    ['answers with an error', (_request, response) => response.writeHead(503).end(), /HTTP 503/],
    [
      'redirects',
      (_request, response) => response.writeHead(301, { location: 'https://tsa.example.com/' }).end(),
      /HTTP 301/,
    ],
    ['closes the connection', (request) => request.socket.destroy(), /failed \(UND_ERR_SOCKET\)/],
    ['never answers', () => {}, /no answer in time/],
  ])('timestamp set does not store an authority that %s', async (_how, listener, reason) => {
    const known = await serve(valid);
    await set(known);
    const url = await serve(listener);
    // Waits for half a second instead of ten.
    const { timeout } = AbortSignal;
    const waited = jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => timeout.call(AbortSignal, ms / 20));
    const { code, stdout, stderr } = await trySet(url);
    waited.mockRestore();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Nothing was stored: ${url} gave no valid timestamp (`);
    expect(stderr).toMatch(reason);
    expect(await run.ok('timestamp', 'list')).toEqual([shown(known)]);
  });

  it('timestamp set does not store an authority that cannot be reached', async () => {
    const url = await serve(valid);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const { code, stderr } = await trySet(url);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`${url} gave no valid timestamp (failed (ECONNREFUSED)).`),
    ]);
    expect(await stored()).toEqual({});
  });

  it('timestamp set does not store an authority whose tokens chain to another root or have another policy', async () => {
    const url = await serve(valid);
    const foreign = file('foreign.pem', pem(makeDemoCa(new Date()).certificate));
    const cases: [string[], RegExp][] = [
      [['--ca-file', foreign], /does not lead to a pinned root by strong signatures\)\.$/],
      [['--policy-oid', '1.2.3.4'], /policy 1\.3\.6\.1\.4\.1\.13762\.3\)\.$/],
    ];
    for (const [options, reason] of cases) {
      const { code, stderr } = await trySet(url, ...options);
      expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(reason)]);
    }
    expect(await stored()).toEqual({});
  });

  it('timestamp set keeps expired roots beside a valid one: files of their time are verified by them', async () => {
    const url = await serve(valid);
    const former = pem(makeDemoCa(new Date(Date.now() - 21 * YEAR), 'Former root').certificate);
    const roots = former + caPem();
    await run.ok('timestamp', 'set', '--url', url, '--ca-file', file('roots.pem', roots));
    expect(await stored()).toEqual({ authorities: [{ url, ca_pem: roots }] });
  });

  it('timestamp set takes a root in DER, the form in which most authorities publish theirs', async () => {
    const url = await serve(valid);
    const root = join(folder, 'root.crt');
    writeFileSync(root, new X509Certificate(caPem()).raw);
    expect(await run.ok('timestamp', 'set', '--url', url, '--ca-file', root)).toEqual([shown(url)]);
    const { authorities } = await stored();
    expect(new X509Certificate(authorities[0].ca_pem).raw).toEqual(new X509Certificate(caPem()).raw);
  });

  it('timestamp set refuses expired certificates, certificates that are not valid yet, and files without certificates', async () => {
    const url = await serve(valid);
    const at = (years: number) =>
      pem(makeDemoCa(new Date(Date.now() + years * YEAR), 'Root of another time').certificate);
    const cases: [string, string][] = [
      [at(-21), 'No certificate in FILE is valid now.'],
      [at(2), 'No certificate in FILE is valid now.'],
      [at(-21) + at(2), 'No certificate in FILE is valid now.'],
      ['nothing', 'There is no certificate in FILE.'],
      ['', 'There is no certificate in FILE.'],
      [caPem().replace(/^(M.{20}).*$/m, '$1'), 'A certificate in FILE cannot be read.'],
      ['0\x03\x02\x01\x01', 'A certificate in FILE cannot be read.'],
    ];
    for (const [content, sentence] of cases) {
      const path = file('roots.pem', content);
      const { code, stderr } = await trySet(url, '--ca-file', path);
      expect([code, stderr.trim()]).toEqual([2, sentence.replace('FILE', path)]);
    }
    const missing = join(folder, 'missing.pem');
    expect(outcomeOf(await trySet(url, '--ca-file', missing))).toEqual([
      2,
      '',
      `The file ${missing} cannot be read.`,
    ]);
    expect(await stored()).toEqual({});
  });

  it.each([
    ['a malformed URL', ['--url', 'timestamps'], /^--url must be an http or https address\.$/],
    [
      'a URL with another protocol',
      ['--url', 'ftp://127.0.0.1/'],
      /^--url must be an http or https address\.$/,
    ],
    ['a URL with a login', ['--url', 'http://acme:sesame@127.0.0.1/'], /^--url must not contain a login;/],
    ['a URL with a password', ['--url', 'http://:sesame@127.0.0.1/'], /^--url must not contain a login;/],
    [
      'a user name without a password',
      ['--username', 'acme'],
      /^Give --username and --password-env together\.$/,
    ],
    [
      'a password without a user name',
      ['--password-env', 'HOME'],
      /^Give --username and --password-env together\.$/,
    ],
    [
      'a missing password variable',
      ['--username', 'acme', '--password-env', 'NO_SUCH_VARIABLE'],
      /^There is no environment variable NO_SUCH_VARIABLE\.$/,
    ],
    ['a policy that is not an OID', ['--policy-oid', 'strict'], /^--policy-oid must be an object identifier/],
  ])('timestamp set refuses %s with one sentence', async (_what, options, sentence) => {
    const outcome = await trySet('http://127.0.0.1:9/', ...options);
    expect(outcomeOf(outcome)).toEqual([2, '', expect.stringMatching(sentence)]);
    expect(outcome.stderr).not.toContain('sesame');
    expect(await stored()).toEqual({});
  });
});

it('authorities that are set at the same time are all stored', async () => {
  const urls = [await serve(valid), await serve(valid), await serve(valid)];
  await Promise.all(urls.map((url) => set(url)));
  const listed: { url: string }[] = await run.ok('timestamp', 'list');
  expect(listed.map(({ url }) => url).sort()).toEqual([...urls].sort());
});

describe('timestamp remove', () => {
  it('timestamp remove removes one authority and keeps the order of the others', async () => {
    const urls = [await serve(valid), await serve(valid), await serve(valid)];
    for (const url of urls) await set(url);
    const [first = '', second = '', third = ''] = urls;
    const left = [first, third].map((url) => shown(url));
    expect(await run.ok('timestamp', 'remove', second.replace('/timestamp', '/./timestamp'))).toEqual(left);
    expect(await run.ok('timestamp', 'list')).toEqual(left);
    expect(outcomeOf(await run.run('timestamp', 'remove', second))).toEqual([
      2,
      '',
      `There is no timestamp authority ${second}.`,
    ]);
    expect(await run.ok('timestamp', 'list')).toEqual(left);
  });
});

const notPinned = (root: string) =>
  `No authority would have the root "${rootOf(root).subject}": files with timestamps under it fail "verify-audit" then, and cannot be renewed.`;

describe('roots that files were timestamped under', () => {
  const FORMER = pem(makeDemoCa(new Date(Date.now() - 21 * YEAR), 'Former root').certificate);
  const withFormer = () => file('both.pem', FORMER + caPem());

  it('timestamp set asks before it drops one', async () => {
    const url = await serve(valid);
    await trySet(url, '--ca-file', withFormer());
    const call = ['timestamp', 'set', '--url', url, '--ca-file', authority.caFile];
    const no = person('no');
    expect(await run.runAt(no, ...call)).toMatchObject({ code: 1, stderr: 'Nothing was changed.\n' });
    expect(no.seen).toEqual([`${notPinned(FORMER)} Continue? (yes/no) `]);
    expect((await stored()).authorities).toEqual([{ url, ca_pem: FORMER + caPem() }]);
    expect(await run.ok('timestamp', 'list')).toEqual([
      shown(url, { roots: [rootOf(FORMER), rootOf(caPem())] }),
    ]);
    expect(await run.ok(...call, '--yes')).toEqual([shown(url)]);
  });

  it('timestamp remove asks too, unless another authority has them', async () => {
    const [first, second] = [await serve(valid), await serve(valid)];
    await trySet(first, '--ca-file', withFormer());
    await set(second);
    const { code, stderr } = await run.run('timestamp', 'remove', first);
    expect([code, stderr.trim()]).toEqual([2, `${notPinned(FORMER)} Give --yes to do it.`]);
    await trySet(second, '--ca-file', withFormer());
    expect(await run.ok('timestamp', 'remove', first)).toHaveLength(1);
  });
});

describe('the last timestamp authority', () => {
  const LAST = 'This is the last timestamp authority: without one nothing is sealed.';

  it('timestamp remove asks before the last authority goes', async () => {
    const url = await serve(valid);
    await set(url);
    const no = person('no');
    expect(await run.runAt(no, 'timestamp', 'remove', url)).toMatchObject({
      code: 1,
      stderr: 'Nothing was changed.\n',
    });
    expect(no.seen).toEqual([`${LAST} ${notPinned(caPem())} Continue? (yes/no) `]);
    expect(await run.ok('timestamp', 'list')).toHaveLength(1);
    expect((await run.runAt(person('yes'), 'timestamp', 'remove', url)).code).toBe(0);
    expect(await run.ok('timestamp', 'list')).toEqual([]);
  });

  it('an authority that is added while timestamp remove asks stays', async () => {
    const [first, second] = [await serve(valid), await serve(valid)];
    await set(first);
    const yes = person('yes');
    const ask = async (question: string) => {
      await set(second);
      return yes.ask(question);
    };
    expect((await run.runAt({ ...yes, ask }, 'timestamp', 'remove', first)).code).toBe(0);
    expect(yes.seen).toHaveLength(1);
    expect(await run.ok('timestamp', 'list')).toEqual([shown(second)]);
  });

  it('a script has to say --yes', async () => {
    const url = await serve(valid);
    await set(url);
    expect(outcomeOf(await run.run('timestamp', 'remove', url))).toEqual([
      2,
      '',
      `${LAST} ${notPinned(caPem())} Give --yes to do it.`,
    ]);
    expect(await run.ok('timestamp', 'remove', url, '--yes')).toEqual([]);
  });
});

it('timestamp list is empty if no authority is stored', async () => {
  expect(await run.ok('timestamp', 'list')).toEqual([]);
});
