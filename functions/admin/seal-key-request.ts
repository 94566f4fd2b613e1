import {
  contextTag,
  derNull,
  encode,
  integer,
  oid,
  sequence,
  setOf,
  tags,
} from '../../shared/sealing/der.ts';
import { oids } from '../../shared/sealing/oids.ts';
import { UsageError } from './errors.ts';

/** A certificate request (PKCS#10, RFC 2986) for a key that only signs when it is asked to. */

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
/** What X.520 wants in its own, narrower alphabet. */
const PRINTABLE: ReadonlySet<string> = new Set(['C', 'SERIALNUMBER']);
const PRINTABLE_STRING = 0x13;

/** `CN=Acme Oy, O=Acme Oy, C=FI`; a comma inside a value is written `\,`. */
export function subjectOf(text: string): Buffer {
  const names = text.split(/(?<!\\),/).map((part) => {
    const [, type = '', value = ''] = /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    const attribute = ATTRIBUTES[type.toUpperCase()];
    if (!attribute)
      throw new UsageError(
        `--subject is like "CN=Acme Oy, O=Acme Oy, C=FI"; "${part.trim()}" is none of ${Object.keys(ATTRIBUTES).join(', ')}.`,
      );
    const bytes = Buffer.from(value.replaceAll('\\,', ','));
    const form = PRINTABLE.has(type.toUpperCase()) ? PRINTABLE_STRING : tags.utf8String;
    return { type: type.toUpperCase(), part: setOf(sequence(oid(attribute), encode(form, bytes))), value };
  });
  if (!names.some(({ type }) => type === 'CN')) throw new UsageError('--subject needs a CN.');
  if (names.some(({ type, value }) => type === 'C' && !/^[A-Z]{2}$/.test(value)))
    throw new UsageError('C in --subject is a country in two capital letters.');
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
    ? sequence(oid(oids.ecdsaWithSha256))
    : sequence(oid(oids.sha256WithRsa), derNull());
  const signature = encode(tags.bitString, Uint8Array.of(0), await key.sign(information));
  const base64 = sequence(information, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE REQUEST-----\n${base64.replace(/.{64}/g, '$&\n').trim()}\n-----END CERTIFICATE REQUEST-----\n`;
}
