import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { isSignedBy } from '../../../client/verifier/web-crypto.ts';
import { readPublicKey } from '../../../shared/sealing/certificate-fields.ts';
import { childrenOf, decode, TAGS } from '../../../shared/sealing/der.ts';
import { derNull, encode, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { PSS, pss } from '../../support/pss.ts';

const DATA = Buffer.from('what was signed');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });

const keyOf = (publicKey: KeyObject) => ({
  key: readPublicKey(decode(publicKey.export({ type: 'spki', format: 'der' }))),
});
it.each([
  ['RSA with SHA-256', rsa, sequence(oid(OIDS.sha256WithRsa), derNull()), 'sha256', {}],
  ['RSA with SHA-512', rsa, sequence(oid(OIDS.sha512WithRsa), derNull()), 'sha512', {}],
  ['RSASSA-PSS', rsa, pss(OIDS.sha256), 'sha256', PSS],
  ['ECDSA P-256', curve('prime256v1'), sequence(oid(OIDS.ecdsaWithSha256)), 'sha256', {}],
  ['ECDSA P-384', curve('secp384r1'), sequence(oid(OIDS.ecdsaWithSha384)), 'sha384', {}],
  ['ECDSA P-521', curve('secp521r1'), sequence(oid(OIDS.ecdsaWithSha512)), 'sha512', {}],
])('a signature by %s is right, and wrong over other data', async (_, pair, algorithm, digest, options) => {
  const key = keyOf(pair.publicKey);
  // Small numbers have leading zeros, which DER leaves out.
  for (let i = 0; i < 20; i += 1) {
    const signature = sign(digest, DATA, { key: pair.privateKey, ...options });
    expect(await isSignedBy(key, decode(algorithm), digest, DATA, signature)).toBe(true);
    expect(await isSignedBy(key, decode(algorithm), digest, Buffer.from('other'), signature)).toBe(false);
  }
});

describe('a signature whose numbers are written in another way than DER has it is wrong, as for other programs', () => {
  const { publicKey, privateKey } = curve('prime256v1');
  const algorithm = sequence(oid(OIDS.ecdsaWithSha256));
  const number = (content: Uint8Array) => encode(TAGS.integer, content);
  const withLongLength = (der: Uint8Array) =>
    Buffer.concat([der.subarray(0, 1), Buffer.of(0x81), der.subarray(1)]);
  const numbers = () =>
    childrenOf(decode(sign('sha256', DATA, privateKey)), TAGS.sequence).map(({ content }) => content);
  let [r = new Uint8Array(), s = new Uint8Array()] = numbers();
  // With the zero before a number whose first bit is set: without it, it is negative.
  while (r.length !== 33) [r = r, s = s] = numbers();

  it.each([
    ['no DER', Buffer.from('x')],
    ['no list of numbers', number(r)],
    ['one number', sequence(number(r))],
    ['three numbers', sequence(number(r), number(s), number(s))],
    ['no numbers', sequence(encode(TAGS.octetString, r), encode(TAGS.octetString, s))],
    ['a zero too many', sequence(number(Buffer.concat([Buffer.alloc(2), r])), number(s))],
    ['a negative number', sequence(number(r.subarray(1)), number(s))],
    ['a number longer than the curve', sequence(number(Buffer.concat([Buffer.of(1), r])), number(s))],
    ['an empty number', sequence(number(new Uint8Array()), number(s))],
    ['a length longer than it has to be', withLongLength(sequence(number(r), number(s)))],
    ['a length of a number longer than it has to be', sequence(number(r), withLongLength(number(s)))],
  ])('%s', async (_, signature) => {
    const isRight = (value: Uint8Array) =>
      isSignedBy(keyOf(publicKey), decode(algorithm), 'sha256', DATA, value);
    expect(verify('sha256', DATA, publicKey, signature)).toBe(false);
    expect(await isRight(signature)).toBe(false);
    expect(await isRight(sequence(number(r), number(s)))).toBe(true);
  });
});

it.each([
  ['a curve that browsers lack', curve('secp256k1'), sequence(oid(OIDS.ecdsaWithSha256)), 'sha256'],
  ['two digests in RSASSA-PSS', rsa, pss(OIDS.sha256, OIDS.sha512), 'sha256'],
  ['an EC algorithm for an RSA key', rsa, sequence(oid(OIDS.ecdsaWithSha256)), 'sha256'],
  ['a digest that is not known', rsa, sequence(oid(OIDS.sha256WithRsa)), 'md5'],
])('nothing is said about %s', async (_, { publicKey }, algorithm, digest) => {
  expect(await isSignedBy(keyOf(publicKey), decode(algorithm), digest, DATA, new Uint8Array(64))).toBeNull();
});
