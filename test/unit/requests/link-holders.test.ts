import { type AuditEvent, chain, emptyHead } from '../../../shared/requests/chain.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import { addressesOf, eventsWhile, signerNames } from '../../../shared/requests/link-holders.ts';
import type { AuditEntry, SignatureRequest } from '../../../shared/requests/model.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { applied, at, sentRequest } from '../../support/requests.ts';
import { countedSalts } from '../../support/salts.ts';
import { iso, signerOf, withSigner, withState } from './rules.ts';

type Values = { email?: string; name?: string };

/** The first signer of two, corrected so often: before, between and after the corrections both signers view the document. */
function correctedTo(...corrections: Values[]): { request: SignatureRequest; events: AuditEvent[] } {
  let request = withState(sentRequest(2), { invitationsReportedAt: iso(0) });
  const entries: AuditEntry[] = [];
  const viewBoth = () => {
    for (const { id } of request.signers)
      entries.push({ type: 'document_viewed', at: iso(MINUTE), actor: 'signer', signerId: id });
  };
  viewBoth();
  for (const values of corrections) {
    const free = withSigner(request, { mailLeaseUntil: null });
    const by = { signerId: signerOf(free).id, accessToken: 'token', codeHash: 'hash', ...values };
    const change = correct(free, by, at(MINUTE));
    entries.push(...change.audit);
    request = applied(free, change);
    viewBoth();
  }
  return {
    request,
    events: chain(entries, { sequence: 0, head: emptyHead(request.state.id) }, countedSalts()),
  };
}

const namesIn = ({ request, events }: ReturnType<typeof correctedTo>) =>
  events.map(signerNames(request.signers, events));

describe('the name at an event', () => {
  it('is that of whoever had the link then, and a correction is told of the new one', () => {
    const corrected = correctedTo({ name: 'Second' }, { name: 'Third' });
    const [first, other] = sentRequest(2).signers.map(({ name }) => name);
    expect(namesIn(corrected)).toEqual([first, other, 'Second', 'Second', other, 'Third', 'Third', other]);
  });

  it('is the address while nobody had given a name', () => {
    const { request, events } = correctedTo({ email: 'second@example.com' }, { name: 'Third' });
    const nameless = events.map((event) =>
      event.type === 'signer_corrected' && event.details.email === 'second@example.com'
        ? { ...event, details: { ...event.details, name: null } }
        : event,
    );
    expect(nameless.map(signerNames(request.signers, nameless))[2]).toBe('second@example.com');
  });

  it('is at last the name that the signer signed by', () => {
    const { request, events } = correctedTo({ name: 'Second' });
    const signed = withSigner(request, { nameAsSigned: 'Signed' });
    const names = events.map(signerNames(signed.signers, events));
    expect(names).toEqual([
      signerOf(sentRequest(2)).name,
      signerOf(request, 1).name,
      'Signed',
      'Signed',
      signerOf(request, 1).name,
    ]);
  });

  it('is one and the same at all events of an erased signer', () => {
    const { request, events } = correctedTo({ name: 'Second' });
    const erased = withSigner(request, { erasedAt: iso(0), name: 'Erased', nameAsSigned: null });
    expect(signerNames(erased.signers, events)({ sequence: 1, signerId: signerOf(request).id })).toBe(
      'Erased',
    );
  });

  it('is none at an event that is about no signer', () => {
    const { request, events } = correctedTo({ name: 'Second' });
    expect(signerNames(request.signers, events)({ sequence: 1, signerId: null })).toBeUndefined();
  });
});

describe('the addresses of a signer', () => {
  const [{ email: first }] = [signerOf(sentRequest(2))];
  const backAndForth = () =>
    correctedTo({ email: 'second@example.com' }, { name: 'Renamed' }, { email: first });

  it('are those that the link was ever mailed to, each once', () => {
    const { request, events } = backAndForth();
    expect(addressesOf(signerOf(request), events)).toEqual([first, 'second@example.com']);
    expect(addressesOf(signerOf(request, 1), events)).toEqual([signerOf(request, 1).email]);
  });

  it('leave out one that was erased from the trail', () => {
    const { request, events } = correctedTo({ email: 'second@example.com' });
    const erased = events.map((event) => (event.sequence === 3 ? { ...event, details: {} } : event));
    expect(addressesOf(signerOf(request), erased)).toStrictEqual([first]);
  });

  it('share the events out: each counts for the address of its moment', () => {
    const { request, events } = backAndForth();
    const placesOf = (email: string) =>
      eventsWhile(email, signerOf(request), events).map(({ sequence }) => sequence);
    expect(placesOf('second@example.com')).toEqual([3, 4, 5, 6, 7, 8]);
    expect(placesOf(first)).toEqual([1, 2, 9, 10, 11]);
  });
});
