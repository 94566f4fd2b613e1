import type { RequestState } from '../requests/model.ts';
import { grouped } from '../runtime/grouped.ts';
import { isRecord } from '../runtime/value-paths.ts';
import { visible } from '../runtime/visible.ts';
import type { AuditTexts, EvidenceTexts, PdfTexts } from '../texts/en/service.ts';
import { formatSize } from '../texts/file-size.ts';
import { isolated } from '../texts/isolate.ts';
import {
  AUDIT_TEXTS,
  EVIDENCE_TEXTS,
  LOCALES,
  type Locale,
  languageName,
  PDF_TEXTS,
} from '../texts/languages.ts';

/** The texts of an audit trail. It shares names with the signature page and the evidence file. */
export interface Words {
  readonly locale: Locale;
  readonly own: AuditTexts;
  readonly page: PdfTexts;
  readonly evidence: EvidenceTexts;
}

export const wordsIn = (locale: Locale): Words => ({
  locale,
  own: AUDIT_TEXTS[locale],
  page: PDF_TEXTS[locale],
  evidence: EVIDENCE_TEXTS[locale],
});

/** The text of a key. One that a later version has added is spelled out. */
const textOf = (texts: object, key: string): string =>
  new Map<string, string>(Object.entries(texts)).get(key) ?? spelledOut(key);

export const eventName = (type: string, { evidence }: Words): string => textOf(evidence.eventTypes, type);
export const detailName = (name: string, { own }: Words): string => textOf(own.details, name);

/** Sorts members in the order of their texts, since a stored map has no order; unknown ones follow by name. */
export function inOrder(members: object, { own }: Words): [string, unknown][] {
  const order = Object.keys(own.details);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(members).sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
}

/** Only a sealed live request has legal evidence, and one made before there were evidence files has no such file. */
export function notSigned(
  { mode, documentHash, evidenceHash }: Pick<RequestState, 'mode' | 'documentHash' | 'evidenceHash'>,
  { own }: Words,
): string {
  if (mode === 'test' || documentHash === null) return own.notSigned;
  return `${own.notSigned} ${evidenceHash === null ? own.sealIsEvidence : own.filesAreEvidence}`;
}

/** A user's text within a line of ours: in its own order, whatever stands beside it. */
export const quoted = (text: string): string => isolated(visible(text));

/** 2026-11-21 10:00:00 */
export function clockTime(iso: string): string {
  return new Date(iso).toISOString().slice(0, 19).replace('T', ' ');
}

export function utc(iso: string): string {
  return `${clockTime(iso)} UTC`;
}

/** `kind_from_tomorrow` → Kind from tomorrow. */
function spelledOut(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The details that are times. Any other may be a text that looks like one, or like one that no calendar has. */
const TIMES: readonly string[] = [
  'expires_at',
  'sealed_at',
  'notBefore',
  'notAfter',
  'timestampTime',
  'holds_until',
  'mail_sent_at',
] satisfies (keyof AuditTexts['details'])[];

export function asValue(name: string, value: unknown, words: Words): string {
  if (Array.isArray(value)) return value.map((each) => asValue(name, each, words)).join('; ');
  if (isRecord(value))
    return inOrder(value, words)
      .flatMap(([member, each]) => (each === null ? [] : asValue(member, each, words)))
      .join(', ');
  if (typeof value === 'boolean') return value ? words.own.yes : words.own.no;
  if (typeof value !== 'string') return JSON.stringify(value);
  return TIMES.includes(name) ? utc(value) : inWords(name, value, words);
}

/** Codes of the API and of languages as words; any other value as it is. */
function inWords(name: string, value: string, { own }: Words): string {
  const language = LOCALES.find((locale) => locale === value && name.endsWith('locale'));
  if (language) return languageName(language);
  const texts = new Map<string, object>(Object.entries(own.values)).get(name) ?? {};
  return new Map<string, string>(Object.entries(texts)).get(value) ?? quoted(value);
}

export function asSize(bytes: number, { own, locale }: Words): string {
  const exact = own.document.bytes(grouped(bytes).replaceAll(',', ' '));
  return bytes < 1000 ? exact : `${formatSize(bytes, locale).replace(/\s/g, ' ')} (${exact})`;
}
