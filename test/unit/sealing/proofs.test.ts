import { createHash, randomBytes } from 'node:crypto';
import { type Certificate, readCertificate } from '../../../shared/sealing/certificate.ts';
import { childrenOf, contextTag, DerError, decode, TAGS } from '../../../shared/sealing/der.ts';
import { encode, integer, octetString, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import { ocspRequest, verifyOcsp, verifyRevocationList } from '../../../shared/sealing/long-term/answers.ts';
import { claimOfList, readRevocationList } from '../../../shared/sealing/long-term/list-claim.ts';
import { namedParts, readOcsp } from '../../../shared/sealing/long-term/ocsp-claim.ts';
import { ProofFault, Revoked } from '../../../shared/sealing/long-term/proof.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { type DemoIdentity, extensions, issueDemo, makeDemoCa } from '../../support/demo-keys.ts';
import { encodeTime } from '../../support/encode-time.ts';
import { answerOcspRequest, type OcspDeviations, type Standing } from '../../support/pki/ocsp.ts';
import { DELEGATE } from '../../support/pki/pki.ts';
import { type ListDeviations, revocationList } from '../../support/pki/revocation-list.ts';

const now = new Date('2026-11-21T10:00:00Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const ca = makeDemoCa(now, 'CA', { algorithm: 'rsa' });
const other = makeDemoCa(now, 'CA');
const LIST = 'http://ca.test/list';
const leaf = issueDemo({
  commonName: 'Leaf',
  now,
  years: 3,
  issuer: ca,
  extensions: [extensions.keyUsage('digitalSignature'), ...extensions.addresses({ list: LIST })],
});
const read = ({ certificate }: DemoIdentity): Certificate => readCertificate(certificate);
const question = { certificate: read(leaf), issuer: read(ca), at: now };
const delegate = (own = DELEGATE, issuer = ca, years = 1, from = now) =>
  issueDemo({
    commonName: 'Responder',
    now: from,
    years,
    issuer,
    extensions: own,
  });

const LATE = delegate();

interface Answer extends OcspDeviations {
  responder?: DemoIdentity;
  standing?: Standing;
}

function ocsp(
  { responder, standing = 'good', ...deviations }: Answer = {},
  nonce: Uint8Array = randomBytes(16),
) {
  const signer = responder ?? ca;
  const answer = answerOcspRequest(
    ocspRequest(question, nonce),
    { certificate: signer.certificate, key: signer.privateKey, isDelegate: responder !== undefined },
    () => standing,
    now,
    deviations,
  );
  return verifyOcsp(answer, question, nonce);
}

const list = (
  deviations: ListDeviations = {},
  issuer = ca,
  revoked: Parameters<typeof revocationList>[1] = [],
) =>
  verifyRevocationList(
    revocationList({ certificate: issuer.certificate, key: issuer.privateKey }, revoked, now, deviations),
    question,
  );

const faultOf = (prove: () => unknown): unknown => {
  try {
    return prove();
  } catch (error) {
    return error;
  }
};

describe('an OCSP answer proves a certificate', () => {
  it.each<[string, Answer]>([
    ['signed by its issuer', {}],
    ['that names the responder by its key', { byKey: true }],
    ['signed by a delegate of the issuer', { responder: delegate() }],
    [
      'signed by a delegate behind what is no certificate',
      { responder: LATE, sends: [...Array<Buffer>(9).fill(sequence()), LATE.certificate] },
    ],
    ['that repeats no nonce', { nonce: 'left out' }],
    ['that names no end, for a day', { nextUpdate: null }],
  ])('%s', (_, answer) => {
    expect(ocsp(answer)).toMatchObject({ kind: 'ocsp', issuedAt: hours(-1) });
  });

  it('that names it twice', () => {
    expect(ocsp({ second: 'good' })).toMatchObject({ kind: 'ocsp', issuedAt: hours(-1) });
  });

  it.each<Standing[]>([
    ['good', { revokedAt: hours(-3) }],
    [{ revokedAt: hours(-3) }, 'good'],
  ])('unless it contradicts itself: %j, then %j, is revoked', (standing, second) => {
    expect(faultOf(() => ocsp({ standing, second }))).toBeInstanceOf(Revoked);
  });

  it('until it says that a newer one is there', () => {
    expect(ocsp({ nextUpdate: hours(7) }).until).toEqual(hours(7));
    expect(ocsp({ nextUpdate: null }).until).toEqual(hours(23));
  });
});

describe('an OCSP answer proves nothing', () => {
  it.each<[string, Answer, string]>([
    ['if the responder did not understand', { status: 1 }, 'malformed request'],
    ['if the responder refuses without a known reason', { status: 4 }, 'status 4'],
    ['if the responder wants a signed request', { status: 5 }, 'signature required'],
    ['if the responder has a fault', { status: 2 }, 'internal error'],
    ['if the responder says to try later', { status: 3 }, 'try later'],
    ['if the responder does not serve us', { status: 6 }, 'unauthorized'],
    ['of an unknown type', { type: '1.2.3.4' }, 'unknown type'],
    ['about another certificate', { otherCertificate: true }, 'another certificate'],
    ['about a certificate that the responder does not know', { standing: 'unknown' }, 'does not know'],
    ['with another nonce', { nonce: 'other' }, 'nonce'],
    ['that has ended', { nextUpdate: hours(-0.5) }, 'ended at'],
    ['without end after a day', { thisUpdate: hours(-25), nextUpdate: null }, 'ended at'],
    ['from the future', { thisUpdate: hours(1) }, 'from the future'],
    ['signed with SHA-1', { digest: 'sha1' }, 'weak or unknown'],
    ['changed after it was signed', { brokenSignature: true }, ''],
    ['with an unknown critical extension', { criticalExtension: 'answer' }, 'critical'],
    [
      'with an unknown critical extension about the certificate',
      { criticalExtension: 'certificate' },
      'critical',
    ],
    ['signed by another CA of the same name', { responder: other, sends: [] }, 'signature is wrong'],
    ['whose responder is missing', { responder: delegate(), sends: [] }, 'missing'],
    ['by a delegate of another CA', { responder: delegate(DELEGATE, other) }, 'not appointed'],
    [
      'by a delegate whose certificate is not for OCSP',
      {
        responder: delegate([
          extensions.extendedKeyUsage(false, OIDS.emailProtection),
          extensions.ocspNoCheck(),
        ]),
      },
      'not for OCSP',
    ],
    ['by a delegate without a purpose', { responder: delegate([extensions.ocspNoCheck()]) }, 'not for OCSP'],
    [
      'by a delegate whose own revocation is open',
      { responder: delegate([extensions.extendedKeyUsage(false, OIDS.ocspSigning)]) },
      'own revocation',
    ],
    [
      'by a delegate that may not sign',
      { responder: delegate([...DELEGATE.slice(1), extensions.keyUsage('keyCertSign')]) },
      'may not sign',
    ],
    [
      'by a delegate that has expired',
      { responder: delegate(DELEGATE, ca, 1, hours(-3 * 8760)) },
      'not valid',
    ],
    [
      'by a delegate that has expired since',
      { responder: delegate(DELEGATE, ca, 0, hours(-1)), producedAt: hours(-2) },
      'not valid',
    ],
    ['by a delegate from before its time', { responder: delegate(), producedAt: hours(-30) }, 'not valid'],
    [
      'by a delegate behind ten other certificates',
      { responder: LATE, sends: [...Array<Buffer>(10).fill(sequence()), LATE.certificate] },
      'missing',
    ],
  ])('%s', (_, answer, fault) => {
    const error = faultOf(() => ocsp(answer));
    expect(error instanceof ProofFault || error instanceof DerError).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining(fault) });
  });

  it('if it is no OCSP answer', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('<html>'), randomBytes(300)])
      expect(faultOf(() => verifyOcsp(bytes, question))).toBeInstanceOf(DerError);
  });

  it('with any byte changed but one that says nothing', () => {
    const nonce = randomBytes(16);
    const { der } = ocsp({}, nonce);
    let wrong = 0;
    for (let at = 0; at < der.length; at += 1) {
      const changed = Buffer.from(der);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const error = faultOf(() => verifyOcsp(changed, question, nonce));
      if (error instanceof Error) wrong += 1;
    }
    // The tag of the algorithm's empty parameters.
    expect(wrong).toBe(der.length - 1);
  });
});

describe('an extension of an OCSP answer', () => {
  const NONCE = octetString(octetString(Buffer.alloc(16)));
  /** A responder repeats the extension of the request that it takes for the nonce. */
  function proveRepeating(...extension: Buffer[]) {
    const [content] = childrenOf(decode(ocspRequest(question, randomBytes(16))), TAGS.sequence);
    const [list] = childrenOf(content, TAGS.sequence);
    const repeated = encode(contextTag(2), sequence(sequence(...extension)));
    const request = sequence(sequence(list?.raw ?? Buffer.of(), repeated));
    const responder = { certificate: ca.certificate, key: ca.privateKey, isDelegate: false };
    return verifyOcsp(
      answerOcspRequest(request, responder, () => 'good', now),
      question,
    );
  }
  const critical = encode(TAGS.boolean, Uint8Array.of(0xff));

  it('may be a critical nonce, or anything that is not critical', () => {
    expect(proveRepeating(oid(OIDS.ocspNonce), critical, NONCE).kind).toBe('ocsp');
    expect(proveRepeating(oid('1.2.3.4'), NONCE).kind).toBe('ocsp');
    expect(() => proveRepeating(oid('1.2.3.4'), critical, NONCE)).toThrow('critical extension 1.2.3.4');
  });
});

describe('the signed part of an OCSP answer', () => {
  /** A good answer, read with other fields in its signed part. */
  function readWith(change: (fields: Uint8Array[]) => Uint8Array[]) {
    const [status, bytes] = childrenOf(decode(ocsp().der), TAGS.sequence);
    const [type, wrapped] = childrenOf(childrenOf(bytes, contextTag(0))[0], TAGS.sequence);
    const [data, ...others] = childrenOf(decode(wrapped?.content ?? Buffer.of()), TAGS.sequence);
    const fields = childrenOf(data, TAGS.sequence).map(({ raw }) => raw);
    const basic = sequence(sequence(...change(fields)), ...others.map(({ raw }) => raw));
    const typed = sequence(type?.raw ?? Buffer.of(), octetString(basic));
    return readOcsp(sequence(status?.raw ?? Buffer.of(), encode(contextTag(0), typed)));
  }

  it('may begin with its version', () => {
    const version = encode(contextTag(0), integer(0));
    expect(readWith((fields) => [version, ...fields]).producedAt).toEqual(now);
  });

  it('names its responder', () => {
    expect(() => readWith(() => [])).toThrow('names no responder');
  });
});

describe('an answer by a key that is too weak', () => {
  const { key, ...rest } = question.issuer;
  const weak = { ...question, issuer: { ...rest, key: { ...key, bits: 1024 } } };

  it('proves nothing, be it of a responder or a list', () => {
    expect(() => verifyOcsp(ocsp().der, weak)).toThrow('too weak');
    expect(() => verifyRevocationList(list().der, weak)).toThrow('too weak');
  });
});

describe('the certificate that an OCSP answer is about', () => {
  const hashOf = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest();
  /** An answer about the certificate that this name of it means. */
  function proveNamed(hash: 'sha1' | 'sha256' | 'sha512', { name = ca, key = ca, certificate = leaf } = {}) {
    const id = sequence(
      sequence(oid(OIDS[hash])),
      octetString(hashOf(hash, namedParts(read(name)).name)),
      octetString(hashOf(hash, namedParts(read(key)).key)),
      read(certificate).serial,
    );
    const responder = { certificate: ca.certificate, key: ca.privateKey, isDelegate: false };
    const request = sequence(sequence(sequence(sequence(id))));
    return verifyOcsp(
      answerOcspRequest(request, responder, () => 'good', now),
      question,
    );
  }

  it.each(['sha1', 'sha256'] as const)('may be named by %s', (hash) => {
    expect(proveNamed(hash).kind).toBe('ocsp');
  });

  it('is another one by the name, key or number of another, or by an unknown hash', () => {
    const stranger = makeDemoCa(now, 'Stranger');
    for (const prove of [
      () => proveNamed('sha1', { name: stranger }),
      () => proveNamed('sha1', { key: other }),
      () => proveNamed('sha1', { certificate: ca }),
      () => proveNamed('sha512'),
    ])
      expect(prove).toThrow('another certificate');
  });
});

describe('an OCSP answer that was given after the time in question', () => {
  const ended = issueDemo({
    commonName: 'Ended',
    now: hours(1),
    years: 0,
    issuer: ca,
    extensions: [extensions.keyUsage('digitalSignature')],
  });
  const prove = (certificate: Certificate, thisUpdate: Date, nextUpdate: Date) => {
    const about = { ...question, certificate, latest: hours(3) };
    const responder = { certificate: ca.certificate, key: ca.privateKey, isDelegate: false };
    const request = ocspRequest(about, randomBytes(16));
    const deviations = { thisUpdate, nextUpdate, producedAt: thisUpdate };
    return verifyOcsp(
      answerOcspRequest(request, responder, () => 'good', now, deviations),
      about,
    );
  };

  it('counts up to a latest time and the skew of clocks', () => {
    for (const issuedAt of [hours(0.5), hours(3), hours(3 + 5 / 60)])
      expect(prove(question.certificate, issuedAt, hours(9))).toMatchObject({ issuedAt });
    expect(() => prove(question.certificate, hours(3.1), hours(9))).toThrow('from the future');
  });

  it('does not count if the certificate had ended', () => {
    expect(prove(read(ended), hours(0.9), hours(9)).kind).toBe('ocsp');
    expect(() => prove(read(ended), hours(1.1), hours(9))).toThrow('from the future');
  });

  it('does not let one count that had ended by that time', () => {
    expect(() => prove(question.certificate, hours(-2), hours(-1))).toThrow('ended at');
  });
});

describe('a revoked certificate', () => {
  const serialHex = Buffer.from(question.certificate.serial.subarray(2)).toString('hex');

  it.each([
    [undefined, false],
    [0, false],
    [1, false],
    [4, false],
    [6, true],
  ])('with reason code %p is told by OCSP and by a list', (reason, suspended) => {
    const standing = { revokedAt: hours(-48), ...(reason !== undefined && { reason }) };
    const since = `${suspended ? 'suspended' : 'revoked'} since ${hours(-48).toISOString()}`;
    const message = reason === undefined ? since : `${since} (reason ${reason})`;
    for (const error of [
      faultOf(() => ocsp({ standing })),
      faultOf(() => list({}, ca, [{ serialHex, ...standing }])),
    ]) {
      expect(error).toBeInstanceOf(Revoked);
      expect(error).toMatchObject({ suspended, message });
    }
  });

  it('is found on a list of 50,000, before or behind the others', () => {
    const others = Array.from({ length: 50_000 }, (_, index) => ({
      serialHex: (index + 65_536).toString(16).padStart(6, '0'),
      revokedAt: hours(-1),
    }));
    const own = { serialHex, revokedAt: hours(-48) };
    for (const all of [
      [own, ...others],
      [...others, own],
    ])
      expect(faultOf(() => list({}, ca, all))).toBeInstanceOf(Revoked);
    expect(list({}, ca, others).kind).toBe('crl');
  });

  it('is not taken for another one on a list', () => {
    expect(list({}, ca, [{ serialHex: '0102', revokedAt: hours(-1) }]).kind).toBe('crl');
  });
});

describe('a revocation list proves a certificate', () => {
  it.each<[string, ListDeviations]>([
    ['that is not on it', {}],
    ['if it is for the certificates of users', { scope: { users: true } }],
    ['of the address that the certificate names', { scope: { url: LIST } }],
  ])('%s', (_, deviations) => {
    expect(list(deviations)).toMatchObject({ kind: 'crl', issuedAt: hours(-1), until: hours(24) });
  });
});

describe('a revocation list of one kind of certificates', () => {
  const prove = (scope: NonNullable<ListDeviations['scope']>, isAuthority: boolean) =>
    verifyRevocationList(
      revocationList({ certificate: ca.certificate, key: ca.privateKey }, [], now, { scope }),
      { ...question, certificate: { ...question.certificate, isAuthority } },
    );

  it.each([
    [{ users: true }, { authorities: true }, false],
    [{ authorities: true }, { users: true }, true],
  ])('%j proves a certificate of that kind alone', (own, others, isAuthority) => {
    expect(prove(own, isAuthority).kind).toBe('crl');
    for (const scope of [others, { someReasons: true }, { indirect: true }])
      expect(() => prove(scope, isAuthority)).toThrow('not complete');
  });
});

describe('the signed part of a revocation list', () => {
  const issuer = { ...question.issuer, keyUsage: null };
  /** A list that is signed with other fields: version, algorithm, issuer, its times, entries and extensions. */
  function claimWith(change: (fields: Uint8Array[]) => Uint8Array[]) {
    const [signed, ...others] = childrenOf(decode(list().der), TAGS.sequence);
    const fields = childrenOf(signed, TAGS.sequence).map(({ raw }) => raw);
    const der = sequence(sequence(...change(fields)), ...others.map(({ raw }) => raw));
    return claimOfList(readRevocationList(der), { ...question, issuer }).standing;
  }
  const entry =
    (...fields: Uint8Array[]) =>
    (parts: Uint8Array[]) =>
      parts.toSpliced(5, 0, sequence(sequence(...fields)));
  const revokedAt = encodeTime(hours(-1));

  it('may have no version, an end in the long form, and an issuer whose key has no named use', () => {
    for (const change of [
      (fields: Uint8Array[]) => fields,
      (fields: Uint8Array[]) => fields.slice(1),
      (fields: Uint8Array[]) => fields.with(4, encode(TAGS.generalizedTime, Buffer.from('20261122100000Z'))),
    ])
      expect(claimWith(change)).toEqual({ issuedAt: hours(-1), until: hours(24) });
  });

  it('may be of several addresses and say what it is not, and not be of some reasons', () => {
    const critical = encode(TAGS.boolean, Uint8Array.of(0xff));
    const within =
      (...parts: Buffer[]) =>
      (fields: Uint8Array[]) => {
        const scope = sequence(oid(OIDS.issuingDistributionPoint), critical, octetString(sequence(...parts)));
        return fields.with(5, encode(contextTag(0), sequence(scope)));
      };
    const urls = ['http://ca.test/other', LIST].map((url) => encode(0x86, Buffer.from(url)));
    const addresses = encode(contextTag(0), encode(contextTag(0), ...urls));
    const isIndirect = encode(0x84, Uint8Array.of(0));
    expect(claimWith(within(addresses, isIndirect))).toMatchObject({ until: hours(24) });
    const reasons = encode(0x83, Uint8Array.of(0, 0x40));
    expect(() => claimWith(within(addresses, reasons))).toThrow('not complete');
  });

  it('is not read if an entry names no certificate', () => {
    expect(claimWith(entry(question.certificate.serial, revokedAt))).toBeInstanceOf(Revoked);
    for (const fields of [[octetString(Buffer.of(1)), revokedAt], [revokedAt]])
      expect(() => claimWith(entry(...fields))).toThrow('names no certificate');
    expect(() =>
      claimWith((fields) => fields.toSpliced(5, 0, sequence(encode(TAGS.set, integer(1), revokedAt)))),
    ).toThrow('names no certificate');
  });
});

describe('a revocation list proves nothing', () => {
  const silent = issueDemo({
    commonName: 'CA',
    now,
    years: 3,
    extensions: [extensions.ca(), extensions.keyUsage('keyCertSign')],
  });

  it.each<[string, ListDeviations, string]>([
    ['that has ended', { nextUpdate: hours(-0.5) }, 'ended at'],
    ['that names no end', { nextUpdate: null }, 'no end'],
    ['from the future', { thisUpdate: hours(1) }, 'from the future'],
    ['signed with SHA-1', { digest: 'sha1' }, 'weak or unknown'],
    ['that names two algorithms', { innerDigest: 'sha1' }, 'two signature algorithms'],
    ['changed after it was signed', { brokenSignature: true }, 'signature is wrong'],
    ['of changes alone', { delta: true }, 'delta list'],
    ['with an unknown critical extension', { criticalExtension: true }, 'critical'],
    ['for authorities alone', { scope: { authorities: true } }, 'not complete'],
    ['for some reasons alone', { scope: { someReasons: true } }, 'not complete'],
    ['that is indirect', { scope: { indirect: true } }, 'not complete'],
    ['of another address', { scope: { url: 'http://ca.test/other' } }, 'another distribution point'],
    ['in the name of another issuer', { name: read(leaf).subject }, 'another issuer'],
  ])('%s', (_, deviations, fault) => {
    const error = faultOf(() => list(deviations));
    expect(error).toBeInstanceOf(ProofFault);
    expect(error).toMatchObject({ message: expect.stringContaining(fault) });
  });

  it('by another CA of the same name', () => {
    expect(faultOf(() => list({}, other))).toMatchObject({
      message: expect.stringContaining('signature is wrong'),
    });
  });

  it('by a CA whose key cannot be read', () => {
    const { key, ...rest } = question.issuer;
    const issuer = { ...rest, key: { ...key, spki: key.spki.subarray(0, 30) } };
    const bytes = revocationList({ certificate: ca.certificate, key: ca.privateKey }, [], now);
    expect(() => verifyRevocationList(bytes, { ...question, issuer })).toThrow('a key cannot be read');
  });

  it('by a CA that may not sign lists', () => {
    const issuer = read(silent);
    const bytes = revocationList({ certificate: silent.certificate, key: silent.privateKey }, [], now);
    const error = faultOf(() => verifyRevocationList(bytes, { ...question, issuer }));
    expect(error).toMatchObject({ message: expect.stringContaining('may not sign') });
  });
});
