import type { AuditEvent, SignatureRequest } from '../../../client/src/types.ts';
import type { AppTexts } from '../../../shared/texts/en/app.ts';
import { dateLocale, type Locale } from '../../../shared/texts/languages.ts';
import { isOpen, shownStatus } from '../statuses.ts';

type Signer = SignatureRequest['signers'][number];
type Mail = Signer['mails'][number];

/** The events of a signer that a sender wants to know. The rest is in the audit trail. */
const TOLD = [
  'link_opened',
  'code_verified',
  'document_viewed',
  'signer_signed',
  'signer_declined',
  'signer_corrected',
  'link_locked',
  'code_entry_ended',
] as const;
type Told = (typeof TOLD)[number];

interface Deed {
  at: string;
  event: Told;
}
export type Moment = { at: string; mail: Mail } | Deed;

const isTold = (type: string): type is Told => TOLD.some((told) => told === type);

/** The mails of a signer with their fate, and what the signer did, oldest first. */
export function timelineOf(signer: Signer, events: readonly AuditEvent[]): Moment[] {
  const mails = signer.mails.map((mail): Moment => ({ at: mail.sent_at, mail }));
  const deeds = events.flatMap(({ type, at, signer_id }): Deed[] =>
    signer_id === signer.id && isTold(type) ? [{ at, event: type }] : [],
  );
  return [...mails, ...withoutRepetitions(deeds)].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** A link that is opened ten times counts once; each correction is another one. */
const withoutRepetitions = (deeds: readonly Deed[]): Deed[] =>
  deeds.filter(({ event }, index) => event === 'signer_corrected' || event !== deeds[index - 1]?.event);

/** The signers whose signature is missing, while the request waits for any. */
export const awaitedOf = (request: Pick<SignatureRequest, 'status' | 'is_expired' | 'signers'>): Signer[] =>
  isOpen(shownStatus(request)) ? request.signers.filter(({ status }) => isOpen(status)) : [];

const MOST_NAMES = 5;
const FIRST_NAMES = 3;

/** All of twenty names would be half a phone's screen, and they stand below it once more. */
export function namesIn(names: readonly string[], locale: Locale, { request }: AppTexts): string {
  const rest = names.length > MOST_NAMES ? [request.standing.others(names.length - FIRST_NAMES)] : [];
  const named = names.slice(0, rest.length > 0 ? FIRST_NAMES : MOST_NAMES);
  return new Intl.ListFormat(dateLocale(locale)).format([...named, ...rest]);
}

/** Some invitations are still under way: what could be mailed is not known yet. */
export const isInviting = ({ status, signers }: Pick<SignatureRequest, 'status' | 'signers'>): boolean =>
  status === 'pending' && signers.some(({ mails }) => mails.length === 0);

/** A mail that is reported as spam has arrived: its address is right. */
const NOT_ARRIVED = ['failed', 'bounced'];

/** The newest mail did not arrive: the address needs a look. */
export const hasMailTrouble = ({ mails, status }: Signer): boolean =>
  isOpen(status) && NOT_ARRIVED.includes(mails.at(-1)?.outcome ?? 'sent');
