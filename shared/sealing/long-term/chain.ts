import { withLengths } from '../ber.ts';
import { type Certificate, certificatesOfPem, isIssuedBy, readCertificate } from '../certificate.ts';
import { isValidAt, mayExtend } from '../certificate-fields.ts';
import {
  children,
  childrenOf,
  contextTag,
  DerError,
  decode,
  distinct,
  readOid,
  sameBytes,
  TAGS,
} from '../der.ts';
import { attempt } from '../faults.ts';
import { OIDS } from '../oids.ts';
import { addressesOf } from './addresses.ts';
import { ProofFault } from './proof.ts';
import { faultOf, type Retrieve } from './retrieve.ts';

const MAX_CHAIN = 6;
/** Certificates read of one downloaded file. */
const MAX_SENT = 10;

/** The certificates that a chain is built from. */
export interface Known {
  /** First the certificate to prove, then others in any order. */
  certificates: readonly Certificate[];
  /** Trusted directly: the chain ends at the first of them, otherwise at a self-signed root. */
  anchors: readonly Certificate[];
}

/** Builds the chain of the first certificate. Downloads missing issuers from the addresses in the certificates. */
export async function buildChain(
  { certificates, anchors }: Known,
  at: Date,
  retrieve: Retrieve,
): Promise<Certificate[]> {
  const found: Certificate[] = [];
  for (;;) {
    const { chain, isWhole } = chainOf({ certificates: [...certificates, ...found], anchors }, at);
    if (isWhole) return chain;
    if (chain.length === MAX_CHAIN) throw new ProofFault('the chain is too long');
    found.push(await retrieveIssuer(chain, at, retrieve));
  }
}

/** Certificates to search; more would take too long. */
const MAX_KNOWN = 50;

/**
 * The shortest chain from the first certificate to a pinned one, or to a self-signed root if none is pinned; if there is none,
 * the longest partial chain. Senders may include unrelated certificates, so every path is tried.
 */
export function chainOf(
  { certificates, anchors }: Known,
  at: Date,
): { chain: Certificate[]; isWhole: boolean } {
  let waiting = distinct([...anchors, ...certificates.slice(1)]).slice(0, MAX_KNOWN);
  let chains = certificates.slice(0, 1).map((first) => [first]);
  for (;;) {
    const whole = chains.find((chain) => isEnd(chain.at(-1), anchors));
    if (whole) return { chain: whole, isWhole: true };
    const longer = chains.flatMap((chain) => {
      const issuers = chain.length < MAX_CHAIN ? issuersAmong(waiting, chain, at) : [];
      // Each certificate is tried once: at its shortest distance, on the first way to it.
      waiting = waiting.filter((each) => !issuers.includes(each));
      return issuers.map((each) => [...chain, each]);
    });
    if (longer.length === 0) return { chain: chains[0] ?? [], isWhole: false };
    chains = longer;
  }
}

const isEnd = (certificate: Certificate | undefined, anchors: readonly Certificate[]): boolean =>
  certificate !== undefined &&
  (anchors.length > 0
    ? anchors.some(({ der }) => sameBytes(der, certificate.der))
    : isIssuedBy(certificate, certificate));

/** SHA-1 signatures can be forged, so they do not make an issuer. */
function issuersAmong(
  known: readonly Certificate[],
  chain: readonly Certificate[],
  at: Date,
): readonly Certificate[] {
  const last = chain.at(-1);
  if (!last?.isStronglySigned) return [];
  return known.filter((each) => isValidAt(each, at) && mayExtend(chain, each) && isIssuedBy(last, each));
}

async function retrieveIssuer(
  chain: readonly Certificate[],
  at: Date,
  retrieve: Retrieve,
): Promise<Certificate> {
  const faults: string[] = [];
  for (const url of chain.slice(-1).flatMap((last) => addressesOf(last).issuers)) {
    try {
      const [issuer] = issuersAmong(readSent(await retrieve(url)), chain, at);
      if (issuer) return issuer;
      faults.push(`${new URL(url).host}: no issuer of it`);
    } catch (error) {
      faults.push(`${new URL(url).host}: ${faultOf(error)}`);
    }
  }
  throw new ProofFault(`its issuer cannot be found: ${faults.join('; ') || 'it names no address'}`);
}

/**
 * Reads a downloaded issuer: one certificate, or a CMS without signers (.p7c; RFC 5280, 4.2.2.1) in DER or BER. Some authorities
 * serve PEM.
 */
function readSent(sent: Uint8Array): Certificate[] {
  if (sent[0] !== TAGS.sequence) return readPem(sent);
  const [first, wrapped] = childrenOf(decode(withLengths(sent).der), TAGS.sequence);
  if (first?.tag !== TAGS.oid) return [readCertificate(sent)];
  if (readOid(first) !== OIDS.signedData) throw new DerError('no certificates');
  return childrenOf(childrenOf(wrapped, contextTag(0))[0], TAGS.sequence)
    .filter(({ tag }) => tag === contextTag(0))
    .flatMap(children)
    .slice(0, MAX_SENT)
    .flatMap(({ raw }) => attempt(() => readCertificate(raw)) ?? []);
}

function readPem(sent: Uint8Array): Certificate[] {
  const certificates = certificatesOfPem(Buffer.from(sent).toString('latin1'));
  if (certificates.length === 0) throw new DerError('no certificates');
  return certificates.slice(0, MAX_SENT);
}
