import { createHash } from 'node:crypto';
import { Signer, SignPdf } from '@signpdf/signpdf';
import { BYTE_RANGE_ROOM, buildIncrement, writeUnsigned } from './append.ts';
import { makeSignature, type SealSigner } from './cades.ts';
import { oneLine } from './certificate.ts';
import type { DigestBy } from './keys/algorithm.ts';
import { checkCertificates, type KeyCertificates } from './keys/check.ts';
import { raise } from './long-term/raise.ts';
import { HashedOriginal } from './original.ts';
import { planSeal } from './plan.ts';
import type { Timestamp } from './timestamp.ts';

export interface OwnSealRequest extends SealSigner {
  /** A PDF of ours without uncompressed user text: SignPdf searches it for the placeholder. */
  pdf: Uint8Array;
  reason: string;
}

/** The placeholder that SignPdf replaces by the byte range. */
const BYTE_RANGE_PLACEHOLDER = '[0 /********** /********** /**********]';

/** Seals a PDF of ours through SignPdf, with the same signature as every other seal. Throws a SealError. */
export async function sealOwn({ pdf, reason, ...signer }: OwnSealRequest): Promise<Buffer> {
  const certificates = checkCertificates(signer.key, signer.now);
  const name = oneLine(certificates.own.x509.subject);
  const unsigned = buildIncrement(planSeal(pdf), { time: signer.now, name, reason });
  const bytes = writeUnsigned(pdf, unsigned);
  bytes.write(BYTE_RANGE_PLACEHOLDER.padEnd(BYTE_RANGE_ROOM), unsigned.byteRangeAt, 'latin1');
  const cades = new CadesSigner(signer, certificates);
  const sealed = await new SignPdf().sign(bytes, cades);
  const { stamp } = cades;
  if (signer.longTerm === undefined || stamp === undefined) return sealed;
  return (await raise(new HashedOriginal(sealed), signer, { chain: certificates.chain, stamp })).file.bytes;
}

class CadesSigner extends Signer {
  readonly #signer: SealSigner;
  readonly #certificates: KeyCertificates;
  /** Set by signing. */
  stamp: Timestamp | undefined;

  constructor(signer: SealSigner, certificates: KeyCertificates) {
    super();
    this.#signer = signer;
    this.#certificates = certificates;
  }

  /** `covered` is the file without /Contents. */
  override async sign(covered: Buffer): Promise<Buffer> {
    const digestBy: DigestBy = (algorithm) => createHash(algorithm).update(covered).digest();
    const { contents, stamp } = await makeSignature(digestBy, this.#signer, this.#certificates);
    this.stamp = stamp;
    return contents;
  }
}

const END = Buffer.from('%%EOF');

/** The bytes given to `sealOwn`: up to the end of the revision that the signed one names by /Prev. Verifies nothing. */
export function signedPart(sealed: Uint8Array): Uint8Array {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
  const own = withoutLaterRevisions(bytes);
  const [, previous = '0'] = /\/Prev (\d{1,10})\s/.exec(own.subarray(-2048).toString('latin1')) ?? [];
  const end = own.indexOf(END, Number(previous));
  return sealed.subarray(0, end < 0 ? sealed.length : end + END.length);
}

const BYTE_RANGE = Buffer.from('/ByteRange [0 ');

/** Cuts off what follows the first signature's range: proofs and a document timestamp. */
function withoutLaterRevisions(bytes: Buffer): Buffer {
  const at = bytes.indexOf(BYTE_RANGE);
  if (at < 0) return bytes;
  const text = bytes.subarray(at, at + BYTE_RANGE.length + BYTE_RANGE_ROOM).toString('latin1');
  const [, from = '0', length = '0'] = /\[0 +\d+ +(\d+) +(\d+) *\]/.exec(text) ?? [];
  return bytes.subarray(0, Number(from) + Number(length) || bytes.length);
}
