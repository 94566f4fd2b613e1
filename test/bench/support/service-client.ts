import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Drives a running service from outside, by HTTP alone, so that the same script measures any commit. Codes are read from
 * the file of the local inbox: reading them from the service would be part of what is measured.
 */

const SIGNERS = 3;
/** Finer than the times to measure, and coarse enough that looking costs little of them. */
const POLL_MS = 40;

interface RunFile {
  base_url: string;
  control_url: string;
  api_key: string;
}

export interface ServiceClient {
  baseUrl: string;
  controlUrl: string;
  apiKey: string;
  makesEvidence: boolean;
  codeOf(address: string): string;
  close(): void;
}

/** `makesEvidence`: commits before the evidence file answer its address with 404. */
export function openService(dir: string, makesEvidence = true): ServiceClient {
  const run = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as RunFile;
  const mails = new DatabaseSync(join(dir, 'services', 'ses.sqlite'), { readOnly: true });
  const newest = mails.prepare('SELECT text FROM mails WHERE recipients = ? ORDER BY seq DESC LIMIT 1');
  return {
    baseUrl: run.base_url,
    controlUrl: run.control_url,
    apiKey: run.api_key,
    makesEvidence,
    codeOf: (address) => {
      const text = String(newest.get(JSON.stringify([address]))?.text ?? '');
      const [code] = /\b\d{6}\b/.exec(text) ?? [];
      if (code === undefined) throw new Error(`${address} was mailed no code.`);
      return code;
    },
    close: () => mails.close(),
  };
}

/** Milliseconds. */
export interface LifeTimes {
  create: number;
  /** One for each signer: the signature alone. */
  signatures: number[];
  /** One for each signer: from opening the link to the signature. */
  signers: number[];
  /** From the answer to the last signature. */
  seal: number;
}

async function call(url: string, method: string, headers: Record<string, string>, body?: unknown) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${method} ${url} was answered ${response.status}: ${bytes}`);
  return { headers: response.headers, bytes, json: () => JSON.parse(bytes.toString()) };
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

/** Opens the link, enters the code, reads and signs. Returns the time of the signature alone. */
async function sign({ baseUrl }: ServiceClient, token: string, code: string): Promise<number> {
  const signing = `${baseUrl}/api/signing/v1`;
  const link = { 'x-signing-token': token };
  await call(`${signing}/open`, 'POST', link);
  const verified = await call(`${signing}/verify`, 'POST', link, { code });
  const session = { ...link, cookie: verified.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const { document, consent, signer } = verified.json();
  await call(`${signing}/document`, 'GET', session);
  const [, time] = await timed(() =>
    call(`${signing}/sign`, 'POST', session, {
      document_sha256: document.sha256,
      consent_version: consent.version,
      consent_locale: consent.locale,
      name: signer.name,
      signature: { type: 'typed', text: signer.name },
    }),
  );
  return time;
}

/** One request from its creation to its sealed document and evidence. `name` makes its signers' addresses its own. */
export async function runLife(service: ServiceClient, pdf: string, name: string): Promise<LifeTimes> {
  const key = { authorization: `Bearer ${service.apiKey}` };
  const requests = `${service.baseUrl}/api/v1/signatures`;
  const [created, create] = await timed(() =>
    call(requests, 'POST', key, {
      title: 'Contract',
      signers: Array.from({ length: SIGNERS }, (_, index) => ({
        email: `signer${index}.${name}@example.com`,
        name: `Signer ${index}`,
      })),
      document: { filename: 'contract.pdf', content_base64: pdf },
    }),
  );
  const { id, signers } = created.json() as {
    id: string;
    signers: { email: string; access_token: string }[];
  };
  const times: LifeTimes = { create, signatures: [], signers: [], seal: Number.NaN };
  for (const { email, access_token: token } of signers) {
    const [signature, whole] = await timed(() => sign(service, token, service.codeOf(email)));
    times.signatures.push(signature);
    times.signers.push(whole);
  }
  const signedAt = performance.now();
  for (let status = ''; status !== 'signed'; ) {
    status = (await call(`${requests}/${id}`, 'GET', key)).json().status;
    if (status === 'stamp_failed') throw new Error(`${id} could not be sealed.`);
    if (status !== 'signed') await wait(POLL_MS);
  }
  times.seal = performance.now() - signedAt;
  await call(`${requests}/${id}/document`, 'GET', key);
  if (service.makesEvidence) await call(`${requests}/${id}/evidence.pdf`, 'GET', key);
  return times;
}

const json = async (url: string) => (await call(url, 'GET', {})).json();

/** Waits until no message is left, so that what follows a life is counted with it. */
export async function untilQueuesEmpty({ controlUrl }: ServiceClient): Promise<void> {
  const messages = async () =>
    ((await json(`${controlUrl}/queues`)) as { visible: number; in_flight: number }[]).reduce(
      (sum, { visible, in_flight: inFlight }) => sum + visible + inFlight,
      0,
    );
  while ((await messages()) > 0) await wait(POLL_MS);
}

export const forgetCalls = ({ controlUrl }: ServiceClient) => call(`${controlUrl}/calls`, 'DELETE', {});

/** The AWS calls since they were forgotten, by function. */
export async function callsByFunction({ controlUrl }: ServiceClient): Promise<Record<string, number>> {
  const calls = (await json(`${controlUrl}/calls`)) as { function: string }[];
  const counts: Record<string, number> = {};
  for (const { function: name } of calls) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
