import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** A running `npm start`: where it is, its key, and the mails that arrive. */

const runFile = z.object({ base_url: z.url(), control_url: z.url(), api_key: z.string() });
const clock = z.object({ now: z.iso.datetime() });
const inbox = z.array(z.object({ text: z.string() }));

export interface Run {
  baseUrl: string;
  apiKey: string;
  /** The time of the run, whose clock may have been moved. */
  now: () => Promise<Date>;
  /** The newest mail to an address. */
  mailTo: (address: string) => Promise<string>;
  /** Certificates of the demo: whoever verifies has to know whom to expect. */
  certificates: string;
}

export function openRun(dir: string): Run {
  const file = join(dir, 'run.json');
  if (!existsSync(file)) throw new Error(`Nothing runs in ${dir}: start the service first, with npm start.`);
  const run = runFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  return {
    baseUrl: run.base_url,
    apiKey: run.api_key,
    now: async () => new Date(clock.parse(await (await fetch(`${run.control_url}/clock`)).json()).now),
    mailTo: async (address) => {
      const query = new URLSearchParams({ to: address, limit: '1' });
      const [newest] = inbox.parse(await (await fetch(`${run.control_url}/inbox?${query}`)).json());
      if (!newest) throw new Error(`No mail has come to ${address}.`);
      return newest.text;
    },
    certificates: [join(dir, 'demo-seals.pem'), join(dir, 'ca', 'certificate.pem')]
      .map((each) => readFileSync(each, 'utf8'))
      .join('\n'),
  };
}
