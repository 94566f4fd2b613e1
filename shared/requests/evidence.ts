import * as z from 'zod';
import { canonicalJson } from '../runtime/canonical-json.ts';
import { int, string } from '../runtime/schemas.ts';
import { without } from '../runtime/value-paths.ts';
import { type AuditEvent, auditEvent, type PersonalValue, TRAIL_VERSION, verify } from './chain.ts';
import type { SignatureRequest } from './model.ts';

/** `evidence.json`: everything needed to compute a trail's chain again up to its anchor. See docs/data-model.md. */

const sha256 = string.regex(/^[0-9a-f]{64}$/);

const evidenceRecordSchema = z.strictObject({
  version: z.literal(1),
  requestId: string,
  originalSha256: sha256,
  sealedSha256: sha256,
  anchor: z.strictObject({ sequence: int.positive(), hash: sha256 }),
  /** All events to the anchor. Those of version 1 cannot leave out a personal value, so they are not accepted. */
  events: z.array(z.strictObject({ ...auditEvent.shape, version: z.literal(TRAIL_VERSION) })),
});

export type EvidenceRecord = z.output<typeof evidenceRecordSchema>;

/** Signers get the evidence too, so these values stay out of it, as if erased. Their commitments stay. */
const WITHHELD = ['userAgent', 'details.metadata_sha256'];

function withoutWithheld({ salts, ...event }: AuditEvent): AuditEvent {
  const kept = Object.entries(salts).filter(([path]) => !WITHHELD.includes(path));
  return {
    ...without(event, new Set(WITHHELD)),
    userAgent: null,
    salts: Object.fromEntries(kept),
  };
}

/** The record of a request whose last signer has signed; throws without an anchor. */
export function evidenceRecord({
  state,
  content,
  events,
  sealedSha256,
}: SignatureRequest & { events: readonly AuditEvent[]; sealedSha256: string }): EvidenceRecord {
  const { id: requestId, anchor } = state;
  if (!anchor) throw new Error(`The request ${requestId} has no anchor, and so no evidence.`);
  return evidenceRecordSchema.parse({
    version: 1,
    requestId,
    originalSha256: content.documentSha256,
    sealedSha256,
    anchor,
    events: events.filter(({ sequence }) => sequence <= anchor.sequence).map(withoutWithheld),
  });
}

/** The bytes of `evidence.json`. The same record gives the same bytes. */
export const evidenceJson = (record: EvidenceRecord): string => canonicalJson(record);

type EvidenceVerdict =
  | { valid: true; record: EvidenceRecord; withheld: PersonalValue[] }
  | { valid: false; fault: string };

/** Events that name the document's hash. */
const DOCUMENT_EVENTS = ['request_created', 'signer_signed'];

/** Computes the chain of a record again, only from the record, and compares what its events say about the document. */
export function verifyEvidenceRecord(record: unknown): EvidenceVerdict {
  const parsed = evidenceRecordSchema.safeParse(record);
  if (!parsed.success)
    return { valid: false, fault: `it is not an evidence record: ${pathOf(parsed.error)}` };
  const { requestId, anchor, events, originalSha256 } = parsed.data;
  const chain = verify(requestId, events, { sequence: anchor.sequence, head: anchor.hash });
  const [altered] = chain.altered;
  if (altered)
    return { valid: false, fault: `${altered.path} of event ${altered.sequence} is not what was recorded` };
  if (!chain.intact) return { valid: false, fault: `the chain breaks at event ${chain.brokenAt}` };
  const other = events.find(
    ({ type, details }) => DOCUMENT_EVENTS.includes(type) && details.document_sha256 !== originalSha256,
  );
  if (other) return { valid: false, fault: `event ${other.sequence} is about another document` };
  return { valid: true, record: parsed.data, withheld: chain.erased };
}

const pathOf = ({ issues }: z.ZodError) => issues.map(({ path }) => path.join('.')).join(', ');
