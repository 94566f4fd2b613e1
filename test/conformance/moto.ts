import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../local/listen.ts';
import { until } from '../support/until.ts';
import { pythonTool, requirePythonTools, root } from './judges.ts';

/** The account of a local run. */
const ACCOUNT = '000000000000';

/** Moto, a second engine of AWS's services, on a port of its own; everything is in memory. */
export class Moto {
  readonly url: string;
  /** Environment of a process that calls moto instead of AWS. */
  readonly environment: Record<string, string>;
  readonly #stop: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url;
    this.#stop = stop;
    this.environment = {
      AWS_ENDPOINT_URL: url,
      AWS_ACCESS_KEY_ID: 'testing',
      AWS_SECRET_ACCESS_KEY: 'testing',
    };
  }

  static async start(): Promise<Moto> {
    requirePythonTools('moto_server');
    const port = await freePort();
    const child = spawn(pythonTool('python'), [join(root, 'test/conformance/moto_server.py'), String(port)], {
      stdio: 'ignore',
      env: { ...process.env, MOTO_ACCOUNT_ID: ACCOUNT },
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const moto = new Moto(`http://127.0.0.1:${port}`, async () => {
      child.kill('SIGKILL');
      await exited;
    });
    await until(
      () =>
        fetch(`${moto.url}/moto-api/data.json`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'moto',
      60,
    );
    return moto;
  }

  /** Settings of an AWS client. */
  settings = (region: string) => ({
    endpoint: this.url,
    region,
    credentials: { accessKeyId: 'testing', secretAccessKey: 'testing' },
  });

  /** The code in the newest mail to an address. Moto keeps mails outside of AWS's own calls. */
  async codeMailedTo(address: string): Promise<string> {
    const data = (await (await fetch(`${this.url}/moto-api/data.json`)).json()) as {
      ses: { Message: { body: string }[] };
    };
    const mail = data.ses.Message.findLast((message) => JSON.stringify(message).includes(address));
    // Not a colour of the mail's style.
    const [code] = /(?<!#)\b\d{6}\b/.exec(mail?.body ?? '') ?? [];
    if (!code) throw new Error(`There is no mail with a code to ${address}.`);
    return code;
  }

  stop = (): Promise<void> => this.#stop();
}
