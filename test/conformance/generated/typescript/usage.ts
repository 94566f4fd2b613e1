import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './signature-requests.d.ts';

const client = createClient<paths>({
  baseUrl: process.env.SIGNATURES_URL,
  headers: { authorization: `Bearer ${process.env.SIGNATURES_API_KEY}` },
});

const pdf = await readFile('lease.pdf', 'base64');
const { data: created, error } = await client.POST('/api/v1/signatures', {
  params: { header: { 'Idempotency-Key': 'lease-2026-117-typescript' } },
  body: {
    title: 'Lease agreement',
    signers: [{ email: 'ann@example.com', name: 'Ann Example' }],
    document: { filename: 'lease.pdf', content_base64: pdf },
  },
});
if (!created) throw new Error(`${error.error}: ${error.message}`);
console.log(created.signers[0]?.sign_url);

async function untilSealed(id: string) {
  for (;;) {
    const { data: request, error } = await client.GET('/api/v1/signatures/{id}', {
      params: { path: { id } },
    });
    if (!request) throw new Error(`${error.error}: ${error.message}`);
    if (request.status === 'signed') return request;
    if (!['pending', 'sent', 'opened', 'awaiting_stamp'].includes(request.status))
      throw new Error(`It is ${request.status}.`);
    await setTimeout(2_000);
  }
}
const sealed = await untilSealed(created.id);

const { data: document } = await client.GET('/api/v1/signatures/{id}/document', {
  params: { path: { id: sealed.id } },
  parseAs: 'arrayBuffer',
});
if (document) await writeFile('lease-signed.pdf', new Uint8Array(document));

const { error: refusal, response } = await client.POST('/api/v1/signatures/{id}/cancel', {
  params: { path: { id: sealed.id } },
});
if (refusal) console.log(response.status, refusal.error, refusal.message, refusal.request_id);
