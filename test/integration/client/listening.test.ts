import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { listenHere, originOf } from '../../support/loopback.ts';
import { Receiver } from '../../support/receiver.ts';
import { ended, type Place, startCommand } from './command.ts';

/** A service that acts between the registration of an endpoint and its answer. */
const SECRET = 'whsec_c2VjcmV0';

let server: Server;
let place: Place;
let program: Receiver;
let calls: string[];
let beforeAnswer: (url: string) => Promise<void>;
let isGone: boolean;
let descriptions: string[];

beforeEach(async () => {
  calls = [];
  descriptions = [];
  isGone = false;
  server = createServer(async (request, response) => {
    calls.push(request.method ?? '');
    if (request.method === 'POST') {
      const { url, description } = (await json(request)) as { url: string; description: string };
      descriptions.push(description);
      await beforeAnswer(url);
    }
    response.writeHead(isGone ? 404 : 200, { 'content-type': 'application/json' });
    const refusal = { error: 'not_found', message: 'There is no such endpoint.' };
    response.end(JSON.stringify(isGone ? refusal : { id: 'w', secret: SECRET, ok: true }));
  });
  await listenHere(server);
  const env = { SIGNATURE_REQUESTS_API_KEY: 'esk_test_1', SIGNATURE_REQUESTS_URL: originOf(server) };
  place = { cwd: await mkdtemp(join(tmpdir(), 'listening-')), env };
  program = await Receiver.start();
});
afterEach(async () => {
  program.stop();
  server.closeAllConnections();
  server.close();
  await rm(place.cwd, { recursive: true });
});

const listen = (forward = program.url) => startCommand(['listen', '--forward', forward], place);

const MONTH = 30 * 24 * 3_600;

it.each([
  ['that comes before the answer with its secret', 0],
  ['of a local run whose clock was moved', MONTH],
])('"listen" forwards an event %s', async (_what, ahead) => {
  const body = JSON.stringify({ id: 'evt_1', type: 'signer.signed', created_at: '', data: {} });
  beforeAnswer = async (url) => {
    const time = Math.floor(Date.now() / 1_000) + ahead;
    const digest = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
    const headers = { 'x-service-signature': `t=${time},v1=${digest}` };
    // Without the secret a command could only refuse, at once.
    await Promise.race([fetch(url, { method: 'POST', body, headers }), setTimeout(300)]);
  };
  const command = listen();
  const outcome = ended(command);
  await once(command.stdout ?? command, 'data');
  command.kill('SIGINT');
  expect(await outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('"evt_1","status":200') });
  expect(program.deliveries).toHaveLength(1);
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  '"listen" that %s stops while it registers its endpoint removes it',
  async (signal) => {
    const command = listen();
    const outcome = ended(command);
    beforeAnswer = async () => {
      command.kill(signal);
    };
    expect(await outcome).toMatchObject({ code: 0 });
    expect(calls).toEqual(['POST', 'DELETE']);
  },
);

it('"listen" that cannot remove its endpoint says which one is left', async () => {
  beforeAnswer = async () => undefined;
  const command = listen();
  const outcome = ended(command);
  await once(command.stderr ?? command, 'data');
  // As after Ctrl-C in the window of the service.
  server.closeAllConnections();
  server.close();
  command.kill('SIGINT');
  expect(await outcome).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /\nThe connection to the service failed .* The endpoint w may be left: DELETE \/api\/v1\/webhook-endpoints\/w removes it\.\n$/,
    ),
  });
});

it('"listen" whose endpoint was removed by another has nothing to remove', async () => {
  beforeAnswer = async () => undefined;
  const command = listen();
  const outcome = ended(command);
  await once(command.stderr ?? command, 'data');
  isGone = true;
  command.kill('SIGINT');
  expect(await outcome).toMatchObject({ code: 0 });
  expect(calls).toEqual(['POST', 'DELETE']);
});

it('"listen" cuts no character of a long address in two, which the service would refuse', async () => {
  beforeAnswer = async () => undefined;
  const command = listen(`${program.url}${'x'.repeat(199 - `listen, to ${program.url}`.length)}😀`);
  const outcome = ended(command);
  await once(command.stderr ?? command, 'data');
  command.kill('SIGINT');
  expect(await outcome).toMatchObject({ code: 0 });
  expect(descriptions.map((each) => [each.length, each.isWellFormed()])).toEqual([[200, true]]);
});
