import { graphemesOf } from '../runtime/graphemes.ts';
import { oneLine } from './sender-text.ts';

export const SERVICE_NAME = 'Signature requests';
const NAME_LENGTH = 60;
/** SES refuses a mail whose sender is longer, name and address as they are encoded. */
const MOST_CHARACTERS = 320;
/** An encoded word has at most 75 characters, 12 of them framing: 45 bytes of text as base64. */
const ENCODED_WORD_BYTES = 45;

const quotedString = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

const fitsWord = (text: string) => Buffer.byteLength(text) <= ENCODED_WORD_BYTES;

/** Encodes by RFC 2047. A word contains whole characters only, since mail programs decode each by itself. */
function encodedWords(text: string): string {
  const words = [''];
  for (const character of graphemesOf(text).flatMap((each) => (fitsWord(each) ? each : [...each]))) {
    const word = `${words.at(-1)}${character}`;
    if (fitsWord(word)) words[words.length - 1] = word;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

/** Parses the configured sender: `sign@example.com`, or `Acme Sign <sign@example.com>` with a service name. */
export function parseMailFrom(mailFrom: string): { service: string; address: string } {
  const named = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(mailFrom);
  return { service: named?.[1] || SERVICE_NAME, address: (named?.[2] ?? mailFrom).trim() };
}

/** Mail programs decode what looks like an encoded word inside quotes too, and with it what was removed from the name. */
const needsEncoding = (name: string) => /[^\x20-\x7e]|=\?/.test(name);

const headerOf = (name: string, address: string): string =>
  `${needsEncoding(name) ? encodedWords(name) : quotedString(name)} <${address}>`;

/**
 * `"Acme via Signature requests" <sign@example.com>`: names the sender, and the service that sends for them; the service
 * alone if it sends for nobody, or if nothing of the sender's name fits.
 */
export function fromHeader(senderName: string | null, mailFrom: string): string {
  const { service, address } = parseMailFrom(mailFrom);
  // A name of one character and an ellipsis is the shortest.
  for (let length = NAME_LENGTH; senderName !== null && length > 1; length -= 1) {
    const header = headerOf(`${oneLine(senderName, length)} via ${service}`, address);
    if (header.length <= MOST_CHARACTERS) return header;
  }
  return headerOf(service, address);
}
