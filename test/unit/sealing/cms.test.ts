import { createHash, verify, X509Certificate } from 'node:crypto';
import { readCertificate } from '../../../shared/sealing/certificate.ts';
import {
  children,
  childrenOf,
  contextTag,
  type DerNode,
  decode,
  expectTag,
  readOid,
  TAGS,
} from '../../../shared/sealing/der.ts';
import { encode, integer, oid, retag, setOf } from '../../../shared/sealing/der-encode.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { makeDemoSealIdentity } from '../../support/demo-keys.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import { craft, ONE_PAGE } from './craft.ts';
import { demoSealing, now, sealIt } from './sealing-kit.ts';

interface Opened {
  signed: DerNode[];
  signer: DerNode[];
  byteRange: Buffer;
}

function open(bytes: Buffer): Opened {
  const range = /\/ByteRange \[0 +(\d+) +(\d+)/.exec(bytes.toString('latin1')) ?? [];
  const [, from = 0, to = 0] = range.map(Number);
  const padded = Buffer.from(bytes.subarray(from + 1, to - 1).toString('latin1'), 'hex');
  const cms = decode(padded.subarray(0, 4 + padded.readUInt16BE(2)));
  const [type, wrapped] = children(cms);
  expect(readOid(type)).toBe(OIDS.signedData);
  const signed = childrenOf(childrenOf(wrapped, contextTag(0))[0], TAGS.sequence);
  const [signer] = childrenOf(signed.at(-1), TAGS.set);
  const byteRange = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  return { signed, signer: childrenOf(signer, TAGS.sequence), byteRange };
}

describe('the CMS of a seal', () => {
  it.each([
    ['rsa', 'sha256'],
    ['ecdsa-p256', 'sha256'],
    ['ecdsa-p384', 'sha384'],
  ] as const)('the CMS has the structure of PAdES B-T, with %s over %s', async (algorithm, hash) => {
    const identity = makeDemoSealIdentity(demoSealing().ca, { now, algorithm });
    const key = sealKeyOf(identity);
    const { signed, signer, byteRange } = open((await sealIt(craft({ objects: ONE_PAGE }), { key })).bytes);
    const certificate = new X509Certificate(identity.certificate);

    const [version, digests, content, certificates] = signed;
    expect(version?.raw).toEqual(integer(1));
    expect(Buffer.from(digests?.raw ?? [])).toEqual(setOf(encode(TAGS.sequence, oid(OIDS[hash]))));
    expect(childrenOf(content, TAGS.sequence)).toHaveLength(1);
    expect(childrenOf(certificates, contextTag(0))).toHaveLength(2);

    const [, , , attributes, signatureAlgorithm, signature, unsigned] = signer;
    const values = childrenOf(attributes, contextTag(0)).map((attribute) =>
      childrenOf(attribute, TAGS.sequence),
    );
    const valueIn = (wanted: string) => values.find(([type]) => readOid(type) === wanted)?.[1];
    // DER sorts them by their bytes, of which a longer digest has others.
    expect(values.map(([type]) => readOid(type)).toSorted()).toEqual(
      [OIDS.contentType, OIDS.messageDigest, OIDS.signingCertificateV2].toSorted(),
    );
    const digest = createHash(hash).update(byteRange).digest();
    expect(Buffer.from(childrenOf(valueIn(OIDS.messageDigest), TAGS.set)[0]?.content ?? [])).toEqual(digest);

    const parameters = childrenOf(signatureAlgorithm, TAGS.sequence).slice(1);
    expect(parameters.map(({ tag }) => tag)).toEqual(algorithm === 'rsa' ? [TAGS.null] : []);
    const toBeSigned = retag(TAGS.set, expectTag(attributes, contextTag(0)).raw);
    expect(verify(hash, toBeSigned, certificate.publicKey, signature?.content ?? Buffer.alloc(0))).toBe(true);
    const [stamp] = childrenOf(unsigned, contextTag(1));
    expect(readOid(childrenOf(stamp, TAGS.sequence)[0])).toBe(OIDS.timeStampToken);
  });

  it('a SET OF is sorted by encoding', () => {
    expect(
      setOf(Buffer.from('0502', 'hex'), Buffer.from('0501ff', 'hex'), Buffer.from('0401', 'hex')),
    ).toEqual(encode(TAGS.set, Buffer.from('04010501ff0502', 'hex')));
  });

  it('the CMS contains the intermediate certificates', async () => {
    const { bytes } = await sealIt(craft({ objects: ONE_PAGE }));
    const { signed } = open(bytes);
    const embedded = childrenOf(signed[3], contextTag(0)).map(({ raw }) => readCertificate(raw).x509.subject);
    expect(embedded.join()).toContain('CN=Demo CA');
  });
});
