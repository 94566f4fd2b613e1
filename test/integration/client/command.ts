import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../client/command/main.ts', import.meta.url));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect outputs of any shape
  json: any;
}

export interface Place {
  cwd: string;
  env: Record<string, string>;
  /** The most that a file can have, in blocks of the shell: 512 or 1,024 bytes each. */
  mostBlocks?: number;
  /** Takes its output, instead of a pipe. */
  stdoutFile?: string;
}

/** Starts `signature-requests`, with nothing of this process's environment that would change what it does, only how fast. */
export function startCommand(
  args: readonly string[],
  { cwd, env, mostBlocks, stdoutFile }: Place,
): ChildProcess {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const limit = mostBlocks === undefined ? '' : `ulimit -f ${mostBlocks}; `;
  const target = stdoutFile === undefined ? '' : ` >${stdoutFile}`;
  return spawn('sh', ['-c', `${limit}exec "$@"${target}`, 'sh', process.execPath, MAIN, ...args], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, HOME: cwd, XDG_CONFIG_HOME: cwd, ...env },
  });
}

/** Its end. */
export async function ended(child: ChildProcess): Promise<Ended> {
  if (!child.stdout || !child.stderr) throw new Error('The command has no pipes.');
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const isJson = stdout.startsWith('{\n') || stdout.startsWith('[');
  return { code: await exit, stdout, stderr, json: isJson ? JSON.parse(stdout) : undefined };
}

/** Runs it to its end. */
export function runCommand(args: readonly string[], place: Place, stdin = ''): Promise<Ended> {
  const child = startCommand(args, place);
  child.stdin?.end(stdin);
  return ended(child);
}
