import process from 'node:process';
import { life } from './life.mjs';

/** On Deno and Bun: the file is given by its path. */
const { baseUrl, apiKey, webhook } = JSON.parse(process.env.LIFE);
for await (const line of life({ baseUrl, apiKey, webhook, file: { path: 'lease.pdf' } })) console.log(line);
