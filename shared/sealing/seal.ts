import { buildIncrement, signRevision, type Unsigned } from './append.ts';
import { makeSignature, type SealSigner } from './cades.ts';
import { oneLine } from './certificate.ts';
import { orUnsealable } from './errors.ts';
import { checkCertificates } from './keys/check.ts';
import { raise } from './long-term/raise.ts';
import type { HashedOriginal } from './original.ts';
import { planSeal } from './plan.ts';
import { type SealFacts, sealTechnical } from './technical.ts';
import type { Timestamp } from './timestamp.ts';

export interface SealRequest extends SealSigner {
  original: HashedOriginal;
  /** A PDF whose pages are appended, unless the document already carries signatures. */
  signaturePage?: Uint8Array;
  reason?: string;
}

export interface Seal extends SealFacts {
  bytes: Buffer;
}

/** Seals a PDF at the wanted PAdES level by incremental updates. Throws a SealError rather than give a weaker seal. */
export async function seal(request: SealRequest): Promise<Seal> {
  const { original } = request;
  const certificates = checkCertificates(request.key, request.now);
  const unsigned = prepare(request, oneLine(certificates.own.x509.subject));
  const { file: sealed, stamp } = await signRevision(original, unsigned, (digestBy) =>
    makeSignature(digestBy, request, certificates),
  );
  const { file, stamp: newest } = await raise(sealed, request, { chain: certificates.chain, stamp });
  const level = request.longTerm?.level ?? 'B-T';
  return {
    bytes: file.bytes,
    sha256: file.sha256,
    sealedAt: stamp.time.toISOString(),
    pagesAdded: unsigned.pagesAdded,
    technical: sealTechnical(certificates.own, stamp, level),
    lasting: { level, until: endOf(newest) },
  };
}

/** The end of the authority's certificate. */
const endOf = ({ chain }: Timestamp): string => chain.certificates[0]?.notAfter.toISOString() ?? '';

function prepare({ original, signaturePage, now, reason, longTerm }: SealRequest, name: string): Unsigned {
  return orUnsealable(() =>
    buildIncrement(
      planSeal(original.bytes),
      { time: now, name, reason },
      signaturePage,
      longTerm !== undefined,
    ),
  );
}
