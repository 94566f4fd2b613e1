import { canonicalJson } from '../runtime/canonical-json.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { isRecord } from '../runtime/value-paths.ts';
import type { AuditEvent } from './chain.ts';
import { contentFacts, type ObjectKeys, signerFacts, stateFacts } from './facts.ts';
import type { RequestContent, SignatureRequest } from './model.ts';
import { detail, OneOf, OPERATIONAL, Trail, UNKNOWN } from './trail.ts';

export interface Difference {
  /** `request`, `content`, or `signer` with its position. */
  item: string;
  attribute: string;
  stored: unknown;
  /** The value that the events state. */
  event: unknown;
}

const same = (a: unknown, b: unknown) => canonicalJson(a ?? null) === canonicalJson(b ?? null);

/** Names each attribute that is not what is expected. */
export function compare(item: string, stored: unknown, expected: unknown, attribute = ''): Difference[] {
  if (expected === OPERATIONAL || expected === UNKNOWN) return [];
  if (isRecord(stored) && isRecord(expected) && !(expected instanceof OneOf)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(stored)]);
    return [...names].flatMap((name) =>
      compare(item, stored[name], expected[name], attribute ? `${attribute}.${name}` : name),
    );
  }
  const allowed = expected instanceof OneOf ? expected.values : [expected];
  if (allowed.some((value) => same(value, stored))) return [];
  return [{ item, attribute, stored: stored ?? null, event: allowed[0] ?? null }];
}

/** Events hold the digests of message and metadata. */
const withDigests = (content: RequestContent) => ({
  ...content,
  message: sha256Hex(content.message),
  metadataJson: sha256Hex(content.metadataJson),
});

/** Compares a request's items with what its events state, and names each attribute that differs. */
export function compareWithEvents(
  requestId: string,
  { state, content, signers, events }: SignatureRequest & { events: readonly AuditEvent[] },
  keys: ObjectKeys,
): Difference[] {
  const trail = new Trail(events);
  return [
    ...compare('request', state, stateFacts(requestId, trail, keys)),
    ...compare('content', withDigests(content), contentFacts(requestId, trail, keys)),
    ...compare('request', { signers: signers.length }, { signers: detail(events[0], 'signers') }),
    ...signers.flatMap((signer, index) =>
      compare(`signer ${index}`, signer, signerFacts(requestId, trail, index, keys)),
    ),
  ];
}

const operationalOf = (expected: object) =>
  Object.entries(expected).flatMap(([name, value]) => (value === OPERATIONAL ? [name] : []));

/** The attributes that `compareWithEvents` leaves out. */
export function operationalAttributes(): Record<'request' | 'content' | 'signer', string[]> {
  const nothing = new Trail([]);
  const keys: ObjectKeys = { original: String, sealed: String, drawing: String };
  return {
    request: operationalOf(stateFacts('', nothing, keys)),
    content: operationalOf(contentFacts('', nothing, keys)),
    signer: operationalOf(signerFacts('', nothing, 0, keys)),
  };
}
