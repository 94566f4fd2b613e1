import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenHere, originOf } from '../../support/loopback.ts';
import { until } from '../../support/until.ts';
import { ended, type Place, startCommand } from './command.ts';

/** A service that carries out changes, and never answers them. */
let server: Server;
let changes = 0;
let place: Place;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === 'POST') changes += 1;
    else response.end(JSON.stringify({ signers: [{ id: 's', email: 'ann@example.com', status: 'sent' }] }));
  });
  await listenHere(server);
  const env = { SIGNATURE_REQUESTS_API_KEY: 'esk_test_1', SIGNATURE_REQUESTS_URL: originOf(server) };
  place = { cwd: await mkdtemp(join(tmpdir(), 'change-')), env };
  await writeFile(join(place.cwd, 'lease.pdf'), '%PDF-1.7');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(place.cwd, { recursive: true });
});

it.each([[['send', 'lease.pdf', '--to', 'ann@example.com']], [['cancel', 'r']], [['resend', 'r']]])(
  '%j stopped by Ctrl-C says to look before it is repeated, which could mail people again',
  async (args) => {
    const before = changes;
    const command = startCommand(args, place);
    const outcome = ended(command);
    await until(async () => changes > before, 'the change');
    command.kill('SIGINT');
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The command was interrupted. It may have been done all the same: see "signature-requests list" before you repeat it.\n',
    });
  },
);
