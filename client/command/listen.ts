import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SignatureRequestsError, webhooks } from '../src/node.ts';
import { command } from './command.ts';
import { lineOf, Problem, wrongUsage } from './problem.ts';
import { isWebAddress } from './settings.ts';

/** The service waits five seconds, so the program must respond a little sooner. */
const FORWARD_MS = 4_500;
/** The clock of a local run can be moved, and a secret lives no longer than the command. */
const ANY_AGE = { toleranceSeconds: Number.POSITIVE_INFINITY };
const NOT_FORWARDED = ['host', 'connection', 'content-length', 'transfer-encoding'];

export const listen = command({
  name: 'listen',
  summary: 'For development: forward the webhooks of a local service to your program, until Ctrl-C',
  args: [],
  options: {
    forward: { type: 'string', value: 'URL', help: 'Your program, such as http://localhost:4000/hook' },
  },
  run: async (_args, { forward = '' }, world) => {
    if (!isWebAddress(forward)) throw wrongUsage('"listen" needs --forward http://localhost:4000/hook.');
    const { webhookEndpoints } = await world.client();
    const server = createServer(async (request, response) => {
      const line = await receive(request, registered, forward);
      response.writeHead(line.status).end();
      report(line, world.isTerminal);
    });
    // Before the endpoint is registered: if stopped meanwhile, the command must still remove it.
    const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const registered = webhookEndpoints.create({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      // The address in ASCII: a cut could halve an emoji, and the service refuses half a character.
      description: `listen, to ${new URL(forward).href}`.slice(0, 200),
    });
    try {
      const { id, secret } = await registered;
      world.note(`Webhooks go to ${forward}. Their secret, until you stop with Ctrl-C: ${secret}`);
      await stopped;
      await webhookEndpoints.delete(id).catch((error: unknown) => {
        if (error instanceof SignatureRequestsError && error.code === 'not_found') return;
        throw new Problem(
          `${lineOf(error).line} The endpoint ${id} may be left: DELETE /api/v1/webhook-endpoints/${id} removes it.`,
        );
      });
    } finally {
      // An open server would keep the command running.
      server.close();
      server.closeAllConnections();
    }
    return undefined;
  },
});

interface Line {
  at: string;
  type: string;
  id: string;
  /** The status of your program's response; 502 without one, 401 for a call that the service did not make. */
  status: number;
}

/** Waits for the registration, because an event may arrive before the response with its secret. */
async function receive(
  request: IncomingMessage,
  registered: Promise<{ secret: string }>,
  forward: string,
): Promise<Line> {
  const at = new Date().toISOString();
  try {
    const body = new Uint8Array(await buffer(request));
    const { secret } = await registered;
    const { type, id } = await webhooks.verify(body, request.headers, secret, ANY_AGE);
    return { at, type, id, status: await passOn(request, body, forward) };
  } catch {
    return { at, type: 'not genuine', id: '', status: 401 };
  }
}

/** Forwards the headers unchanged, so that your program can verify the signature. */
async function passOn(
  { headers }: IncomingMessage,
  body: Uint8Array<ArrayBuffer>,
  forward: string,
): Promise<number> {
  const kept = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.includes(name));
  const answer = fetch(forward, {
    method: 'POST',
    headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(FORWARD_MS),
  });
  return answer.then(
    ({ status }) => status,
    () => 502,
  );
}

const report = (line: Line, isTerminal: boolean) =>
  process.stdout.write(
    isTerminal ? `${line.at}  ${line.status}  ${line.type}  ${line.id}\n` : `${JSON.stringify(line)}\n`,
  );
