import { contextTag, TAGS } from '../shared/sealing/der.ts';
import { derNull, encode, integer, oid, sequence, setOf } from '../shared/sealing/der-encode.ts';
import { OIDS } from '../shared/sealing/oids.ts';
import { UsageError } from './errors.ts';

/** A certificate request (PKCS#10, RFC 2986) for a key that never leaves its store, such as KMS. */

const ATTRIBUTES: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  SERIALNUMBER: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  ORGANIZATIONIDENTIFIER: '2.5.4.97',
};
/** Attributes that X.520 restricts to PrintableString. */
const PRINTABLE: ReadonlySet<string> = new Set(['C', 'SERIALNUMBER']);
const PRINTABLE_STRING = 0x13;

/** `CN=Acme Oy, O=Acme Oy, C=FI`; a comma inside a value is written `\,`. */
export function subjectOf(text: string): Buffer {
  const names = text.split(/(?<!\\),/).map((part) => {
    const [, type = '', value = ''] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    const attribute = ATTRIBUTES[type.toUpperCase()];
    if (!attribute)
      throw new UsageError(
        `--subject must look like "CN=Acme Oy, O=Acme Oy, C=FI"; "${part.trim()}" is none of ${Object.keys(ATTRIBUTES).join(', ')}.`,
      );
    const bytes = Buffer.from(value.replaceAll('\\,', ','));
    const form = PRINTABLE.has(type.toUpperCase()) ? PRINTABLE_STRING : TAGS.utf8String;
    return { type: type.toUpperCase(), part: setOf(sequence(oid(attribute), encode(form, bytes))), value };
  });
  if (!names.some(({ type }) => type === 'CN')) throw new UsageError('--subject needs a CN.');
  if (names.some(({ type, value }) => type === 'C' && !/^[A-Z]{2}$/.test(value)))
    throw new UsageError('C in --subject must be a country code of two capital letters.');
  return sequence(...names.map(({ part }) => part));
}

interface RequestedKey {
  /** DER of its SubjectPublicKeyInfo. */
  publicKey: Uint8Array;
  isEc: boolean;
  sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

/** PEM. */
export async function certificateRequest(subject: Buffer, key: RequestedKey): Promise<string> {
  const information = sequence(integer(0), subject, key.publicKey, encode(contextTag(0)));
  const algorithm = key.isEc
    ? sequence(oid(OIDS.ecdsaWithSha256))
    : sequence(oid(OIDS.sha256WithRsa), derNull());
  const signature = encode(TAGS.bitString, Uint8Array.of(0), await key.sign(information));
  const base64 = sequence(information, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE REQUEST-----\n${base64.replace(/.{64}/g, '$&\n').trim()}\n-----END CERTIFICATE REQUEST-----\n`;
}
