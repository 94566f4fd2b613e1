import { type AuditEvent, chain, emptyHead, verify } from '../../../shared/requests/chain.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import {
  entriesOf,
  erasePerson,
  isErasedEmail,
  isErasureRecorded,
  withoutErased,
  withoutPerson,
} from '../../../shared/requests/erasing.ts';
import { deadLink } from '../../../shared/requests/lifecycle.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { canonicalJson } from '../../../shared/runtime/canonical-json.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import {
  applied,
  NOON,
  newRequest,
  purgedEarly,
  sentRequest,
  signedBy,
  VISITOR,
} from '../../support/requests.ts';
import { countedSalts } from '../../support/salts.ts';
import { refusal, signerOf } from './rules.ts';

const by = (request: SignatureRequest, place = 0) => ({
  signerId: signerOf(request, place).id,
  shownAs: 'Erased person',
});
const cancelled = (request: SignatureRequest) =>
  applied(request, cancel(request, { actor: 'client', reason: null }, NOON));
const signed = () => {
  const request = sentRequest();
  return applied(request, signedBy(request, 0));
};
const ended = () => cancelled(signed());
const purged = () => {
  const request = ended();
  return applied(request, purgedEarly(request, NOON));
};

describe('erasePerson', () => {
  it('replaces the values of one signer and keeps the rest', () => {
    const request = purged();
    const change = erasePerson(request, by(request), NOON);
    const { id } = signerOf(request);
    expect(change?.signers[0]).toEqual({
      ...signerOf(request),
      email: `${id}@erased.invalid`,
      name: 'Erased person',
      nameAsInvited: null,
      nameAsSigned: 'Erased person',
      accessToken: 'erased',
      ipAddress: null,
      userAgent: null,
      code: null,
      signature: { ...signerOf(request).signature, value: 'Erased person' },
      erasedAt: NOON.toISOString(),
    });
    expect(change?.signers[1]).toEqual(signerOf(request, 1));
    expect(change?.state).toEqual({ ...request.state, erasures: 1 });
    expect(change?.audit).toEqual([
      {
        type: 'person_erased',
        at: NOON.toISOString(),
        actor: 'operator',
        signerId: id,
        details: { shown_as: 'Erased person' },
      },
    ]);
    expect(change?.effects).toEqual([]);
    expect(isErasedEmail(change?.signers[0]?.email ?? '')).toBe(true);
  });

  it('erases the signer who is named, whoever comes first', () => {
    const request = purged();
    const erased = applied(request, erasePerson(request, by(request, 1), NOON));
    expect(erased.signers.map(({ erasedAt }) => erasedAt)).toEqual([null, NOON.toISOString()]);
    expect(erased.signers[0]).toEqual(signerOf(request));
  });

  it('does nothing the second time', () => {
    const request = purged();
    const erased = applied(request, erasePerson(request, by(request), NOON));
    expect(erasePerson(erased, by(request), NOON)).toBeUndefined();
  });

  it.each([
    ['runs', signed],
    ['ended but still has files', ended],
  ])('refuses a request that %s', (_, make) => {
    const request = make();
    expect(refusal(() => erasePerson(request, by(request), NOON))).toBe('request_not_active');
  });

  it('ends the link of a signer who had signed', () => {
    const request = purged();
    expect(deadLink(request, signerOf(request), NOON)).toBeUndefined();
    const erased = applied(request, erasePerson(request, by(request), NOON));
    expect(deadLink(erased, signerOf(erased), NOON)).toBe('link_expired');
  });

  it('a call that began before records neither address nor browser after it', () => {
    const request = purged();
    const erased = applied(request, erasePerson(request, by(request), NOON));
    const entry = (place: number) => ({
      type: 'document_viewed' as const,
      at: NOON.toISOString(),
      actor: 'signer' as const,
      signerId: signerOf(request, place).id,
      visitor: VISITOR,
    });
    const [first, second] = entriesOf({ ...erased, audit: [entry(0), entry(1)], effects: [] });
    expect(first).not.toHaveProperty('visitor');
    expect(second).toEqual(entry(1));
  });
});

describe('the trail of an erased signer', () => {
  const { request, change } = newRequest();
  const [first, second] = [signerOf(request).id, signerOf(request, 1).id];
  const entries = (...more: Parameters<typeof chain>[0]) =>
    chain(
      [
        ...change.audit,
        { type: 'code_sent', at: 'now', actor: 'signer', signerId: first, visitor: VISITOR },
        ...more,
      ],
      { sequence: 0, head: emptyHead(request.state.id) },
      countedSalts(),
    );
  const erased = (events: AuditEvent[], signerId = first) =>
    events.map((event) => withoutPerson(event, signerId) ?? event);
  const verdict = (events: AuditEvent[]) =>
    verify(request.state.id, events, { sequence: events.length, head: events.at(-1)?.hash ?? '' });
  const recorded = { type: 'person_erased', at: 'now', actor: 'operator', signerId: first } as const;

  it('verifies, holds none of their values or salts, and all of the others’', () => {
    const events = erased(entries(recorded));
    expect(verdict(events)).toMatchObject({ intact: true, altered: [] });
    expect(JSON.stringify(events)).not.toMatch(/signer0@|Signer 0|203\.0\.113\.7/);
    expect(JSON.stringify(events)).toMatch(/Signer 1.*signer1@/);
    expect(Object.keys(events[0]?.salts ?? {})).not.toContain('details.invited.0.email');
    expect(verdict(events).erased).toEqual([
      { sequence: 1, path: 'details.invited.0.name' },
      { sequence: 1, path: 'details.invited.0.email' },
      { sequence: 2, path: 'ipAddress' },
      { sequence: 2, path: 'userAgent' },
    ]);
  });

  it('an event without their values is left alone', () => {
    const events = erased(entries(recorded));
    expect(events.map((event) => withoutPerson(event, first))).toEqual([undefined, undefined, undefined]);
  });

  it('covers the values of that signer in the events before it, and no others', () => {
    const covered = (events: AuditEvent[]) =>
      verdict(erased(erased(events), second)).erased.map((value) => isErasureRecorded(events, value));
    const [names, visit] = [
      [true, true, false, false],
      [true, true],
    ];
    expect(covered(entries(recorded))).toEqual([...names, ...visit]);
    expect(covered(entries())).toEqual([false, false, false, false, false, false]);
    const later = { ...recorded, type: 'code_sent', visitor: VISITOR } as const;
    expect(covered(entries(recorded, later))).toEqual([...names, ...visit, false, false]);
  });

  it('says so of values that are gone already, and of none whose event or signer is unknown', () => {
    const events = erased(entries(recorded));
    for (const value of verdict(events).erased) expect(isErasureRecorded(events, value)).toBe(true);
    expect(isErasureRecorded(events, { sequence: 0, path: 'ipAddress' })).toBe(false);
    const { signerId: _, ...nobody } = recorded;
    const path = 'details.message_sha256';
    expect(isErasureRecorded(entries(nobody), { sequence: 1, path })).toBe(false);
  });

  it('of version 1 is checked by its place alone, and only with the event', () => {
    const old = {
      sequence: 1,
      type: 'signer_signed',
      at: 'then',
      actor: 'signer' as const,
      signerId: first,
      ipAddress: '203.0.113.7',
      userAgent: null,
      details: { name: 'Signer 0', consent_version: '1' },
      previousHash: emptyHead(request.state.id),
    };
    const hash = sha256Hex(canonicalJson(old));
    const stored: AuditEvent = { ...old, version: 1, salts: {}, commitments: {}, hash };
    const record = chain([recorded], { sequence: 1, head: hash }, countedSalts());
    expect(erased([stored])).toMatchObject([{ ipAddress: null, details: { consent_version: '1' } }]);
    expect(verdict([...erased([stored]), ...record]).intact).toBe(true);
    expect(verdict(erased([stored])).intact).toBe(false);
    const another = chain([{ ...recorded, signerId: second }], { sequence: 1, head: hash }, countedSalts());
    expect(verdict([...erased([stored]), ...another]).intact).toBe(false);
  });
});

describe('withoutErased', () => {
  it('replaces an erased signer’s values wherever their id stands beside them', () => {
    const request = purged();
    const erased = applied(request, erasePerson(request, by(request), NOON));
    const [first, second] = erased.signers.map(({ id }) => id);
    const data = {
      signature_request_id: request.state.id,
      title: 'Contract',
      signers: [
        { signer_id: first, email: 'signer0@example.com', name: 'Signer 0', position: 0 },
        { signer_id: second, email: 'signer1@example.com', name: 'Signer 1', position: 1 },
      ],
    };
    const declined = {
      signer_id: first,
      signer_email: 'signer0@example.com',
      signer_name: 'Signer 0',
      decline_reason: 'No',
    };
    const email = `${first}@erased.invalid`;
    expect(JSON.parse(withoutErased(JSON.stringify({ id: 'evt_1', data }), erased))).toEqual({
      id: 'evt_1',
      data: {
        ...data,
        signers: [
          { signer_id: first, email, name: 'Erased person', position: 0 },
          { signer_id: second, email: 'signer1@example.com', name: 'Signer 1', position: 1 },
        ],
      },
    });
    expect(JSON.parse(withoutErased(JSON.stringify({ data: declined }), erased))).toEqual({
      data: { signer_id: first, signer_email: email, signer_name: 'Erased person', decline_reason: null },
    });
    const untouched = JSON.stringify({ data: { ...data, reference: null, signers: [] } });
    expect(withoutErased(untouched, request)).toBe(untouched);
  });
});
