import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { command } from './command.ts';
import { Problem } from './problem.ts';
import { clientOf, isWebAddress, storeSettings } from './settings.ts';

export const login = command({
  name: 'login',
  summary: 'Store address and API key for the commands that follow',
  args: [],
  options: {
    url: { type: 'string', value: 'URL', help: 'The address of the service; asked for without it' },
  },
  run: async (_args, { url }) => {
    const { baseUrl, apiKey } = await asked(url);
    if (!apiKey) throw new Problem('There was no key, so nothing was stored.');
    const client = clientOf({ apiKey, baseUrl }, { apiKey: 'The key', baseUrl: 'The URL' });
    await client.signatureRequests.list({ limit: 1 }).page();
    const file = await storeSettings({ apiKey, baseUrl }, process.env);
    return { text: `Stored in ${file}, readable by you alone.`, json: { stored: file } };
  },
});

async function asked(url: string | undefined): Promise<{ baseUrl: string; apiKey: string }> {
  const input = lines(process);
  try {
    const baseUrl = url ?? (await input.ask('Address of the service: '));
    if (!isWebAddress(baseUrl)) throw new Problem('The address must look like https://sign.example.com.');
    return { baseUrl, apiKey: await input.ask('API key: ', { isSecret: true }) };
  } finally {
    // An open terminal would keep the command running.
    input.close();
  }
}

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/** Reads lines from a terminal or a pipe. The key is not echoed, and is not an argument, which other users could see. */
export function lines({ stdin, stderr }: { stdin: Input; stderr: NodeJS.WritableStream }) {
  let isMuted = false;
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!isMuted) stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: stdin, output, terminal: stdin.isTTY === true });
  reader.once('SIGINT', () => process.exit(130));
  // Lines that are pasted together arrive at once: the key before it is asked for.
  reader.on('line', () => {
    isMuted = true;
  });
  const iterator = reader[Symbol.asyncIterator]();
  return {
    ask: async (question: string, { isSecret = false } = {}): Promise<string> => {
      isMuted = isSecret;
      if (stdin.isTTY) stderr.write(question);
      // Correcting a letter writes the line anew, with the question in front.
      reader.setPrompt(question);
      const { value } = await iterator.next();
      if (isSecret && stdin.isTTY) stderr.write('\n');
      return (value ?? '').trim();
    },
    close: () => reader.close(),
  };
}
