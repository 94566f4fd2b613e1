import type { AuditEvent, SignatureRequest } from '../../../client/src/types.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import type { AppTexts } from '../../../shared/texts/en/app.ts';
import { isolated } from '../../../shared/texts/isolate.ts';
import { dateLocale, type Locale } from '../../../shared/texts/languages.ts';
import { isOpen, shownStatus } from '../statuses.ts';

type Signer = SignatureRequest['signers'][number];
type Mail = Signer['mails'][number];

/** The events of a signer that matter to the sender. The audit trail has the rest. */
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

/** The mails to a signer with their outcomes, and what the signer did, oldest first. */
export function timelineOf(signer: Signer, events: readonly AuditEvent[]): Moment[] {
  const mails = signer.mails.map((mail): Moment => ({ at: mail.sent_at, mail }));
  const deeds = events.flatMap(({ type, at, signer_id }): Deed[] =>
    signer_id === signer.id && isTold(type) ? [{ at, event: type }] : [],
  );
  const shown = withoutRepetitions(sinceCorrection(deeds));
  return [...mails, ...shown].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const isCorrection = ({ event }: Deed) => event === 'signer_corrected';

/** Before a correction another person may have had the link. */
function sinceCorrection(deeds: readonly Deed[]): Deed[] {
  const newest = deeds.findLastIndex(isCorrection);
  return deeds.filter((deed, index) => index >= newest || isCorrection(deed));
}

/** Repeated events are shown once, except corrections, which differ from each other. */
const withoutRepetitions = (deeds: readonly Deed[]): Deed[] =>
  deeds.filter((deed, index) => isCorrection(deed) || deed.event !== deeds[index - 1]?.event);

/** The signers who have not signed yet, if the request is still open. */
export const awaitedOf = (request: Pick<SignatureRequest, 'status' | 'is_expired' | 'signers'>): Signer[] =>
  isOpen(shownStatus(request)) ? request.signers.filter(({ status }) => isOpen(status)) : [];

/** A request that expired leaves its signers the status that they had: nothing is awaited of them any more. */
export const statusOf = (
  request: Pick<SignatureRequest, 'status' | 'is_expired'>,
  { status }: Pick<Signer, 'status'>,
): Signer['status'] | 'unsigned' =>
  isOpen(status) && shownStatus(request) === 'expired' ? 'unsigned' : status;

const MOST_NAMES = 5;
const FIRST_NAMES = 3;

/** Shortens long lists: twenty names would fill half a phone's screen, and all are shown below. */
export function namesIn(
  signers: readonly Pick<Signer, 'name'>[],
  locale: Locale,
  { request }: AppTexts,
): string {
  const names = signers.map(({ name }) => isolated(visible(name)));
  const rest = names.length > MOST_NAMES ? [request.standing.others(names.length - FIRST_NAMES)] : [];
  const named = names.slice(0, rest.length > 0 ? FIRST_NAMES : MOST_NAMES);
  return new Intl.ListFormat(dateLocale(locale)).format([...named, ...rest]);
}

/** Some invitations are still being sent, so their outcome is not known yet. */
export const isInviting = ({ status, signers }: Pick<SignatureRequest, 'status' | 'signers'>): boolean =>
  status === 'pending' && signers.some(({ mails }) => mails.length === 0);

/** Events that end code entry for a signer, and those by which the sender opens it again. */
const OF_CODE_ENTRY = ['code_entry_ended', 'code_rotated', 'signer_corrected'];

export const hasCodeEntryEnded = ({ id }: Signer, events: readonly AuditEvent[]): boolean =>
  events.findLast(({ type, signer_id }) => signer_id === id && OF_CODE_ENTRY.includes(type))?.type ===
  'code_entry_ended';

/** Not `complained`: a mail that was reported as spam has arrived. */
const NOT_ARRIVED = ['failed', 'bounced'];

/** Whether the newest mail did not arrive, so that the address must be checked. */
export const hasMailTrouble = ({ mails, status }: Signer): boolean =>
  isOpen(status) && NOT_ARRIVED.includes(mails.at(-1)?.outcome ?? 'sent');
