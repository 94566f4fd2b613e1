import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { demoPdf } from '../../admin/demo-pdf.ts';
import { SignatureRequests, type WebhookEvent, webhooks } from '../../client/src/node.ts';
import { judgementOf, readExpected, verifyEvidence, verifyPdf } from '../../client/verifier/index.ts';
import { listenHere, originOf } from '../support/loopback.ts';
import { until } from '../support/until.ts';
import type { Run } from './run.ts';
import { signByMail } from './signer.ts';

const SIGNERS = [
  { email: 'anna@example.com', name: 'Anna Example', locale: 'en' },
  { email: 'bo@example.com', name: 'Bo Beispiel', locale: 'de' },
  { email: 'cara@example.com', name: 'Cara Esimerkki', locale: 'fi' },
] as const;
const EVENTS = SIGNERS.length + 5;

/** Prints each step with the time that it took. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  console.log(`${((performance.now() - start) / 1_000).toFixed(1).padStart(6)} s  ${name}`);
  return result;
}

/** Receives webhooks on this machine, and keeps those that the service signed. */
async function receiver(secret: () => string, now: Run['now']) {
  const events: WebhookEvent[] = [];
  const server = createServer(async (request, response) => {
    try {
      const options = { now: await now() };
      events.push(await webhooks.verify(await buffer(request), request.headers, secret(), options));
      response.writeHead(200).end();
    } catch {
      response.writeHead(401).end();
    }
  });
  await listenHere(server);
  return { events, server, url: `${originOf(server)}/hook` };
}

export async function demo(run: Run, { pdf, out }: { pdf?: Uint8Array; out: string }): Promise<void> {
  const { signatureRequests, webhookEndpoints } = new SignatureRequests(run);
  let secret = '';
  const { events, server, url } = await receiver(() => secret, run.now);
  const endpoint = await step('A webhook endpoint is registered', () =>
    webhookEndpoints.create({ url, description: 'Demo' }),
  );
  secret = endpoint.secret;
  try {
    const { id } = await step(`A request is created and mailed to ${SIGNERS.length} signers`, () =>
      signatureRequests.create({
        title: 'Demo contract',
        signers: [...SIGNERS],
        file: pdf ?? demoPdf('A contract for three'),
        filename: 'contract.pdf',
      }),
    );
    for (const { email, name } of SIGNERS)
      await step(`${name} opens the link, enters the code, reads and signs`, () => signByMail(run, email));
    await step('The document is sealed', () => signatureRequests.waitUntilSealed(id, { timeoutMs: 120_000 }));
    const [sealed, evidence] = await step('The sealed document and the evidence are downloaded', async () => [
      await (await signatureRequests.download(id)).bytes(),
      await (await signatureRequests.downloadEvidence(id)).bytes(),
    ]);
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'contract-sealed.pdf'), sealed);
    writeFileSync(join(out, 'evidence.pdf'), evidence);
    const judgement = await step('Both are verified', () => judge(sealed, evidence, run));
    await step(`${EVENTS} webhooks have arrived, each with a genuine signature`, () =>
      until(() => events.length >= EVENTS, 'the webhooks', 60),
    );
    console.log(`\nThe verifier says: ${judgement}. Webhooks: ${events.map(({ type }) => type).join(', ')}.`);
    console.log(`The files are in ${out}. Look at them, or drop them on ${run.baseUrl}/verify.`);
    if (judgement !== 'green') throw new Error('The sealed document should be green.');
  } finally {
    await webhookEndpoints.delete(endpoint.id);
    server.close();
    server.closeAllConnections();
  }
}

async function judge(sealed: Uint8Array, evidence: Uint8Array, { certificates, now }: Run) {
  const options = { expected: await readExpected(certificates), now: await now() };
  const report = await verifyPdf(sealed, options);
  const verified = await verifyEvidence(evidence, { bytes: sealed, report }, options);
  return judgementOf({ document: report, evidence: verified });
}
