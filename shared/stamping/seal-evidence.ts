import type { SignerOnPage } from '../audit/signatures.ts';
import {
  type EvidenceRecord,
  evidenceJson,
  evidenceRecord,
  verifyEvidenceRecord,
} from '../requests/evidence.ts';
import { canonicalJson } from '../runtime/canonical-json.ts';
import { SealError } from '../sealing/errors.ts';
import type { SealKey } from '../sealing/keys/port.ts';
import type { Lasting } from '../sealing/level.ts';
import { holdsUntil } from '../sealing/long-term/holds-until.ts';
import { sealOwn } from '../sealing/seal-own.ts';
import { evidenceReason } from '../sealing/seal-reasons.ts';
import { findObject } from '../store/find-object.ts';
import { evidenceKey } from '../store/objects.ts';
import type { StoredRequest } from '../store/requests.ts';
import { makeEvidenceFile } from './evidence-file.ts';
import type { Trust } from './found-seal.ts';
import { type Sealing, storeFirst, verifyUrlOf } from './sealing.ts';
import { verifyEvidenceFile } from './verify-evidence.ts';

interface Evidence {
  request: StoredRequest;
  signers: readonly SignerOnPage[];
  record: EvidenceRecord;
  lasting: Lasting;
}

export interface SealedEvidence {
  sha256: string;
  /** The end of the document timestamp's certificate; none below B-LTA. */
  holdsUntil: string | undefined;
}

/**
 * Makes and seals the evidence file. Returns a function that stores it, to be called once the sealed document is stored. A later
 * run verifies and uses the first file. `isStored`: the seal is the stored one. An evidence file that is there is about no other.
 */
export async function makeEvidence(
  sealing: Sealing,
  request: StoredRequest,
  {
    signers,
    seal,
    isStored,
  }: {
    signers: readonly SignerOnPage[];
    seal: { sha256: string; lasting: Lasting };
    isStored: boolean;
  },
): Promise<() => Promise<SealedEvidence>> {
  const record = evidenceRecord({ ...request, sealedSha256: seal.sha256 });
  const checked = verifyEvidenceRecord(record);
  if (!checked.valid) throw new SealError('trail_changed', checked.fault);
  const evidence = { request, signers, record, lasting: seal.lasting };
  const existing = () => existingEvidence(sealing, evidence);
  const found = isStored && (await existing());
  if (found) return async () => found;
  const key = await sealing.keyFor(request.state.mode);
  const [pdf, anchors] = await Promise.all([makeSealed(sealing, evidence, key), sealing.anchors()]);
  const certificates = key.certificateChain.slice(0, 1).map((der) => ({ der }));
  const own = verified(pdf, evidence, { certificates, anchors });
  return () => storeFirst(sealing, { key: evidenceKey(request.state.id), pdf, own, existing });
}

async function makeSealed(
  sealing: Sealing,
  { request, signers, record, lasting }: Evidence,
  key: SealKey,
): Promise<Uint8Array> {
  const pdf = await makeEvidenceFile({ request, record, signers, lasting, verifyUrl: verifyUrlOf(sealing) });
  const reason = evidenceReason(request.state.id);
  const { timestamp, longTerm } = sealing;
  return sealOwn({ pdf, key, timestamp, longTerm, now: sealing.now(), reason });
}

/** The evidence file that another run stored. */
async function existingEvidence(sealing: Sealing, evidence: Evidence): Promise<SealedEvidence | undefined> {
  const { id, mode } = evidence.request.state;
  const bytes = await findObject(sealing, evidenceKey(id));
  return bytes && verified(bytes, evidence, await sealing.trustFor(mode));
}

/** An evidence file that carries our seal and exactly this record; throws a SealError for any other. */
function verified(bytes: Uint8Array, { request, record }: Evidence, trust: Trust): SealedEvidence {
  const { sha256, record: attached } = verifyEvidenceFile(bytes, request.state.id, trust);
  if (canonicalJson(attached) !== evidenceJson(record))
    throw new SealError('foreign_seal', 'the stored evidence file holds another record');
  return { sha256, holdsUntil: holdsUntil(bytes) };
}
