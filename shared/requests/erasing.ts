import { ApiError } from '../contract/api-error.ts';
import { isRecord, without } from '../runtime/value-paths.ts';
import type { AuditEvent, PersonalValue } from './chain.ts';
import { personalPaths } from './commitments.ts';
import { withSigner } from './lifecycle.ts';
import {
  type AuditEntry,
  type Change,
  changeOf,
  NO_OPTIONAL_VALUES,
  type RequestState,
  type SignatureRequest,
  type SignerState,
} from './model.ts';

/**
 * Rules for erasing a signer. The record gets neutral values of the contract's types and the trail the event
 * `person_erased`, in one change; then the values leave the events before it, one after the other. Each value that is
 * gone is covered by the event, whenever the work stops.
 */

/** A reserved name (RFC 2606): no mail reaches it. */
const ERASED_DOMAIN = '@erased.invalid';
export const erasedEmail = (signerId: unknown) => `${signerId}${ERASED_DOMAIN}`;
export const isErasedEmail = (email: string) => email.endsWith(ERASED_DOMAIN);

/** In place of the access token; no link has it. */
const ERASED_TOKEN = 'erased';

/** Built member by member, so that a new one compiles only once it is decided whether it stays. */
function erasedSigner(signer: SignerState, shownAs: string, at: string): SignerState {
  const { signature } = signer;
  return {
    email: erasedEmail(signer.id),
    name: shownAs,
    nameAsInvited: null,
    nameAsSigned: signer.nameAsSigned === null ? null : shownAs,
    accessToken: ERASED_TOKEN,
    ...NO_OPTIONAL_VALUES,
    code: null,
    sessions: [],
    signature: signature?.type === 'typed' ? { ...signature, value: shownAs } : signature,
    remindAt: null,
    erasedAt: at,
    // Ids, times, states and counts stay: they say what happened, not to whom.
    id: signer.id,
    position: signer.position,
    addressSince: signer.addressSince,
    locale: signer.locale,
    localeAsInvited: signer.localeAsInvited,
    status: signer.status,
    sentAt: signer.sentAt,
    openedAt: signer.openedAt,
    viewedAt: signer.viewedAt,
    signedAt: signer.signedAt,
    declinedAt: signer.declinedAt,
    invalidatedAt: signer.invalidatedAt,
    invitation: signer.invitation,
    codeAttempts: signer.codeAttempts,
    lastAttemptAt: signer.lastAttemptAt,
    codeRequests: signer.codeRequests,
    wrongCodes: signer.wrongCodes,
    mailLeaseUntil: signer.mailLeaseUntil,
    sealedNotice: signer.sealedNotice,
    codeFailureToldAt: signer.codeFailureToldAt,
    mails: signer.mails,
    returnedMails: signer.returnedMails,
    remindersSent: signer.remindersSent,
    version: signer.version,
  };
}

/** Only a request that has ended, and whose files are gone, may forget a signer. */
const mayErase = ({ endedAt, purgedAt }: RequestState) => endedAt !== null && purgedAt !== null;

/** Undefined if the signer is erased already. `shownAs` stands for the name from now on. */
export function erasePerson(
  request: SignatureRequest,
  by: { signerId: string; shownAs: string },
  now: Date,
): Change | undefined {
  const { state, signers } = request;
  const signer = signers.find(({ id }) => id === by.signerId);
  if (!signer || signer.erasedAt) return undefined;
  if (!mayErase(state)) throw new ApiError('request_not_active');
  const at = now.toISOString();
  const erased = erasedSigner(signer, by.shownAs, at);
  return changeOf(request, {
    state: { ...state, erasures: state.erasures + 1 },
    signers: withSigner(signers, erased),
    audit: [
      {
        type: 'person_erased',
        at,
        actor: 'operator',
        signerId: signer.id,
        details: { shown_as: by.shownAs },
      },
    ],
  });
}

/** The entries of a change. Leaves out the visitor of a signer who was erased after the call began. */
export function entriesOf({ audit, signers }: Change): AuditEntry[] {
  const erased = new Set(signers.filter(({ erasedAt }) => erasedAt).map(({ id }) => id));
  return audit.map(({ visitor, ...entry }) =>
    visitor && !(entry.signerId && erased.has(entry.signerId)) ? { ...entry, visitor } : entry,
  );
}

/** The paths of an event's values that are about one signer. */
function pathsOf(event: AuditEvent, signerId: string): string[] {
  const paths = event.version === 1 ? personalPaths(event) : Object.keys(event.commitments);
  if (event.signerId === signerId) return paths;
  const invited: unknown = event.details.invited;
  const place = Array.isArray(invited) ? invited.findIndex((each) => each?.signer_id === signerId) : -1;
  return paths.filter((path) => path.startsWith(`details.invited.${place}.`));
}

/** An event without a signer's values and their salts; undefined if it holds none. */
export function withoutPerson(event: AuditEvent, signerId: string): AuditEvent | undefined {
  const paths = new Set(pathsOf(event, signerId));
  const held = new Set([...personalPaths(event), ...Object.keys(event.salts)]);
  if (![...paths].some((path) => held.has(path))) return undefined;
  return {
    ...without(event, paths),
    ipAddress: paths.has('ipAddress') ? null : event.ipAddress,
    userAgent: paths.has('userAgent') ? null : event.userAgent,
    salts: Object.fromEntries(Object.entries(event.salts).filter(([path]) => !paths.has(path))),
  };
}

/** Whether a later event says that this value was erased. */
export const isErasureRecorded = (
  events: readonly AuditEvent[],
  { sequence, path }: PersonalValue,
): boolean => {
  const event = events.find((each) => each.sequence === sequence);
  return events.some(
    ({ type, signerId, sequence: recorded }) =>
      type === 'person_erased' &&
      recorded > sequence &&
      event !== undefined &&
      signerId !== null &&
      pathsOf(event, signerId).includes(path),
  );
};

/** Placeholders for a signer's values in the `data` of a webhook event. */
const inPayload = ({ id, name }: SignerState): Record<string, unknown> => ({
  email: erasedEmail(id),
  signer_email: erasedEmail(id),
  name,
  signer_name: name,
  decline_reason: null,
});

/** The body of a webhook event without the erased signers' values, wherever their `signer_id` stands beside them. */
export function withoutErased(body: string, { signers }: Pick<SignatureRequest, 'signers'>): string {
  const erased = new Map(signers.filter(({ erasedAt }) => erasedAt).map((signer) => [signer.id, signer]));
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (!isRecord(value)) return value;
    const signer = erased.get(String(value.signer_id));
    const neutral = signer ? inPayload(signer) : {};
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name in neutral ? neutral[name] : replaced(member),
      ]),
    );
  };
  return JSON.stringify(replaced(JSON.parse(body)));
}
