import { type Certificate, isIssuedBy, readCertificate } from '../certificate.ts';
import { isValidAt } from '../certificate-fields.ts';
import { children, childrenOf, contextTag, DerError, decode, readOid, sameBytes, TAGS } from '../der.ts';
import { OIDS } from '../oids.ts';
import { addressesOf } from './addresses.ts';
import { ProofFault } from './proof.ts';
import { faultOf, type Retrieve } from './retrieve.ts';

const MAX_CHAIN = 6;
/** A file of certificates with more is ignored from there on. */
const MAX_SENT = 10;

/** The certificates that a chain is built from. */
export interface Known {
  /** The certificate to prove first, then others in any order. */
  certificates: readonly Certificate[];
  /** Trusted directly: the chain ends at the first of them, otherwise at a self-signed root. */
  anchors: readonly Certificate[];
}

/** Builds the chain of the first certificate; asks the addresses in the certificates for what is missing. */
export async function buildChain(
  { certificates, anchors }: Known,
  at: Date,
  retrieve: Retrieve,
): Promise<Certificate[]> {
  const found: Certificate[] = [];
  for (;;) {
    const { chain, isWhole } = chainOf({ certificates: [...certificates, ...found], anchors }, at);
    const last = chain.at(-1);
    if (isWhole || last === undefined) return chain;
    found.push(await retrieveIssuer(last, at, retrieve));
  }
}

/** The chain of the first certificate as far as it is known. */
export function chainOf(
  { certificates, anchors }: Known,
  at: Date,
): { chain: Certificate[]; isWhole: boolean } {
  const known = [...certificates, ...anchors];
  const chain = certificates.slice(0, 1);
  for (let current = chain[0]; current && !isEnd(current, anchors); current = chain.at(-1)) {
    const issuer = issuerAmong(known, current, at);
    if (issuer === undefined) return { chain, isWhole: false };
    if (chain.length === MAX_CHAIN) throw new ProofFault('the chain is too long');
    chain.push(issuer);
  }
  return { chain, isWhole: true };
}

const isEnd = (certificate: Certificate, anchors: readonly Certificate[]): boolean =>
  anchors.some(({ der }) => sameBytes(der, certificate.der)) || isSelfSigned(certificate);

const isSelfSigned = (certificate: Certificate): boolean =>
  sameBytes(certificate.subject, certificate.issuer) && isIssuedBy(certificate, certificate);

/** SHA-1 signatures can be forged, so they do not make an issuer. */
const issuerAmong = (
  known: readonly Certificate[],
  certificate: Certificate,
  at: Date,
): Certificate | undefined =>
  certificate.isStronglySigned
    ? known.find((each) => isValidAt(each, at) && isIssuedBy(certificate, each))
    : undefined;

async function retrieveIssuer(certificate: Certificate, at: Date, retrieve: Retrieve): Promise<Certificate> {
  const faults: string[] = [];
  for (const url of addressesOf(certificate).issuers) {
    try {
      const issuer = issuerAmong(readSent(await retrieve(url)), certificate, at);
      if (issuer) return issuer;
      faults.push(`${new URL(url).host}: no issuer of it`);
    } catch (error) {
      faults.push(`${new URL(url).host}: ${faultOf(error)}`);
    }
  }
  throw new ProofFault(`its issuer cannot be found: ${faults.join('; ') || 'it names no address'}`);
}

/** One certificate, or several in a CMS without signers (.p7c; RFC 5280, 4.2.2.1). */
function readSent(der: Uint8Array): Certificate[] {
  const [first, wrapped] = childrenOf(decode(der), TAGS.sequence);
  if (first?.tag !== TAGS.oid) return [readCertificate(der)];
  if (readOid(first) !== OIDS.signedData) throw new DerError('no certificates');
  return childrenOf(childrenOf(wrapped, contextTag(0))[0], TAGS.sequence)
    .filter(({ tag }) => tag === contextTag(0))
    .flatMap(children)
    .slice(0, MAX_SENT)
    .map(({ raw }) => readCertificate(raw));
}
