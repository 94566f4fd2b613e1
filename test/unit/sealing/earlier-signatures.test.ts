import { createHash } from 'node:crypto';
import { childrenOf, contextTag, decode, TAGS } from '../../../shared/sealing/der.ts';
import {
  encode,
  integer,
  octetString,
  oid,
  retag,
  sequence,
  setOf,
} from '../../../shared/sealing/der-encode.ts';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';
import { withoutLengths } from '../../support/tampering.ts';
import { craft, ONE_PAGE } from './craft.ts';
import { demoSealing, sealIt } from './sealing-kit.ts';

const ROOM = 6000;

/** A PDF with one signature, whose CMS is made from the bytes that its byte range covers. */
function signedPdf(subFilter: string, makeCms: (content: Buffer) => Buffer): Buffer {
  const pdf = craft({
    objects: {
      ...ONE_PAGE,
      1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [4 0 R] /SigFlags 3>>>>',
      4: '<</FT /Sig /T (A) /V 5 0 R>>',
      5: `<</Type /Sig /SubFilter ${subFilter} /ByteRange [0 1111111111 2222222222 3333333333] /Contents <${'0'.repeat(2 * ROOM)}>>>`,
      6: '/adbe.pkcs7.sha1',
    },
  });
  const from = pdf.indexOf('/Contents <') + '/Contents '.length;
  const to = from + 2 * ROOM + 2;
  const range = [from, to, pdf.length - to].map((each) => String(each).padStart(10, '0')).join(' ');
  pdf.write(`[0 ${range}]`, pdf.indexOf('[0 1111111111'), 'latin1');
  const cms = makeCms(Buffer.concat([pdf.subarray(0, from), pdf.subarray(to)]));
  pdf.write(cms.toString('hex'), from + 1, 'latin1');
  return pdf;
}

const attribute = (type: string, value: Buffer): Buffer => sequence(oid(type), setOf(value));

function signedData(digestAlgorithm: string, digest: Buffer | null, content?: Buffer): Buffer {
  const attributes = setOf(
    attribute(OIDS.contentType, oid(OIDS.data)),
    ...(digest ? [attribute(OIDS.messageDigest, octetString(digest))] : []),
  );
  const signerInfo = sequence(
    integer(1),
    sequence(sequence(), integer(1)),
    sequence(oid(digestAlgorithm)),
    retag(contextTag(0), attributes),
    sequence(oid(OIDS.rsaEncryption)),
    octetString(Buffer.alloc(256)),
  );
  const encapsulated = content
    ? sequence(oid(OIDS.data), encode(contextTag(0), octetString(content)))
    : sequence(oid(OIDS.data));
  const data = sequence(integer(1), setOf(sequence(oid(digestAlgorithm))), encapsulated, setOf(signerInfo));
  return sequence(oid(OIDS.signedData), encode(contextTag(0), data));
}

const hash = (algorithm: string, bytes: Buffer): Buffer => createHash(algorithm).update(bytes).digest();

function documentTimestamp(imprinted: Buffer): Buffer {
  const query = sequence(
    integer(1),
    sequence(sequence(oid(OIDS.sha256)), octetString(hash('sha256', imprinted))),
    integer(7),
    encode(TAGS.boolean, Uint8Array.of(0xff)),
  );
  const [, token] = childrenOf(decode(demoSealing().tsa.answer(query)), TAGS.sequence);
  return Buffer.from(token?.raw ?? []);
}

const SIGNED_DATA = oid(OIDS.signedData).toString('hex');
const SPACES = Buffer.alloc(1_000_000, ' ');
const OTHER = Buffer.from('other content');

const ALGORITHMS: [name: string, oid: string][] = [
  ['md5', OIDS.md5],
  ['sha1', OIDS.sha1],
  ['sha224', OIDS.sha224],
  ['sha256', OIDS.sha256],
  ['sha384', OIDS.sha384],
  ['sha512', OIDS.sha512],
  ['sha3-256', OIDS.sha3of256],
  ['sha3-384', OIDS.sha3of384],
  ['sha3-512', OIDS.sha3of512],
];

describe('earlier signatures', () => {
  it.each(ALGORITHMS)('with a digest by %s are accepted if it matches, and refused if not', (name, id) => {
    const right = signedPdf('/adbe.pkcs7.detached', (bytes) => signedData(id, hash(name, bytes)));
    expect(inspectPdf(right)).toMatchObject({ ok: true, signed: true });
    const wrong = signedPdf('/adbe.pkcs7.detached', () => signedData(id, hash(name, OTHER)));
    expect(inspectPdf(wrong)).toMatchObject({ ok: false, code: 'pdf_signature_broken' });
  });

  it.each<[string, Buffer]>([
    [
      'an old SHA-1 envelope',
      signedPdf('/adbe.pkcs7.sha1', (bytes) =>
        signedData(OIDS.sha256, hash('sha256', hash('sha1', bytes)), hash('sha1', bytes)),
      ),
    ],
    [
      'its digest in BER, as PDFBox writes it',
      signedPdf('/adbe.pkcs7.detached', (content) =>
        withoutLengths(signedData(OIDS.sha256, hash('sha256', content))),
      ),
    ],
    ['a document timestamp', signedPdf('/ETSI.RFC3161', documentTimestamp)],
    [
      'content of its own',
      signedPdf('/adbe.pkcs7.detached', () => signedData(OIDS.sha256, hash('sha256', OTHER), OTHER)),
    ],
    ['no digest', signedPdf('/adbe.pkcs7.detached', () => signedData(OIDS.sha256, null))],
    ['an unknown digest', signedPdf('/adbe.pkcs7.detached', () => signedData('1.2.3.4', Buffer.alloc(20)))],
    [
      'an encoding that cannot be read',
      signedPdf('/adbe.pkcs7.detached', () => Buffer.from(`300B${SIGNED_DATA}`, 'hex')),
    ],
  ])('are accepted with %s', (_, pdf) => {
    expect(inspectPdf(pdf)).toMatchObject({ ok: true, signed: true });
  });

  it.each<[string, Buffer]>([
    [
      'content of its own that has another digest',
      signedPdf('/adbe.pkcs7.detached', (bytes) => signedData(OIDS.sha256, hash('sha256', bytes), OTHER)),
    ],
    [
      'an old SHA-1 envelope that has another digest',
      signedPdf('/adbe.pkcs7.sha1', (bytes) =>
        signedData(OIDS.sha256, hash('sha256', OTHER), hash('sha1', bytes)),
      ),
    ],
    [
      'an old SHA-1 envelope of other content',
      signedPdf('/adbe.pkcs7.sha1', () =>
        signedData(OIDS.sha256, hash('sha256', hash('sha1', OTHER)), hash('sha1', OTHER)),
      ),
    ],
    [
      'an old SHA-1 envelope of other content, whose kind is an object of its own',
      signedPdf('6 0 R', () =>
        signedData(OIDS.sha256, hash('sha256', hash('sha1', OTHER)), hash('sha1', OTHER)),
      ),
    ],
    [
      'the digest of other content in BER, as PDFBox writes it',
      signedPdf('/adbe.pkcs7.detached', () => withoutLengths(signedData(OIDS.sha256, hash('sha256', OTHER)))),
    ],
    ['a document timestamp over other content', signedPdf('/ETSI.RFC3161', () => documentTimestamp(OTHER))],
  ])('are refused as broken with %s', (_, pdf) => {
    expect(inspectPdf(pdf)).toMatchObject({ ok: false, code: 'pdf_signature_broken' });
  });

  it('are refused as broken after a change of the signed bytes', async () => {
    const { bytes } = await sealIt(craft({ objects: ONE_PAGE }));
    expect(inspectPdf(bytes)).toMatchObject({ ok: true });
    bytes.write('9', bytes.indexOf('200 300'));
    expect(inspectPdf(bytes)).toMatchObject({ ok: false, code: 'pdf_signature_broken' });
  });

  it('are refused as broken when they name bytes that the file does not have', () => {
    const pdf = signedPdf('/adbe.pkcs7.detached', (bytes) => signedData(OIDS.sha256, hash('sha256', bytes)));
    pdf.write('9', pdf.indexOf('/ByteRange [0 ') + '/ByteRange [0 '.length);
    expect(inspectPdf(pdf)).toMatchObject({ ok: false, code: 'pdf_signature_broken' });
  });

  it('may be many, but hashing them is bounded', () => {
    const count = 3000;
    const numbers = Array.from({ length: count }, (_, index) => index + 10);
    const fields = numbers.map((num) => [num, `<</FT /Sig /T (${num}) /V 5 0 R>>`]);
    const pdf = craft({
      objects: {
        ...ONE_PAGE,
        1: `<</Pages 2 0 R /AcroForm <</Fields [${numbers.map((num) => `${num} 0 R`).join(' ')}]>>>>`,
        4: `(${SPACES})`,
        5: `<</ByteRange [50000 900000] /Contents <${signedData(OIDS.sha256, hash('sha256', SPACES.subarray(0, 900_000))).toString('hex')}>>>`,
        ...Object.fromEntries(fields),
      },
    });
    const spent = cpuTimeOf(() =>
      expect(inspectPdf(pdf)).toMatchObject({ ok: false, code: 'pdf_too_complex' }),
    );
    expect(spent).toBeLessThan(2000);
  });
});

/** The verdict on a file with a signature of these entries. */
function judged(entries: string) {
  const objects = {
    ...ONE_PAGE,
    1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [4 0 R]>>>>',
    4: '<</FT /Sig /T (A) /V 5 0 R>>',
    5: `<</Type /Sig ${entries}>>`,
  };
  return inspectPdf(craft({ objects }));
}

describe('the contents of an earlier signature', () => {
  it.each([
    ['its length in one byte', `<300B${SIGNED_DATA}>`],
    ['its length in a byte of its own', `<30810B${SIGNED_DATA}>`],
    ['its length in four bytes of their own', `<30840000000B${SIGNED_DATA}>`],
    ['no stated length', `<3080${SIGNED_DATA}0000>`],
    ['padding after it', `<300B${SIGNED_DATA}0000>`],
  ])('can be read with %s', (_what, contents) => {
    expect(judged(`/ByteRange [0 9] /Contents ${contents}`)).toMatchObject({ ok: true, signed: true });
  });

  it.each([
    ['are missing', ''],
    ['are there twice', `/Contents <300B${SIGNED_DATA}> /Contents <300B${SIGNED_DATA}>`],
    ['are a name', '/Contents /None'],
    ['are text', String.raw`/Contents (0\013\006\011\052\206\110\206\367\015\001\007\002)`],
    ['are empty', '/Contents <>'],
    ['are no sequence', `/Contents <310B${SIGNED_DATA}>`],
    ['are longer than their bytes', `/Contents <300C${SIGNED_DATA}>`],
    ['are longer than their bytes, by a length of two bytes', `/Contents <3082000C${SIGNED_DATA}>`],
    ['state their length in five bytes', `/Contents <3085000000000B${SIGNED_DATA}>`],
    ['end within their type', '/Contents <300A06092A864886F70D0107>'],
    ['are of another type', '/Contents <300B06092A864886F70D010701>'],
  ])('make the file a damaged one if they %s', (_what, contents) => {
    expect(judged(`/ByteRange [0 9] ${contents}`)).toMatchObject({ ok: false, code: 'pdf_damaged' });
  });
});

describe('the byte range of an earlier signature', () => {
  const judgedWith = (range: string) => judged(`${range} /Contents <300B${SIGNED_DATA}>`);

  it('may name any bytes of the file', () => {
    expect(judgedWith('/ByteRange [0 9 20 30]')).toMatchObject({ ok: true, signed: true });
  });

  it.each([
    ['is missing', ''],
    ['is empty', '/ByteRange []'],
    ['has no length for its last offset', '/ByteRange [0 9 20]'],
    ['has an offset that is no number', '/ByteRange [(a) 9]'],
    ['has a length that is no number', '/ByteRange [0 (a)]'],
    ['has an offset before the file', '/ByteRange [-1 9]'],
    ['ends after the file', '/ByteRange [0 9 20 99999]'],
  ])('makes the signature a broken one if it %s', (_what, range) => {
    expect(judgedWith(range)).toMatchObject({ ok: false, code: 'pdf_signature_broken' });
  });
});
