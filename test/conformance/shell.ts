import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs one block after another, as a terminal does: variables outlive a block. */
export class Shell {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#env = env;
  }

  /** The end of a block, which the first command that fails ends. */
  async run(block: string, { vars = {}, stdin = '' } = {}): Promise<Outcome> {
    const script = `set -ea; trap 'export -p > .variables' EXIT\n${block}`;
    const before = '[ ! -f .variables ] || . ./.variables\n';
    const assigned = Object.entries(vars).map(([name, value]) => `export ${name}='${value}'\n`);
    const child = spawn('bash', ['-c', `${before}${assigned.join('')}${script}`], {
      cwd: this.#folder,
      env: { ...process.env, ...this.#env },
    });
    child.stdin.end(stdin);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, stdout: stdout.trim(), stderr };
  }
}
