import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Mode } from '../shared/contract/fields.ts';
import type { AuditEvent } from '../shared/requests/chain.ts';
import { compare, type Difference } from '../shared/requests/compare-with-events.ts';
import { type EvidenceRecord, verifyEvidenceRecord } from '../shared/requests/evidence.ts';
import type { RequestState } from '../shared/requests/model.ts';
import { without } from '../shared/runtime/value-paths.ts';
import { SealError } from '../shared/sealing/errors.ts';
import { anchorsOf, readOwnCertificates } from '../shared/stamping/configuration.ts';
import type { Trust } from '../shared/stamping/found-seal.ts';
import { asSealed, verifyEvidenceFile } from '../shared/stamping/verify-evidence.ts';
import { findObject } from '../shared/store/find-object.ts';
import { evidenceKey } from '../shared/store/objects.ts';
import type { StoredRequest } from '../shared/store/requests.ts';
import { documentsOf, type Operator } from './operator.ts';
import { secretText } from './secret-versions.ts';

/** Compares a request with its sealed evidence file, which nobody can write without the seal's key. */

interface EvidenceComparison {
  /** True if the file is ours and the stored chain leads to its anchor. */
  anchored: boolean;
  /** The reason that there is no evidence to compare with; null if there is some. */
  fault: string | null;
  differences: Difference[];
}

const unusable = (fault: string): EvidenceComparison => ({ anchored: false, fault, differences: [] });

function whyNone({ seal, evidenceHash, purgedAt }: RequestState): string {
  if (!seal) return 'the request is not sealed';
  if (!evidenceHash) return 'the request is from before evidence files';
  return purgedAt
    ? 'the evidence file was purged; give a copy with --evidence'
    : 'the evidence file is missing in the bucket; give a copy with --evidence';
}

/** The certificates of the request's mode: the test certificate proves nothing about a live request. */
async function trustFor(mode: Mode, operator: Operator): Promise<Trust> {
  const { clients, output } = operator;
  const secretArn = output(mode === 'test' ? 'TestSealSecretArn' : 'SealSecretArn');
  const [certificates, timestampSecret] = await Promise.all([
    readOwnCertificates(secretArn, new SecretsManagerClient(clients)),
    secretText(operator, 'TimestampSecretArn'),
  ]);
  return { certificates, anchors: anchorsOf(timestampSecret) };
}

/** Compares a request with the evidence file given, or else with the one that is stored. */
export async function compareWithEvidence(
  id: string,
  stored: StoredRequest,
  given: Uint8Array | undefined,
  operator: Operator,
): Promise<EvidenceComparison> {
  const { state } = stored;
  const bytes = given
    ? asSealed(given, state.evidenceHash)
    : state.seal && (await findObject(documentsOf(operator), evidenceKey(id)));
  if (!bytes) return unusable(whyNone(state));
  try {
    const { sha256, record } = verifyEvidenceFile(bytes, id, await trustFor(state.mode, operator));
    const verdict = verifyEvidenceRecord(record);
    if (!verdict.valid) return unusable(verdict.fault);
    const { sequence, hash } = verdict.record.anchor;
    return {
      anchored: stored.events[sequence - 1]?.hash === hash,
      fault: null,
      differences: differencesFrom(verdict.record, sha256, stored),
    };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    // A stored one that is not ours would be an incident.
    return unusable(given ? error.told.replace('the stored file', 'the given file') : error.told);
  }
}

function differencesFrom(record: EvidenceRecord, sha256: string, stored: StoredRequest): Difference[] {
  const { state, content, events } = stored;
  return [
    ...compare(
      'request',
      { documentHash: state.documentHash, evidenceHash: state.evidenceHash, anchor: state.anchor },
      { documentHash: record.sealedSha256, evidenceHash: sha256, anchor: record.anchor },
    ),
    ...compare('content', content.documentSha256, record.originalSha256, 'documentSha256'),
    ...record.events.flatMap((event, index) => eventDifferences(events[index], event)),
    ...compare(
      `event ${record.anchor.sequence}`,
      events[record.anchor.sequence - 1]?.hash,
      record.anchor.hash,
      'hash',
    ),
  ];
}

/** An event as it is now and as it was sealed, without the values that the evidence withholds. */
function eventDifferences(stored: AuditEvent | undefined, sealed: AuditEvent): Difference[] {
  if (stored?.hash === sealed.hash) return [];
  const withheld = Object.keys(sealed.commitments).filter((path) => !(path in sealed.salts));
  return compare(
    `event ${sealed.sequence}`,
    saidBy(without(stored ?? {}, new Set(withheld))),
    saidBy(without(sealed, new Set(withheld))),
  );
}

const saidBy = ({ type, at, actor, signerId, ipAddress, details }: Partial<AuditEvent>) => ({
  type,
  at,
  actor,
  signerId,
  ipAddress,
  details,
});
