import { connect } from 'node:tls';
import '../runtime/connecting.ts';
import { repeat } from '../runtime/repeat.ts';
import { SECOND } from '../runtime/time.ts';

/** With its repetitions shorter than the job may take. */
const LIMIT_MS = 5 * SECOND;

/** The end of the certificate that a host shows. Throws if a browser would refuse it, or there is no answer in time. */
const servedUntil = (host: string, port: number, limitMs: number): Promise<Date> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host });
    const limit = setTimeout(() => socket.destroy(new Error('no answer in time')), limitMs);
    socket.once('secureConnect', () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(limit));
  });

const faultOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
};

interface Attempts {
  port?: number;
  limitMs?: number;
  pauses?: readonly number[];
}

/** Of the service's own domain, as signers meet it: the certificate may end, and the domain may lead elsewhere. */
export async function domainExpiry(
  domain: string,
  { port = 443, limitMs = LIMIT_MS, pauses }: Attempts = {},
) {
  const certificate = 'domain';
  try {
    const end = await repeat(() => servedUntil(domain, port, limitMs), undefined, pauses);
    return { certificate, expiresAt: end.toISOString(), fault: null };
  } catch (error) {
    return { certificate, expiresAt: null, fault: faultOf(error) };
  }
}
