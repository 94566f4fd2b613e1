/** PDF text strings (ISO 32000-1, 7.9.2.2) and dates, for writing into dictionaries and for comparing names. */
const latin1 = new TextDecoder('latin1');

/** A text string token. Plain ASCII stays readable; anything else becomes UTF-16 in hexadecimal. */
export function textString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`;
  const utf16 = Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16();
  return `<${utf16.toString('hex').toUpperCase()}>`;
}

export function dateString(date: Date): string {
  const digits = date.toISOString().slice(0, 19).replace(/\D/g, '');
  return `(D:${digits}+00'00')`;
}

/** The text of a string token as read from a file, well enough to tell two field names apart. */
export function readTextString(raw: Uint8Array): string {
  const token = latin1.decode(raw);
  const bytes = token.startsWith('<') ? fromHex(token) : fromLiteral(token);
  if (bytes.startsWith('\xfe\xff'))
    return Buffer.from(bytes.slice(2, bytes.length & ~1), 'latin1')
      .swap16()
      .toString('utf16le');
  return bytes;
}

function fromHex(token: string): string {
  const digits = token.replace(/[^\da-f]/gi, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1');
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function fromLiteral(token: string): string {
  return token.slice(1, -1).replace(/\\(\r\n|[0-7]{1,3}|[\s\S])/g, (_, escaped: string) => {
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    if (escaped === '\n' || escaped === '\r' || escaped === '\r\n') return '';
    return escapes[escaped] ?? escaped;
  });
}
