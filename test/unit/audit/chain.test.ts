import fc from 'fast-check';
import { type AuditEvent, chain, emptyHead, verify } from '../../../shared/audit/chain.ts';
import type { AuditEntry } from '../../../shared/requests/model.ts';

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
  );
const keptFor = (events: AuditEvent[]) => ({
  sequence: events.length,
  head: events.at(-1)?.hash ?? emptyHead(ID),
});

describe('the chain of audit events', () => {
  it('is intact as it was written, in one piece or in several', () => {
    const first = trail(3);
    const more = chain([entry(3), entry(4)], { sequence: 3, head: first[2]?.hash ?? '' });
    const events = [...first, ...more];
    expect(verify(ID, events, keptFor(events))).toEqual({
      intact: true,
      events: 5,
      head: events[4]?.hash,
      brokenAt: null,
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
  });
});
