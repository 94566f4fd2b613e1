import { createHash } from 'node:crypto';
import { type Certificate, isIssuedBy, oneLine, sha256 } from './certificate.ts';
import { faultAmong } from './certificate-fields.ts';
import { sameBytes } from './der.ts';
import { SignatureFault } from './faults.ts';
import { verifyLevel } from './long-term/verify.ts';
import { PdfRefusal } from './pdf/refusal.ts';
import { readTextString } from './pdf/text.ts';
import { isName, type PdfDict, PdfString } from './pdf/values.ts';
import { planSeal, type SealPlan } from './plan.ts';
import { readContents } from './signature-contents.ts';
import { readSignedData, requireDetached, tokenOf } from './signed-data.ts';
import { readCertificates, verifySigner } from './signer.ts';
import { type SealFacts, sealTechnical } from './technical.ts';
import { verifyToken } from './timestamp-token.ts';

/** The properties that make a sealed file ours. */
export interface ExpectedSeal {
  /** The seal must follow these bytes directly. */
  original: Uint8Array;
  /** DER of the certificates whose seals count. */
  certificates: readonly Uint8Array[];
  /** Pinned certificates that the timestamp must lead to. */
  anchors: readonly Certificate[];
  /** The reason that the seal states. It names the request, so a seal over the same original for another one fails. */
  reason: string;
}

export type SealVerification = ({ valid: true } & SealFacts) | { valid: false; fault: string };

/** Checks that a file is the original followed directly by our seal and nothing else. Never throws because of its bytes. */
export function verifySeal(bytes: Uint8Array, expected: ExpectedSeal): SealVerification {
  try {
    return verify(bytes, expected);
  } catch (error) {
    if (!(error instanceof SignatureFault || error instanceof PdfRefusal)) throw error;
    return { valid: false, fault: error.message };
  }
}

function verify(bytes: Uint8Array, expected: ExpectedSeal): SealVerification {
  const { original, anchors } = expected;
  if (!sameBytes(bytes.subarray(0, original.length), original))
    throw new SignatureFault('the original is not the prefix');
  const end = endOfSeal(bytes, original.length);
  const { facts, ...seal } = verifySigned(bytes.subarray(0, end), expected);
  const lasting = verifyLevel(bytes, end, { ...seal, anchors });
  const { own, stamp } = seal;
  return {
    valid: true,
    sha256: end === bytes.length ? facts.sha256 : sha256(bytes).toString('hex'),
    sealedAt: stamp.time.toISOString(),
    pagesAdded: facts.pagesAdded,
    technical: sealTechnical(own, { ...stamp, authority: oneLine(stamp.signer.x509.subject) }, lasting.level),
    lasting,
  };
}

/** The end of the B-T seal: after the range of the first new signature if the file has a DSS, otherwise the end of the file. */
function endOfSeal(bytes: Uint8Array, from: number): number {
  const plan = planSeal(bytes);
  const [first] = newSignatures(plan, from);
  const hasStore = first !== undefined && plan.catalog.dict.get('DSS') !== null;
  return hasStore ? readContents(bytes, first).end : bytes.length;
}

/** Verifies the B-T seal at the end of a file. */
function verifySigned(bytes: Uint8Array, { original, certificates, anchors, reason }: ExpectedSeal) {
  const before = planSeal(original);
  const plan = planSeal(bytes);
  requireDirectRevision(plan, before);
  const signature = soleNewSignature(plan, original.length);
  requireReason(signature, reason);

  const { from, to, end, cms, isDer, isLowerCase } = readContents(bytes, signature);
  if (end !== bytes.length) throw new SignatureFault('the signature does not cover the whole file');
  if (!isDer) throw new SignatureFault('the signature is not in DER');
  if (!isLowerCase) throw new SignatureFault('the signature is not in lower case');
  const prefix = createHash('sha256').update(bytes.subarray(0, from));

  const data = readSignedData(cms);
  requireDetached(data);
  const own = verifySigner(data, (algorithm) => {
    if (algorithm === 'sha256') return prefix.copy().update(bytes.subarray(to)).digest();
    if (algorithm !== 'sha384') throw new SignatureFault('the digest is neither SHA-256 nor SHA-384');
    return createHash(algorithm).update(bytes.subarray(0, from)).update(bytes.subarray(to)).digest();
  });
  if (!certificates.some((each) => sameBytes(each, own.der)))
    throw new SignatureFault('the signature is by another certificate');
  const others = readCertificates(data).filter(({ der }) => !sameBytes(der, own.der));
  const fault = faultAmong([own, ...others], own, isIssuedBy);
  if (fault !== null) throw new SignatureFault(fault);

  const token = tokenOf(data);
  if (token === null) throw new SignatureFault('the signature has no timestamp');
  return {
    own,
    others,
    stamp: verifyToken(token, sha256(data.signer.signature), anchors),
    facts: {
      sha256: prefix.update(bytes.subarray(from)).digest('hex'),
      pagesAdded: plan.pageTree.pages.length - before.pageTree.pages.length,
    },
  };
}

/**
 * The seal must be the one revision after the original. Otherwise somebody could have a longer document sealed for
 * another request and pass that seal off as this one's.
 */
function requireDirectRevision({ file }: SealPlan, { file: before }: SealPlan): void {
  const end = before.bytes.length;
  const first = file.xref.revisionAt;
  const gap = Buffer.from(file.bytes.subarray(end, first)).toString('latin1');
  const isDirect = first >= end && (gap === '' || gap === '\n');
  if (!isDirect || file.xref.trailer.get('Prev') !== before.xref.startXref)
    throw new SignatureFault('the seal does not follow the original directly');
}

const newSignatures = ({ file, form }: SealPlan, end: number): PdfDict[] =>
  form.signatures
    .map(({ value }) => value)
    .filter(({ source, from }) => source === file.bytes && from >= end)
    .sort((one, other) => one.from - other.from);

function soleNewSignature(plan: SealPlan, end: number): PdfDict {
  const [signature, ...more] = newSignatures(plan, end);
  if (
    signature === undefined ||
    more.length > 0 ||
    !isName(signature.get('SubFilter'), 'ETSI.CAdES.detached')
  )
    throw new SignatureFault('there is not one new signature');
  return signature;
}

function requireReason(signature: PdfDict, reason: string): void {
  const stated = signature.get('Reason');
  if (!(stated instanceof PdfString) || readTextString(stated.raw) !== reason)
    throw new SignatureFault('the seal states another reason');
}
