import { canonicalJson } from '../../shared/runtime/canonical-json.ts';
import { isMissing, isRecord, valueAt, without } from '../../shared/runtime/value-paths.ts';
import { type RecordedSigner, shownText } from './report.ts';
import { sha256Hex } from './web-crypto.ts';

/** `evidence.json`, the attachment of the evidence file: all events up to the anchor, each with the previous one's hash. */

export interface EvidenceRecord {
  requestId: string;
  originalSha256: string;
  sealedSha256: string;
  anchor: { sequence: number; hash: string };
  events: RecordedEvent[];
}

interface RecordedEvent {
  sequence: number;
  type: string;
  at: string;
  signerId: string | null;
  ipAddress: string | null;
  details: Record<string, unknown>;
  salts: Record<string, string>;
  commitments: Record<string, string>;
  previousHash: string;
  hash: string;
}

/** The limit of a request. Without it, a small file could list enough signers to keep a page busy for hours. */
const MOST_SIGNERS = 20;

/** Null if it is not a record in this format. */
export function readRecord(json: string): EvidenceRecord | null {
  const record = parsed(json);
  return isRecord(record) &&
    record.version === 1 &&
    hasTexts(record, 'requestId', 'originalSha256', 'sealedSha256') &&
    hasTexts(record.anchor, 'hash') &&
    Array.isArray(record.events) &&
    record.events.every(isEvent) &&
    record.events.filter(isSignature).length <= MOST_SIGNERS
    ? (record as unknown as EvidenceRecord)
    : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const hasTexts = (value: unknown, ...names: string[]): boolean =>
  isRecord(value) && names.every((name) => typeof value[name] === 'string');

const isTexts = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((text) => typeof text === 'string');

/** The format of all events. `Date.parse` alone accepts times followed by any text in brackets. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));

const isEvent = (event: unknown): boolean =>
  hasTexts(event, 'type', 'at', 'previousHash', 'hash') &&
  isRecord(event) &&
  isTime(String(event.at)) &&
  isRecord(event.details) &&
  isTexts(event.salts) &&
  isTexts(event.commitments);

const hashOf = (text: string): Promise<string> => sha256Hex(new TextEncoder().encode(text));

/** Recomputes the hash chain from the request's id to the anchor. False if an event was changed, removed or added. */
export async function isChainWhole({
  requestId,
  originalSha256,
  anchor,
  events,
}: EvidenceRecord): Promise<boolean> {
  let previousHash = await hashOf(`audit:${requestId}`);
  for (const [index, event] of events.entries()) {
    const isNext = event.sequence === index + 1 && event.previousHash === previousHash;
    if (!isNext || !(await isUnaltered(event)) || isOfOther(event, originalSha256)) return false;
    previousHash = event.hash;
  }
  return events.length === anchor.sequence && previousHash === anchor.hash;
}

async function isUnaltered(event: RecordedEvent): Promise<boolean> {
  const { hash, salts, commitments, ...content } = event;
  const open = without(content, new Set(Object.keys(commitments)));
  if ((await hashOf(canonicalJson({ ...open, commitments }))) !== hash) return false;
  for (const path of new Set([...Object.keys(commitments), ...Object.keys(salts)])) {
    const [value, salt] = [valueAt(event, path), salts[path]];
    // The value was withheld or erased, together with its salt.
    if (isMissing(value) && salt === undefined) continue;
    // All values are texts. With objects, a file could have the same megabytes hashed for a thousand paths.
    if (typeof value !== 'string') return false;
    const commitment = salt === undefined ? undefined : await hashOf(canonicalJson([path, salt, value]));
    if (commitment !== commitments[path]) return false;
  }
  return true;
}

const OF_DOCUMENT: readonly string[] = ['request_created', 'signer_signed'];

const isOfOther = ({ type, details }: RecordedEvent, originalSha256: string): boolean =>
  OF_DOCUMENT.includes(type) && details.document_sha256 !== originalSha256;

const isSignature = ({ type }: Pick<RecordedEvent, 'type'>): boolean => type === 'signer_signed';

/** The signers and their signatures, as the events say. */
export const signersOf = ({ events }: EvidenceRecord): RecordedSigner[] =>
  events.filter(isSignature).map(({ signerId, at, ipAddress, details }) => {
    const before = (kind: string) =>
      events.findLast((event) => event.type === kind && event.signerId === signerId && event.at <= at);
    return {
      name: textOf(details.name),
      representing: textOf(details.representing),
      signedAt: at,
      codeConfirmedAt: before('code_verified')?.at ?? null,
      ipAddress: textOf(ipAddress),
    };
  });

const textOf = (value: unknown): string | null => (typeof value === 'string' ? shownText(value) : null);
