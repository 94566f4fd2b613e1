import type { AuditEvent } from './chain.ts';
import { asCreated } from './correcting.ts';
import type { SignerState } from './model.ts';

/** The holders of a signer's link, event by event: before and after a correction it may be another person. */

/** The signer's address at each event of the trail. The event of a correction counts for the new address. */
function addressAtEach(signer: SignerState, events: readonly AuditEvent[]): unknown[] {
  let address: unknown = asCreated(signer).email;
  return events.map(({ type, signerId, details }) => {
    if (type === 'signer_corrected' && signerId === signer.id) address = details.email;
    return address;
  });
}

/** The events while a signer had this address. */
export function eventsWhile(email: string, signer: SignerState, events: readonly AuditEvent[]): AuditEvent[] {
  const addresses = addressAtEach(signer, events);
  return events.filter((_, index) => addresses[index] === email);
}

/** The addresses that a signer has had. One that was corrected back is a former one too. */
export const addressesOf = (signer: SignerState, events: readonly AuditEvent[]): string[] =>
  [...new Set(addressAtEach(signer, events))].filter((address) => typeof address === 'string');

type EventOfSigner = Pick<AuditEvent, 'sequence' | 'signerId'>;

/** The name at an event of the signer. An erased signer has only one name. */
function nameAt(
  signer: SignerState,
  corrections: readonly AuditEvent[],
  { sequence }: EventOfSigner,
): string {
  const own = corrections.filter(({ signerId }) => signerId === signer.id);
  const next = own.findIndex((correction) => correction.sequence > sequence);
  if (next < 0 || signer.erasedAt) return signer.nameAsSigned ?? signer.name;
  const { name, email } = own[next - 1]?.details ?? asCreated(signer);
  return String(name ?? email);
}

/** Finds the name of an event's signer; undefined for an event about none. */
export function signerNames(signers: readonly SignerState[], events: readonly AuditEvent[]) {
  const corrections = events.filter(({ type }) => type === 'signer_corrected');
  return (event: EventOfSigner): string | undefined => {
    const signer = signers.find(({ id }) => id === event.signerId);
    return signer && nameAt(signer, corrections, event);
  };
}
