import { createHash } from 'node:crypto';
import { buildIncrement, CONTENTS_BYTES, type Unsigned, writeUnsigned } from './append.ts';
import { type Certificate, oneLine } from './certificate.ts';
import { signedAttributes, signedData } from './cms.ts';
import { SealError } from './errors.ts';
import { checkCertificates, signChecked } from './keys/check.ts';
import type { SealKey } from './keys/port.ts';
import { PdfRefusal } from './pdf/refusal.ts';
import { planSeal } from './plan.ts';
import type { Timestamper } from './timestamp.ts';

export interface SealRequest {
  original: Uint8Array;
  /** A PDF whose pages are added at the end. Left out of a document that already carries signatures. */
  signaturePage?: Uint8Array;
  key: SealKey;
  timestamp: Timestamper;
  now: Date;
  name?: string;
  reason?: string;
  location?: string;
}

export interface Seal {
  bytes: Buffer;
  /** Lower-case hexadecimal SHA-256 of `bytes`. */
  sha256: string;
  /** The authority's time, ISO 8601. */
  sealedAt: string;
  /** 0 when the document carried signatures already. */
  pagesAdded: number;
  technical: SealTechnical;
}

/** What the audit trail prints about a seal. Times are ISO 8601. */
export interface SealTechnical {
  subject: string;
  issuer: string;
  serial: string;
  notBefore: string;
  notAfter: string;
  algorithm: 'RSA with SHA-256' | 'ECDSA P-256 with SHA-256';
  timestampAuthority: string;
  timestampTime: string;
  timestampSerial: string;
  timestampPolicy: string;
}

/** Seals a PDF: PAdES B-T in an incremental update. It gives a whole seal or throws a SealError; nothing in between. */
export async function seal(request: SealRequest): Promise<Seal> {
  const { original, key, now } = request;
  const chain = checkCertificates(key, now);
  const [own] = chain;
  if (own === undefined) throw new SealError('certificate_chain', true, 'the key has no certificate');
  const unsigned = prepare(request);
  const bytes = writeUnsigned(original, unsigned);

  // One pass over the file serves both hashes: they part where /Contents begins.
  const { contentsFrom, contentsTo } = unsigned;
  const prefix = createHash('sha256').update(bytes.subarray(0, contentsFrom));
  const byteRangeDigest = prefix.copy().update(bytes.subarray(contentsTo)).digest();

  const attributes = signedAttributes(byteRangeDigest, own);
  const signature = await signChecked(key, own, attributes);
  const timestamp = await request.timestamp(signature);
  const cms = signedData({
    attributes,
    signature,
    algorithm: key.algorithm,
    chain,
    timestampToken: timestamp.token,
  });
  if (cms.length > CONTENTS_BYTES) {
    throw new SealError(
      'seal_too_large',
      true,
      `${cms.length} bytes of signature, room for ${CONTENTS_BYTES}`,
    );
  }
  bytes.write(cms.toString('hex'), contentsFrom + 1, 'latin1');
  return {
    bytes,
    sha256: prefix.update(bytes.subarray(contentsFrom)).digest('hex'),
    sealedAt: timestamp.time.toISOString(),
    pagesAdded: unsigned.pagesAdded,
    technical: {
      ...describe(own),
      algorithm: key.algorithm === 'rsa' ? 'RSA with SHA-256' : 'ECDSA P-256 with SHA-256',
      timestampAuthority: timestamp.authority,
      timestampTime: timestamp.time.toISOString(),
      timestampSerial: timestamp.serial,
      timestampPolicy: timestamp.policy,
    },
  };
}

function prepare({ original, signaturePage, now, name, reason, location }: SealRequest): Unsigned {
  try {
    return buildIncrement(planSeal(original), { time: now, name, reason, location }, signaturePage);
  } catch (cause) {
    if (!(cause instanceof PdfRefusal)) throw cause;
    throw new SealError('original_unsealable', true, cause.message, { cause });
  }
}

const describe = ({ x509, notBefore, notAfter }: Certificate) => ({
  subject: oneLine(x509.subject),
  issuer: oneLine(x509.issuer),
  serial: x509.serialNumber,
  notBefore: notBefore.toISOString(),
  notAfter: notAfter.toISOString(),
});
