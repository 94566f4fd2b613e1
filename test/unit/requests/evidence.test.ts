import { createHash } from 'node:crypto';
import { chain, emptyHead } from '../../../shared/requests/chain.ts';
import {
  type EvidenceRecord,
  evidenceJson,
  evidenceRecord,
  verifyEvidenceRecord,
} from '../../../shared/requests/evidence.ts';
import type { AuditEntry } from '../../../shared/requests/model.ts';
import { loadRequestWithTrail, type StoredRequest } from '../../../shared/store/requests.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { signedBy } from '../../support/requests.ts';
import { countedSalts } from '../../support/salts.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const SEALED_SHA256 = 'b'.repeat(64);

async function signedRequest(): Promise<StoredRequest> {
  const { state } = await storedRequest(table, 2);
  for (const place of [0, 1]) await changed(table, state.id, (request, now) => signedBy(request, place, now));
  const stored = await loadRequestWithTrail(table, state.id);
  if (!stored) throw new Error('The request was stored.');
  return stored;
}

const recordOf = (request: StoredRequest) => evidenceRecord({ ...request, sealedSha256: SEALED_SHA256 });
/** As it is read from the file. */
const fileOf = (request: StoredRequest): EvidenceRecord => JSON.parse(evidenceJson(recordOf(request)));

describe('the evidence record', () => {
  let request: StoredRequest;
  let record: EvidenceRecord;
  beforeAll(async () => {
    request = await signedRequest();
    record = fileOf(request);
  });

  it('holds all events to the anchor, however many follow', () => {
    const later = request.events.map((event) => ({ ...event, sequence: event.sequence + 100 }));
    expect(evidenceJson(recordOf({ ...request, events: [...request.events, ...later] }))).toBe(
      evidenceJson(recordOf(request)),
    );
    expect(record).toMatchObject({
      version: 1,
      requestId: request.state.id,
      originalSha256: request.content.documentSha256,
      sealedSha256: SEALED_SHA256,
      anchor: request.state.anchor,
    });
    expect(record.events.at(-1)).toMatchObject({
      sequence: record.anchor.sequence,
      hash: record.anchor.hash,
    });
  });

  it('has IP addresses but no user agents', () => {
    const signed = record.events.find(({ type }) => type === 'signer_signed');
    expect(signed).toMatchObject({ ipAddress: '203.0.113.7', userAgent: null });
    expect(signed?.salts.ipAddress).toBeDefined();
    expect(signed?.salts.userAgent).toBeUndefined();
    expect(signed?.commitments.userAgent).toBeDefined();
  });

  it('verifies from the file alone, and names what was withheld', () => {
    expect(verifyEvidenceRecord(record)).toEqual({
      valid: true,
      record,
      withheld: [
        { sequence: 1, path: 'details.metadata_sha256' },
        ...record.events
          .filter(({ commitments }) => 'userAgent' in commitments)
          .map(({ sequence }) => ({ sequence, path: 'userAgent' })),
      ],
    });
  });

  it('can be computed again with nothing but SHA-256 and sorted JSON, as the documentation says', () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const remove = (value: unknown, [name = '', ...rest]: string[]): void => {
      const holder = value as Record<string, unknown>;
      if (rest.length === 0) delete holder[name];
      else remove(holder[name], rest);
    };
    const opened = new Set<string>();
    let previousHash = sha256(`audit:${record.requestId}`);
    for (const { salts, hash, ...event } of structuredClone(record.events)) {
      for (const [path, commitment] of Object.entries(event.commitments)) {
        const value = path
          .split('.')
          .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], event);
        if (path in salts) {
          expect(sha256(JSON.stringify([path, salts[path], value]))).toBe(commitment);
          opened.add(path);
        }
        remove(event, path.split('.'));
      }
      expect(event.previousHash).toBe(previousHash);
      previousHash = sha256(sorted(event));
      expect(hash).toBe(previousHash);
    }
    expect(previousHash).toBe(record.anchor.hash);
    expect([...opened]).toEqual(expect.arrayContaining(['ipAddress', 'details.sender', 'details.name']));
  });

  it('does not exist before the anchor', () => {
    const before = { ...request, state: { ...request.state, anchor: null } };
    expect(() => recordOf(before)).toThrow('no anchor');
  });

  it.each<[string, (forged: EvidenceRecord) => void, string]>([
    [
      'another name',
      (forged) => Object.assign(signature(forged).details, { name: 'Mallory' }),
      'details.name',
    ],
    [
      'another time',
      (forged) => Object.assign(signature(forged), { at: '2020-01-01T00:00:00Z' }),
      'breaks at',
    ],
    ['another request', (forged) => Object.assign(forged, { requestId: 'other' }), 'breaks at event 1'],
    ['an event less', (forged) => forged.events.pop(), 'breaks at'],
    ['another anchor', (forged) => Object.assign(forged.anchor, { hash: 'c'.repeat(64) }), 'breaks at'],
    [
      'another document',
      (forged) => Object.assign(forged, { originalSha256: SEALED_SHA256 }),
      'another document',
    ],
    ['a member more', (forged) => Object.assign(forged, { more: 1 }), 'not an evidence record'],
    [
      'a hash with more around it',
      (forged) => Object.assign(forged, { sealedSha256: `${SEALED_SHA256}0` }),
      'sealedSha256',
    ],
    [
      'a hash that begins late',
      (forged) => Object.assign(forged, { sealedSha256: `0${SEALED_SHA256}` }),
      'sealedSha256',
    ],
    [
      'two faults in an event',
      (forged) => Object.assign(signature(forged), { hash: 1, at: 2 }),
      'events.2.at, events.2.hash',
    ],
    ['no events', (forged) => Object.assign(forged, { events: 'none' }), 'not an evidence record: events'],
  ])('%s shows', (_, forge, fault) => {
    const forged = structuredClone(record);
    forge(forged);
    expect(verifyEvidenceRecord(forged)).toEqual({ valid: false, fault: expect.stringContaining(fault) });
  });

  it.each(['request_created', 'signer_signed'])(
    'another document in the event %s shows, though the chain is whole',
    (type) => {
      const entries = record.events.map(({ signerId, details, ...event }) => ({
        type: event.type as AuditEntry['type'],
        at: event.at,
        actor: event.actor,
        ...(signerId && { signerId }),
        details: event.type === type ? { ...details, document_sha256: 'f'.repeat(64) } : details,
      }));
      const events = chain(entries, { sequence: 0, head: emptyHead(record.requestId) }, countedSalts());
      const last = events.at(-1);
      const anchor = { sequence: last?.sequence, hash: last?.hash };
      expect(verifyEvidenceRecord({ ...record, events, anchor })).toEqual({
        valid: false,
        fault: expect.stringContaining('is about another document'),
      });
    },
  );

  it('anything else is not a record', () => {
    for (const other of [null, 1, 'text', [], {}]) expect(verifyEvidenceRecord(other).valid).toBe(false);
  });
});

function signature({ events }: EvidenceRecord) {
  const event = events.find(({ type }) => type === 'signer_signed');
  if (!event) throw new Error('Somebody has signed.');
  return event;
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
