#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Problem } from '../../client/command/problem.ts';
import { readSettings } from '../../client/command/settings.ts';
import { SignatureRequests } from '../../client/src/node.ts';
import { Folders } from './folders.ts';
import { makeServer } from './server.ts';

const TEST_KEY = 'esk_test_';

const USAGE = `Lets an AI assistant send PDFs to be signed, by the Model Context Protocol over standard input and output.

  --folder PATH  a folder whose files the assistant may read and add to; may be given several times
  --live         allows a key that mails real people
  --help

The key and the service's address come from SIGNATURE_REQUESTS_API_KEY and SIGNATURE_REQUESTS_URL, or from
"signature-requests login".
`;

/** Stdout belongs to the protocol: everything for people goes to stderr. */
async function start(): Promise<void> {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string', multiple: true, default: [] },
      live: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const settings = await readSettings(process.env);
  const isTestKey = settings.apiKey.startsWith(TEST_KEY);
  if (!isTestKey && !values.live)
    throw new Problem(
      `The key is live: use one that begins with ${TEST_KEY}, or add --live to mail real people.`,
    );
  const input = new AbortController();
  // The transport ignores the end of input, so an open question would keep the process, with its key, for a day.
  process.stdin.once('end', () => input.abort());
  const world = {
    client: new SignatureRequests(settings),
    folders: await Folders.of(values.folder),
    isLive: !isTestKey,
    inputEnded: input.signal,
  };
  await makeServer(world).connect(new StdioServerTransport());
}

// The assistant's program has ended, so nobody reads any more. A call under way goes on to its end, as a download of a file.
process.stdout.on('error', () => {});

try {
  await start();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : 'It failed.'}\n`);
  process.exitCode = 1;
}
