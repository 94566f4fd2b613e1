import { oneLine } from './sender-words.ts';

const SERVICE_NAME = 'Signature requests';
const NAME_LENGTH = 60;
/** An encoded word is at most 75 characters, of which 12 frame it: 45 bytes of text as base64. */
const ENCODED_WORD_BYTES = 45;

const quotedString = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** RFC 2047: words of whole characters, so that no mail program shows halves of one. */
function encodedWords(text: string): string {
  const words = [''];
  for (const character of text) {
    const word = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(word) > ENCODED_WORD_BYTES) words.push(character);
    else words[words.length - 1] = word;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

/** The configured sender: `sign@example.com`, or `Acme Sign <sign@example.com>` where the service has a name of its own. */
function configured(mailFrom: string): { service: string; address: string } {
  const named = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(mailFrom);
  return { service: named?.[1] || SERVICE_NAME, address: (named?.[2] ?? mailFrom).trim() };
}

/** `"Acme via Signature requests" <sign@example.com>`: says who asks, and that we wrote. */
export function fromHeader(senderName: string, mailFrom: string): string {
  const { service, address } = configured(mailFrom);
  const name = `${oneLine(senderName, NAME_LENGTH)} via ${service}`;
  const display = /^[\x20-\x7e]*$/.test(name) ? quotedString(name) : encodedWords(name);
  return `${display} <${address}>`;
}
