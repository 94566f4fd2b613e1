import { type AuditEvent, type PersonalValue, TRAIL_VERSION, verify } from '../shared/requests/chain.ts';
import {
  compareWithEvents,
  type Difference,
  operationalAttributes,
} from '../shared/requests/compare-with-events.ts';
import { isErasureRecorded } from '../shared/requests/erasing.ts';
import { valueAt } from '../shared/runtime/value-paths.ts';
import { drawnSignatureKey, originalKey, sealedKey } from '../shared/store/objects.ts';
import { STORAGE_ATTRIBUTES, type StoredRequest } from '../shared/store/requests.ts';
import { compareWithEvidence } from './evidence.ts';
import type { Operator } from './operator.ts';

const OBJECT_KEYS = { original: originalKey, sealed: sealedKey, drawing: drawnSignatureKey };

/** A personal value that does not match its commitment, or is gone. */
function alteredValue(events: readonly AuditEvent[], { sequence, path }: PersonalValue): Difference {
  const event = events.find((each) => each.sequence === sequence);
  return {
    item: `event ${sequence}`,
    attribute: path,
    stored: valueAt(event, path) ?? null,
    event: `commitment ${event?.commitments[path]}`,
  };
}

/**
 * Recomputes the chain of a request's events, compares the request's items with what the events state, and both with
 * the sealed evidence file.
 */
export async function verifyAudit(
  id: string,
  stored: StoredRequest,
  evidenceFile: Uint8Array | undefined,
  operator: Operator,
) {
  const { state, events } = stored;
  const kept = { sequence: state.auditSequence, head: state.auditHead };
  const { intact, head, brokenAt, altered, erased } = verify(id, events, kept);
  const evidence = await compareWithEvidence(id, stored, evidenceFile, operator);
  // Events of version 1 do not state every fact.
  const compared = events[0]?.version === TRAIL_VERSION;
  // An erasure is recorded. A value that is gone without that event was not erased by the service.
  const removed = erased.filter((value) => !isErasureRecorded(events, value));
  const differences = [
    ...[...altered, ...removed].map((value) => alteredValue(events, value)),
    ...(compared ? compareWithEvents(id, stored, OBJECT_KEYS) : []),
    ...evidence.differences,
  ];
  return {
    request_id: id,
    intact: intact && differences.length === 0,
    events: events.length,
    head,
    broken_at: brokenAt,
    compared,
    anchored: evidence.anchored,
    evidence_fault: evidence.fault,
    differences,
    erased: erased.map(({ sequence, path }) => ({ item: `event ${sequence}`, attribute: path })),
    operational: { ...operationalAttributes(), every_item: STORAGE_ATTRIBUTES },
  };
}
