import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type AuditEvent, auditEvent, chain, emptyHead, verify } from '../../../shared/requests/chain.ts';
import { decline } from '../../../shared/requests/ending.ts';
import type { AuditEntry } from '../../../shared/requests/model.ts';
import { sign } from '../../../shared/requests/signing.ts';
import { canonicalJson } from '../../../shared/runtime/canonical-json.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { DOCUMENT_SHA256, NOON, newRequest, OWNER, sentRequest } from '../../support/requests.ts';
import { countedSalts } from '../../support/salts.ts';

const ID = '5b0f6f6e-6f0e-4c1e-9d5c-1f8f6f0e4c1e';
const entry = (n: number): AuditEntry => ({
  type: 'code_sent',
  at: new Date(n * 1_000).toISOString(),
  actor: 'signer',
  signerId: 's',
  visitor: { ipAddress: '203.0.113.7', userAgent: 'x' },
  details: { n, nested: { b: 1, a: [2] } },
});

const trail = (length: number): AuditEvent[] =>
  chain(
    Array.from({ length }, (_, n) => entry(n)),
    { sequence: 0, head: emptyHead(ID) },
    countedSalts(),
  );
const keptFor = (events: AuditEvent[]) => ({
  sequence: events.length,
  head: events.at(-1)?.hash ?? emptyHead(ID),
});

describe('the chain of audit events', () => {
  it('is intact as it was written, in one piece or in several', () => {
    const first = trail(3);
    const more = chain([entry(3), entry(4)], { sequence: 3, head: first[2]?.hash ?? '' }, countedSalts());
    const events = [...first, ...more];
    expect(verify(ID, events, keptFor(events))).toEqual({
      intact: true,
      head: events[4]?.hash,
      brokenAt: null,
      altered: [],
      erased: [],
    });
  });

  it('does not depend on the order in which a store gives back the fields', () => {
    const events = trail(2).map(
      (event) => Object.fromEntries(Object.entries(event).reverse()) as typeof event & object,
    );
    expect(verify(ID, events, keptFor(events)).intact).toBe(true);
  });

  it('shows where any one event was changed, removed or moved', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.nat(),
        fc.constantFrom('change', 'remove', 'swap'),
        (length, at, how) => {
          const events = trail(length);
          const kept = keptFor(events);
          const place = at % (length - 1);
          const [event, next] = [events[place], events[place + 1]];
          if (!event || !next) throw new Error('out of range');
          if (how === 'change') events[place] = { ...event, at: '2020-01-01T00:00:00.000Z' };
          if (how === 'remove') events.splice(place, 1);
          if (how === 'swap') events.splice(place, 2, next, event);
          expect(verify(ID, events, kept)).toMatchObject({ intact: false, brokenAt: place + 1 });
        },
      ),
    );
  });

  it('shows a tail that was cut off, and a trail of another request', () => {
    const events = trail(4);
    expect(verify(ID, events.slice(0, 3), keptFor(events))).toMatchObject({ intact: false, brokenAt: 4 });
    expect(verify('another', events, keptFor(events))).toMatchObject({ intact: false, brokenAt: 1 });
    const uncounted = { ...keptFor(events), sequence: 5 };
    expect(verify(ID, events, uncounted)).toMatchObject({ intact: false, brokenAt: 5 });
  });

  it('shows a trail whose first events are missing, though its hashes begin anew', () => {
    const events = chain([entry(1)], { sequence: 1, head: emptyHead(ID) }, countedSalts());
    const kept = { sequence: 1, head: events[0]?.hash ?? '' };
    expect(verify(ID, events, kept)).toMatchObject({ intact: false, brokenAt: 1 });
  });

  it('shows the event whose personal value was rewritten, not one before it', () => {
    const events = trail(3).map((event, place) =>
      place === 1 ? { ...event, ipAddress: '192.0.2.1' } : event,
    );
    expect(verify(ID, events, keptFor(events))).toMatchObject({
      brokenAt: 2,
      altered: [{ sequence: 2, path: 'ipAddress' }],
    });
  });
});

describe('personal values of events', () => {
  const PERSONAL: AuditEntry = {
    type: 'signer_signed',
    at: new Date(0).toISOString(),
    actor: 'signer',
    signerId: 's',
    visitor: { ipAddress: '203.0.113.7', userAgent: 'Firefox' },
    details: {
      name: 'Anna Virtanen',
      representing: null,
      consent_version: '1',
      signers: [
        { position: 0, email: 'anna@example.com', name: null },
        { position: 1, email: 'b@example.com' },
      ],
    },
  };
  const personal = (): AuditEvent => {
    const [event] = chain([PERSONAL], { sequence: 0, head: emptyHead(ID) }, countedSalts());
    if (!event) throw new Error('There is one event.');
    return event;
  };
  const PATHS = [
    'ipAddress',
    'userAgent',
    'details.name',
    'details.signers.0.email',
    'details.signers.1.email',
  ];
  const kept = keptFor([personal()]);

  it('each one has a commitment under its own salt, and stays readable', () => {
    const event = personal();
    expect(Object.keys(event.commitments)).toEqual(PATHS);
    expect(Object.keys(event.salts)).toEqual(PATHS);
    expect(new Set(Object.values(event.salts)).size).toBe(PATHS.length);
    expect(event).toMatchObject({ ipAddress: '203.0.113.7', details: PERSONAL.details });
  });

  it('a commitment is the SHA-256 of path, salt and value as canonical JSON', () => {
    const { salts, commitments } = personal();
    const sha256 = createHash('sha256').update(`["details.name","${salts['details.name']}","Anna Virtanen"]`);
    expect(commitments['details.name']).toBe(sha256.digest('hex'));
  });

  it('the same values under other salts have other commitments', () => {
    const [other] = chain([PERSONAL], { sequence: 0, head: emptyHead(ID) }, countedSalts(100));
    for (const path of PATHS) expect(other?.commitments[path]).not.toBe(personal().commitments[path]);
  });

  it.each(PATHS)('%s erased with its salt leaves the chain intact, and is named', (path) => {
    const { [path]: _, ...salts } = personal().salts;
    const event = { ...set(personal(), path, undefined), salts };
    expect(verify(ID, [event], kept)).toMatchObject({
      intact: true,
      erased: [{ sequence: 1, path }],
      altered: [],
    });
  });

  it.each(PATHS)('%s that is rewritten, or gone without its salt, breaks the chain and is named', (path) => {
    const broken = { intact: false, brokenAt: 1, altered: [{ sequence: 1, path }], erased: [] };
    const { [path]: _, ...salts } = personal().salts;
    for (const event of [
      set(personal(), path, 'someone else'),
      set(personal(), path, undefined),
      { ...personal(), salts },
      { ...personal(), salts: { ...salts, [path]: 'another salt' } },
    ])
      expect(verify(ID, [event], kept)).toMatchObject(broken);
  });

  it('a salt without a commitment breaks the chain', () => {
    const event = { ...personal(), salts: { ...personal().salts, actor: 'salt' } };
    expect(verify(ID, [event], kept)).toMatchObject({
      intact: false,
      altered: [{ sequence: 1, path: 'actor' }],
    });
  });

  it('a commitment that is removed, moved or replaced together with its value breaks the chain', () => {
    const event = personal();
    const { 'details.name': gone, ...commitments } = event.commitments;
    const { 'details.name': _, ...salts } = event.salts;
    const replaced = { ...event.commitments, 'details.name': 'f'.repeat(64) };
    for (const forged of [
      { ...event, commitments },
      { ...set(event, 'details.name', undefined), commitments, salts },
      { ...set(event, 'details.name', undefined), commitments: replaced, salts },
      { ...event, commitments: { ...event.commitments, 'details.representing': gone ?? '' } },
      set(event, 'details.representing', 'Oy Ab'),
    ])
      expect(verify(ID, [forged], kept)).toMatchObject({ intact: false, brokenAt: 1 });
  });

  it('text that the database cannot store as sent is hashed as it is stored', () => {
    const broken: AuditEntry = { ...PERSONAL, details: { name: 'A\ud800', title: 'B\udc00' } };
    const events = chain([broken], { sequence: 0, head: emptyHead(ID) }, countedSalts());
    const stored = events.map((event) => ({ ...event, details: { name: 'A\ufffd', title: 'B\ufffd' } }));
    expect(verify(ID, stored, keptFor(events)).intact).toBe(true);
  });
});

describe('what a trail says of people', () => {
  it('is under commitments, in every event of a request’s life', () => {
    const message = 'Dear Anna, please sign';
    const { request, change } = newRequest(2);
    const content = { ...request.content, message, metadataJson: '{"case":"7"}' };
    const created = newRequest(2, { content, owner: { ...OWNER, name: 'Law Office Oy' } }).change.audit;
    const sent = sentRequest(2);
    const visitor = { ipAddress: '203.0.113.99', userAgent: 'Firefox' };
    const signed = sign(
      sent,
      {
        signerId: sent.signers[0]?.id ?? '',
        visitor,
        name: 'Anna Virtanen',
        documentSha256: DOCUMENT_SHA256,
        consentVersion: '1',
        consentLocale: 'fi',
        signature: { type: 'typed', value: 'A. Virtanen' },
        representing: { name: 'Oy Ab', role: 'Chair', entityId: '1234567-8' },
      },
      NOON,
    );
    const declined = decline(
      sent,
      { signerId: sent.signers[1]?.id ?? '', reason: 'Wrong price', visitor },
      NOON,
    );
    const entries = [...created, ...(signed?.audit ?? []), ...declined.audit];
    expect(change.audit).toHaveLength(1);
    const events = chain(entries, { sequence: 0, head: emptyHead(ID) }, countedSalts());
    const left = events.map((event) =>
      Object.keys(event.commitments).reduce((open, path) => set(open, path, undefined), event),
    );
    const said = [
      'Law Office',
      'signer0@',
      'Signer 1',
      'Virtanen',
      'Oy Ab',
      'Chair',
      '1234567-8',
      'Wrong price',
    ];
    const digests = [content.message, content.metadataJson].map((text) =>
      createHash('sha256').update(text).digest('hex'),
    );
    for (const value of [...said, ...digests, visitor.ipAddress, visitor.userAgent]) {
      expect(JSON.stringify(events)).toContain(value);
      expect(JSON.stringify(left)).not.toContain(value);
    }
  });
});

describe('events of version 1', () => {
  it('whose values are gone are excused by a later erasure of their signer alone', () => {
    const old = (sequence: number, previousHash: string, changes: Partial<AuditEvent> = {}): AuditEvent => {
      const {
        version: _v,
        salts: _s,
        commitments: _c,
        hash: _h,
        ...content
      } = {
        ...auditEvent.parse({
          ...entry(1),
          sequence,
          previousHash,
          ipAddress: null,
          userAgent: null,
          hash: '',
        }),
        ...changes,
      };
      return { ...content, version: 1, salts: {}, commitments: {}, hash: sha256Hex(canonicalJson(content)) };
    };
    const gone = (event: AuditEvent | undefined, details = {}) => event && { ...event, details };
    const erasure = (signerId: string | null, type: AuditEntry['type'] = 'person_erased') =>
      ({ type, at: 'now', actor: 'operator', signerId: signerId ?? undefined }) as AuditEntry;
    const isIntact = (first: AuditEvent, next: AuditEntry) => {
      const after = chain([next], { sequence: 1, head: first.hash }, countedSalts());
      const events = [gone(first), ...after].filter((event) => event !== undefined);
      return verify(ID, events, { sequence: 2, head: after[0]?.hash ?? '' }).intact;
    };
    const first = old(1, emptyHead(ID));
    expect(isIntact(first, erasure('s'))).toBe(true);
    expect(isIntact(first, erasure('s', 'code_sent'))).toBe(false);
    expect(isIntact(first, erasure('another'))).toBe(false);
    expect(isIntact(old(1, emptyHead(ID), { signerId: null }), erasure(null))).toBe(false);
    const current = trail(1)[0];
    if (!current) throw new Error('There is one event.');
    expect(isIntact(current, erasure('s'))).toBe(false);

    const itself = old(1, emptyHead(ID), { type: 'person_erased' });
    const kept = { sequence: 1, head: itself.hash };
    expect(verify(ID, [itself], kept).intact).toBe(true);
    expect(verify(ID, [{ ...itself, details: {} }], kept).intact).toBe(false);
  });

  // As an earlier release stored it.
  const STORED = {
    sequence: 1,
    type: 'request_cancelled',
    at: '2026-11-21T12:00:00.000Z',
    actor: 'client',
    signerId: null,
    ipAddress: null,
    userAgent: null,
    details: { reason: 'No longer needed' },
    previousHash: emptyHead(ID),
    hash: '8e7c6e8baf4bcc9fb859d14ffd208cfc52ce102bab3300a4267ba079902b4a12',
  };
  const event = auditEvent.parse(STORED);
  const kept = { sequence: 1, head: STORED.hash };

  it('verify as before, and an event of the current version may follow', () => {
    const more = chain([entry(1)], { sequence: 1, head: STORED.hash }, countedSalts());
    expect(verify(ID, [event], kept).intact).toBe(true);
    expect(verify(ID, [event, ...more], { sequence: 2, head: more[0]?.hash ?? '' }).intact).toBe(true);
  });

  it('hold their personal values in the hash', () => {
    for (const forged of [
      set(event, 'details.reason', 'Other'),
      set(event, 'details.reason', undefined),
      { ...event, version: 2 },
    ])
      expect(verify(ID, [forged], kept)).toMatchObject({ intact: false, brokenAt: 1 });
  });
});

/** A copy with another value at a path. */
function set(event: AuditEvent, path: string, value: unknown): AuditEvent {
  const copy = structuredClone(event);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce<Record<string, unknown>>(
    (member, name) => member[name] as Record<string, unknown>,
    copy as unknown as Record<string, unknown>,
  );
  parent[last] = value;
  return copy;
}
