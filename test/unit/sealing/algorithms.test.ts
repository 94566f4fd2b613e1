import { digestOfSignature, isPss, pssParameters } from '../../../shared/sealing/algorithms.ts';
import { contextTag, DerError, decode } from '../../../shared/sealing/der.ts';
import { derNull, encode, integer, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';

const hash = (id: string) => sequence(oid(id), derNull());
const mask = (id: string, of: string = OIDS.mgf1) => sequence(oid(of), hash(id));
const field = (number: number, value: Buffer) => encode(contextTag(number), value);
const pss = (...fields: Buffer[]) => decode(sequence(oid(OIDS.rsaPss), sequence(...fields)));
const plain = (id: string) => decode(sequence(oid(id), derNull()));

const DIGEST = field(0, hash(OIDS.sha384));
const MASK = field(1, mask(OIDS.sha512));
const SALT = field(2, integer(48));

describe('the digest of a signature', () => {
  it.each([
    [OIDS.sha256WithRsa, 'sha256'],
    [OIDS.sha384WithRsa, 'sha384'],
    [OIDS.sha512WithRsa, 'sha512'],
    [OIDS.ecdsaWithSha256, 'sha256'],
    [OIDS.ecdsaWithSha384, 'sha384'],
    [OIDS.ecdsaWithSha512, 'sha512'],
    [OIDS.rsaEncryption, null],
    [OIDS.sha1, undefined],
    [OIDS.rsaPss, undefined],
  ])('of the algorithm %s is %s', (id, digest) => {
    expect(digestOfSignature(decode(sequence(oid(id))))).toBe(digest);
  });

  it('is named by the parameters of RSASSA-PSS', () => {
    expect(digestOfSignature(pss(DIGEST, MASK))).toBe('sha384');
    expect(isPss(pss(DIGEST, MASK))).toBe(true);
    expect(isPss(plain(OIDS.sha256WithRsa))).toBe(false);
  });

  it('needs an algorithm', () => {
    expect(() => digestOfSignature(undefined)).toThrow(DerError);
  });
});

describe('the parameters of RSASSA-PSS', () => {
  it('are digest, digest of the mask, and the length of the salt', () => {
    expect(pssParameters(pss(DIGEST, MASK, SALT))).toEqual({
      digest: 'sha384',
      maskDigest: 'sha512',
      saltLength: 48,
    });
  });

  it('have a salt of 20 bytes by default', () => {
    expect(pssParameters(pss(DIGEST, MASK))).toMatchObject({ saltLength: 20 });
  });

  it.each([
    ['left out', decode(sequence(oid(OIDS.rsaPss)))],
    ['without a digest, which is SHA-1 by default', pss(MASK)],
    ['without a mask, whose digest is SHA-1 by default', pss(DIGEST)],
    ['with a weak digest', pss(field(0, hash(OIDS.sha1)), MASK)],
    ['with a weak digest of the mask', pss(DIGEST, field(1, mask(OIDS.sha1)))],
    ['with an unknown mask', pss(DIGEST, field(1, mask(OIDS.sha256, OIDS.sha256)))],
    ['with a mask without a digest', pss(DIGEST, field(1, sequence(oid(OIDS.mgf1))))],
  ])('are weak or unknown %s', (_, algorithm) => {
    expect(pssParameters(algorithm)).toBeUndefined();
  });
});
