import type { UploadedFile } from '../../../client/src/document.ts';
import type { NewSignatureRequest } from '../../../client/src/signature-requests.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { isUrl } from '../../../shared/runtime/is-url.ts';
import { cleaned, withoutUnseen } from '../../../shared/runtime/visible.ts';
import type { AppTexts } from '../../../shared/texts/en/app.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import { withPlainDigits } from '../../parts/digits.ts';
import { isTooLong } from '../parts/too-long.ts';
import { isAddress, type Person } from './people.ts';

/** The entered values, without the file. */
export interface Draft {
  /** The idempotency key: sending the draft twice, even from two tabs, creates one request. */
  readonly key: string;
  /** The key has been sent and must not change: if the response was lost, a new key could create a second request. */
  readonly isTried?: true | undefined;
  /** The service has rejected the draft under this key, so the next change takes a new key. */
  readonly isSpoilt?: true | undefined;
  /** The stored file that belongs to these values. Another tab may have stored another one since. */
  readonly fileId?: string | undefined;
  readonly title: string;
  readonly people: readonly Person[];
  readonly message: string;
  readonly locale: Locale;
  readonly days: string;
  readonly reminders: boolean;
  readonly reference: string;
  readonly returnUrl: string;
  /** The upload of a large document, which precedes the request. */
  readonly upload?: UploadedFile | undefined;
}

const NOBODY: Person = { email: '', name: '' };

export const firstDraft = (locale: Locale, key: string = crypto.randomUUID()): Draft => ({
  key,
  title: '',
  people: [NOBODY],
  message: '',
  locale,
  days: String(LIMITS.expiryDays),
  reminders: true,
  reference: '',
  returnUrl: '',
});

/** Not a whole number if the text is none. */
const daysIn = (text: string): number => Number(withPlainDigits(text));

/** Days of 24 hours, as the service counts them, whatever daylight saving does. */
export const endAfter = (now: number, days: string): string =>
  new Date(now + daysIn(days) * 24 * 60 * 60 * 1000).toISOString();

/** `Lease_2026-final.pdf` → `Lease 2026-final` */
export const titleOf = (filename: string): string =>
  filename
    .replace(/\.pdf$/i, '')
    .replaceAll('_', ' ')
    .trim()
    .slice(0, LIMITS.titleLength)
    // The service refuses half a character.
    .replace(/[\ud800-\udbff]$/, '');

const isUnused = ({ email, name }: Person) => email.trim() === '' && name.trim() === '';
export const signersOf = ({ people }: Pick<Draft, 'people'>): Person[] =>
  people.filter((person) => !isUnused(person));

/** Adds a pasted list at a row, and keeps a person or name that was typed there. A single pasted person corrects the row. */
export function withPasted(
  people: readonly Person[],
  row: number,
  [first = NOBODY, ...others]: readonly Person[],
): Person[] {
  const { email, name } = people[row] ?? NOBODY;
  const start =
    others.length === 0 || email === '' || email === first.email
      ? [{ ...first, name: first.name || name }]
      : [{ email, name }, first];
  const rest = people.slice(row + 1).filter((person) => !isUnused(person));
  return [...people.slice(0, row), ...start, ...others, ...rest];
}

type FaultyEntry = 'fileId' | 'title' | 'days' | 'returnUrl' | 'reference' | 'message';
export type FaultyField = FaultyEntry | `email-${number}` | `name-${number}`;
type Faults = Partial<Record<FaultyField, FaultKind>>;
/** The form's own, and those that it says as the service does. */
type FaultKind =
  | keyof AppTexts['create']['faults']
  | 'invalid_signer_email'
  | 'invalid_message'
  | 'invalid_return_url';

export function faultsOf(draft: Draft, hasFile: boolean): Faults {
  const faults: Faults = {};
  if (!hasFile) faults.fileId = 'document';
  if (cleaned(draft.title) === '') faults.title = 'title';
  if (isTooLong(draft.title, LIMITS.titleLength)) faults.title = 'tooLong';
  if (isTooLong(withoutUnseen(draft.reference), LIMITS.referenceLength)) faults.reference = 'tooLong';
  const seen = new Set<string>();
  draft.people.forEach((person, row) => {
    if (isUnused(person)) return;
    if (isTooLong(person.name, LIMITS.nameLength)) faults[`name-${row}`] = 'tooLong';
    const address = withoutUnseen(person.email).toLowerCase();
    if (!isAddress(address)) faults[`email-${row}`] = 'invalid_signer_email';
    else if (seen.has(address)) faults[`email-${row}`] = 'twice';
    seen.add(address);
  });
  if (seen.size === 0) faults['email-0'] = 'nobody';
  const surplus = signersOf(draft)[LIMITS.signers];
  if (surplus) faults[`email-${draft.people.indexOf(surplus)}`] = 'tooMany';
  if (isTooLong(draft.message, LIMITS.messageLength)) faults.message = 'invalid_message';
  const days = daysIn(draft.days);
  if (!Number.isInteger(days) || days < 1 || days > LIMITS.expiryDays) faults.days = 'days';
  const url = withoutUnseen(draft.returnUrl);
  if (url && !(isUrl(url) && /^https?:/.test(url))) faults.returnUrl = 'invalid_return_url';
  return faults;
}

/** The body of the create call, without the file. */
export const requestOf = (draft: Draft): Omit<NewSignatureRequest, 'file'> => ({
  title: cleaned(draft.title),
  signers: signersOf(draft).map(({ email, name }) => ({
    email: withoutUnseen(email),
    name: cleaned(name) || undefined,
  })),
  locale: draft.locale,
  expires_in_days: daysIn(draft.days),
  reminders: draft.reminders,
  message: cleaned(draft.message) || undefined,
  reference: withoutUnseen(draft.reference) || undefined,
  return_url: withoutUnseen(draft.returnUrl) || undefined,
});

/**
 * The field that a JSON pointer in an error, such as `/signers/1/email`, refers to. Empty rows are not sent, so it counts the
 * rows that were. Undefined for a value that was changed or removed since.
 */
export function fieldOf(pointer: string, sent: Draft, draft: Draft): FaultyField | undefined {
  const [, head = '', place, member] = pointer.split('/');
  if (head === 'signers') {
    const signer = signersOf(sent)[Number(place)];
    const row = signer ? draft.people.indexOf(signer) : -1;
    return row < 0 ? undefined : member === 'name' ? `name-${row}` : `email-${row}`;
  }
  const entries: Record<string, FaultyEntry> = {
    document: 'fileId',
    title: 'title',
    message: 'message',
    reference: 'reference',
    return_url: 'returnUrl',
    expires_in_days: 'days',
  };
  const entry = entries[head];
  return entry && sent[entry] === draft[entry] ? entry : undefined;
}
