import { spawn } from 'node:child_process';
import { freePort } from '../../local/listen.ts';
import { until } from './until.ts';

/** A receiver of webhooks from the documentation, run as a program of its own. */
export interface ReceiverProgram {
  url: string;
  /** All that it printed so far. */
  printed(): string;
  stop(): void;
}

/** `command` may name the port as PORT. */
export async function startReceiver(
  command: readonly string[],
  { cwd, secret }: { cwd: string; secret: string },
): Promise<ReceiverProgram> {
  const port = String(await freePort());
  const [program = '', ...args] = command.map((word) => word.replace('PORT', port));
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, PORT: port, WEBHOOK_SECRET: secret },
    // `go run` has a child of its own, which ends with the group.
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      printed += bytes.toString();
    });
  const stop = () => {
    if (child.pid && child.exitCode === null) process.kill(-child.pid);
  };
  const url = `http://127.0.0.1:${port}/hook`;
  try {
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`The receiver ended: ${printed}`);
        return fetch(url, { method: 'POST', body: '{}' }).then(
          ({ status }) => status > 0,
          () => false,
        );
      },
      'the receiver to listen',
      240,
    );
  } catch (error) {
    stop();
    throw error;
  }
  return { url, printed: () => printed, stop };
}
