import { createHash, generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import { certificatesOfPem } from '../../../shared/sealing/certificate.ts';
import { isStrongKey, readPublicKey } from '../../../shared/sealing/certificate-fields.ts';
import { children, childrenOf, contextTag, decode, hex, TAGS } from '../../../shared/sealing/der.ts';
import { encode, integer, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { readSignedData } from '../../../shared/sealing/signed-data.ts';
import { type Authority, timestamper } from '../../../shared/sealing/timestamp.ts';
import { tokenOfResponse, verifyToken } from '../../../shared/sealing/timestamp-token.ts';
import { type DemoIdentity, extensions, issueDemo, makeDemoCa, pem } from '../../support/demo-keys.ts';
import {
  fetchOf,
  type Misbehaviour,
  makeTestAuthority,
  type TestAuthority,
} from '../../support/timestamp-authority.ts';
import { now } from './sealing-kit.ts';
import { data, faultOf, good, options } from './timestamped.ts';

const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

/** A timestamp signer of another maker, with keys and digests that ours does not make. */
function issueByForge(
  ca: DemoIdentity,
  { bits, digest }: { bits: number; digest: 'sha1' | 'sha256' },
): DemoIdentity {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const { pki, md } = forge;
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(publicKey.export({ format: 'pem', type: 'spki' }).toString());
  certificate.serialNumber = '01';
  certificate.validity.notBefore = later(-DAY);
  certificate.validity.notAfter = later(DAY);
  certificate.setSubject([{ name: 'commonName', value: 'Weak TSA' }]);
  certificate.setIssuer(pki.certificateFromPem(pem(ca.certificate)).subject.attributes);
  certificate.setExtensions([
    { name: 'keyUsage', critical: true, digitalSignature: true },
    { name: 'extKeyUsage', critical: true, timeStamping: true },
  ]);
  const issuerKey = pki.privateKeyFromPem(ca.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  certificate.sign(issuerKey, md[digest].create());
  const der = forge.asn1.toDer(pki.certificateToAsn1(certificate)).getBytes();
  return { certificate: Buffer.from(der, 'latin1'), privateKey, issuers: [ca.certificate] };
}

const ask = (tsa: TestAuthority, misbehaviour: Misbehaviour = {}, authority: Partial<Authority> = {}) =>
  timestamper([{ ...tsa.authority, ...authority }], { ...options, fetch: fetchOf(tsa, () => misbehaviour) })(
    data,
  );

describe('accepted timestamps', () => {
  it('a token over the data comes with time, authority and policy', async () => {
    const stamp = await ask(good);
    expect(stamp).toMatchObject({
      time: now,
      authority: 'O=Signature Requests Demo, CN=Demo TSA',
      policy: '1.3.6.1.4.1.13762.3',
    });
    expect(Buffer.from(stamp.token).includes(data)).toBe(true);
  });

  it.each([
    ['RSA-PSS', good, { signature: 'rsaPss' as const }],
    ['RSA without a named hash', good, { signature: 'rsaEncryption' as const }],
    ['ECDSA', makeTestAuthority({ now }), {}],
    ['a certificate named by SHA-1 (RFC 2634)', good, { signingCertificate: 1 as const }],
    ['"granted with modifications"', good, { status: 1 }],
    ['a clock five minutes fast', good, { time: later(5 * MINUTE) }],
    ['a clock five minutes slow', good, { time: later(-5 * MINUTE) }],
  ])('a token is accepted from an authority that uses %s', async (_, tsa, misbehaviour: Misbehaviour) => {
    await expect(ask(tsa, misbehaviour)).resolves.toMatchObject({ time: misbehaviour.time ?? now });
  });

  it('a token is accepted from an authority with a CA between it and the pinned root', async () => {
    const root = makeDemoCa(now, 'TSA root');
    const tsa = makeTestAuthority({ now, ca: makeDemoCa(now, 'TSA issuing CA', { issuer: root }) });
    await expect(ask(tsa, {}, { caPem: pem(root.certificate) })).resolves.toMatchObject({ time: now });
  });

  it('certificates that belong to no other are taken out of a token, since the page at /verify does not judge one with them', async () => {
    const root = makeDemoCa(now, 'TSA root');
    const ca = makeDemoCa(now, 'TSA issuing CA', { issuer: root });
    const leaf = issueDemo({
      commonName: 'TSA',
      now,
      years: 5,
      issuer: ca,
      extensions: [
        extensions.keyUsage('digitalSignature'),
        extensions.extendedKeyUsage(true, OIDS.timeStamping),
      ],
    });
    const own = [leaf, ca, root].map(({ certificate }) => certificate);
    const strays = ['Other', 'TSA root'].map((name) => makeDemoCa(now, name).certificate);
    const signer = { ...leaf, issuers: [...strays, ...own, ca.certificate] };
    const caPem = pem(root.certificate);
    const { token } = await ask(makeTestAuthority({ now, signer }), {}, { caPem });
    const kept = readSignedData(decode(token)).certificates.map(({ raw }) => hex(raw));
    expect(kept.toSorted()).toEqual(own.map(hex).toSorted());
    expect(verifyToken(token, data, certificatesOfPem(caPem)).time).toEqual(now);
  });

  it('a token without such certificates stays as it was', async () => {
    let answered = Buffer.alloc(0);
    const answers: typeof fetch = async (url, init) => {
      answered = Buffer.from(await (await fetchOf(good)(url, init)).arrayBuffer());
      return new Response(new Uint8Array(answered));
    };
    const { token } = await timestamper([good.authority], { ...options, fetch: answers })(data);
    expect(Buffer.from(token)).toEqual(Buffer.from(tokenOfResponse(answered)));
  });

  /** A value without its length, with two zeros at its end. */
  const inBer = (tag: number, ...parts: Uint8Array[]) =>
    Buffer.concat([Uint8Array.of(tag, 0x80), ...parts, Uint8Array.of(0, 0)]);
  const partsOf = (der: Uint8Array) => children(decode(der)).map(({ raw }) => Buffer.from(raw));
  /** As BouncyCastle writes a token, its content in parts. */
  function byBouncyCastle(token: Uint8Array): Buffer {
    const [type = NONE, wrapped = NONE] = partsOf(token);
    const [version = NONE, digests = NONE, content = NONE, ...others] = partsOf(partsOf(wrapped)[0] ?? NONE);
    const [contentType = NONE, holder = NONE] = partsOf(content);
    const inside = inBer(TAGS.sequence, contentType, inBer(contextTag(0), inBer(0x24, ...partsOf(holder))));
    const signedData = inBer(TAGS.sequence, version, digests, inside, ...others);
    return inBer(TAGS.sequence, type, inBer(contextTag(0), signedData));
  }
  const NONE = Buffer.alloc(0);

  it.each([
    [
      'without lengths in one with lengths',
      (token: Buffer) => sequence(sequence(integer(0)), byBouncyCastle(token)),
    ],
    [
      'without lengths in one without',
      (token: Buffer) => inBer(TAGS.sequence, sequence(integer(0)), byBouncyCastle(token)),
    ],
    [
      'of which the outermost value alone has no length',
      (token: Buffer) => sequence(sequence(integer(0)), inBer(TAGS.sequence, ...partsOf(token))),
    ],
  ])('a token %s is taken, and embedded in DER', async (_, write) => {
    let inDer = NONE;
    const answers: typeof fetch = async (url, init) => {
      const answer = new Uint8Array(await (await fetchOf(good)(url, init)).arrayBuffer());
      inDer = Buffer.from(tokenOfResponse(answer));
      return new Response(new Uint8Array(write(inDer)));
    };
    const stamp = await timestamper([good.authority], { ...options, fetch: answers })(data);
    expect(Buffer.from(stamp.token)).toEqual(inDer);
  });

  it('a token under the requested policy is accepted', async () => {
    await expect(ask(good, { policy: '1.2.3' }, { policyOid: '1.2.3' })).resolves.toMatchObject({
      policy: '1.2.3',
    });
  });
});

describe('refused timestamps', () => {
  const otherHash = createHash('sha256').update('other').digest();
  const signerWith = (...parts: Buffer[]) => makeTestAuthority({ now, signerExtensions: parts });
  const stamping = (critical: boolean, ...more: string[]) =>
    extensions.extendedKeyUsage(critical, OIDS.timeStamping, ...more);

  it.each([
    ['a refusal', good, { status: 2 }, 'refused (status 2)'],
    ['a wrong imprint', good, { imprint: otherHash }, 'imprint'],
    ['a wrong nonce', good, { nonce: integer(7) }, 'nonce'],
    ['no nonce', good, { nonce: null }, 'nonce'],
    ['a time after ours', good, { time: later(5 * MINUTE + 1_000) }, 'too far'],
    ['a time before ours', good, { time: later(-5 * MINUTE - 1_000) }, 'too far'],
    [
      'a certificate that has ended since',
      makeTestAuthority({ now: later(-MINUTE), years: 0 }),
      { time: later(-2 * MINUTE) },
      'not valid now',
    ],
    ['a wrong signature', good, { signature: 'broken' as const }, 'signature is wrong'],
    ['a second hash in its signature', good, { signature: 'sha512' as const }, 'two digest algorithms'],
    ['a hash that it does not list', good, { listedDigest: OIDS.sha512 }, 'two digest algorithms'],
    ['no name of its certificate', good, { signingCertificate: 'none' as const }, 'does not name'],
    [
      'the name of another certificate',
      good,
      { signingCertificate: 'other' as const },
      'another certificate',
    ],
    ['no certificate', good, { omitCertificates: true }, "the signer's certificate is missing"],
    ['a key for e-mail too', signerWith(stamping(true, OIDS.emailProtection)), {}, 'timestamps alone'],
    ['an extended key usage that is not critical', signerWith(stamping(false)), {}, 'timestamps alone'],
    ['no extended key usage', signerWith(extensions.keyUsage('digitalSignature')), {}, 'timestamps alone'],
    [
      'a key that may not sign',
      signerWith(extensions.keyUsage('keyCertSign'), stamping(true)),
      {},
      'may not sign',
    ],
    [
      'an expired certificate',
      makeTestAuthority({ now: later(-5 * DAY), years: 0 }),
      { time: now },
      'not valid at the time',
    ],
  ])('a token is refused with %s', async (_, tsa, misbehaviour, told) => {
    expect(await faultOf(ask(tsa, misbehaviour))).toContain(told);
  });

  it.each([
    [undefined, 'refused (status 2)'],
    ['030200 00', 'refused (status 2)'],
    ['0300', 'refused (status 2)'],
    ['0304 01 000000', 'refused (status 2)'],
    ['0302 05 20', 'refused (status 2, it does not allow such a request)'],
    ['0303 00 0001', 'refused (status 2, it does not have the policy)'],
    ['0303 00 0002', 'refused (status 2, it has no time)'],
    [
      '0305 06 84000040',
      'refused (status 2, it does not know the hash, it cannot read the request, it has a fault)',
    ],
  ])('a refusal with the failure bits %s is told as "%s"', async (bits, told) => {
    const words = sequence(encode(TAGS.utf8String, Buffer.from('user ann, password hidden')));
    const failure = Buffer.from((bits ?? '').replaceAll(' ', ''), 'hex');
    const refuse: typeof fetch = async () =>
      new Response(new Uint8Array(sequence(sequence(integer(2), words, failure))));
    const fault = await faultOf(timestamper([good.authority], { ...options, fetch: refuse })(data));
    expect(fault).toContain(told);
    expect(fault).not.toContain('hidden');
  });

  it('a token is refused from an authority whose RSA key has less than 2,048 bits', async () => {
    const ca = makeDemoCa(now, 'CA', { algorithm: 'rsa' });
    const weak = makeTestAuthority({ now, ca, signer: issueByForge(ca, { bits: 1024, digest: 'sha256' }) });
    expect(await faultOf(ask(weak))).toContain('too weak');
  });

  it.each([
    ['rsa', 2048, true],
    ['rsa', 1024, false],
    ['prime256v1', 256, true],
    ['secp384r1', 384, true],
    ['secp521r1', 521, true],
    ['secp224r1', 224, false],
  ])('a key of type %s with %i bits is strong: %s', (type, bits, strong) => {
    const { publicKey } =
      type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: bits })
        : generateKeyPairSync('ec', { namedCurve: type });
    expect(isStrongKey(readPublicKey(decode(publicKey.export({ type: 'spki', format: 'der' }))))).toBe(
      strong,
    );
  });

  it('a token is refused from an authority whose certificate is signed with SHA-1, unless it is pinned itself', async () => {
    const ca = makeDemoCa(now, 'CA', { algorithm: 'rsa' });
    const signer = issueByForge(ca, { bits: 2048, digest: 'sha1' });
    const weak = makeTestAuthority({ now, ca, signer });
    expect(await faultOf(ask(weak))).toContain('strong signatures');
    await expect(ask(weak, {}, { caPem: pem(signer.certificate) })).resolves.toMatchObject({ time: now });
  });

  it('a token is refused if a CA between was not valid at the time', async () => {
    const root = makeDemoCa(now);
    const past = later(-30 * 365 * DAY);
    const tsa = makeTestAuthority({ now, ca: makeDemoCa(past, 'Expired issuing CA', { issuer: root }) });
    expect(await faultOf(ask(tsa, {}, { caPem: pem(root.certificate) }))).toContain('pinned root');
  });

  it('a token that does not chain to a pinned root is refused', async () => {
    const stranger = makeTestAuthority({ now });
    expect(await faultOf(ask(stranger, {}, { caPem: good.authority.caPem }))).toContain('pinned root');
    expect(await faultOf(ask(stranger, {}, { caPem: '' }))).toContain('pinned root');
  });

  it('a token under another policy than the requested one is refused', async () => {
    expect(await faultOf(ask(good, { policy: '1.2.4' }, { policyOid: '1.2.3' }))).toContain('policy 1.2.4');
  });

  it('a replayed token is refused', async () => {
    let first: Buffer | undefined;
    const replay: typeof fetch = async (_url, init) => {
      if (init?.body instanceof Uint8Array) first ??= good.answer(init.body);
      return new Response(new Uint8Array(first ?? []));
    };
    const stamp = timestamper([good.authority], { ...options, fetch: replay });
    await expect(stamp(data)).resolves.toMatchObject({ time: now });
    expect(await faultOf(stamp(data))).toContain('nonce');
    expect(await faultOf(stamp(Buffer.from('other')))).toContain('imprint');
  });

  const TST_INFO = oid(OIDS.tstInfo).toString('hex');
  /** An imprint of 32 bytes up to its bytes. */
  const imprintBy = (digest: string) => `300d${oid(digest).toString('hex')}05000420`;
  const IMPRINT = imprintBy(OIDS.sha256);

  it.each([
    ['another content', TST_INFO, TST_INFO.replace(/04$/, '05'), 'no timestamp inside'],
    ['another version', '02010106082b', '02010206082b', 'unknown version'],
    ['a stronger imprint', IMPRINT, imprintBy(OIDS.sha512), 'is not SHA-256'],
    ['a weak imprint', IMPRINT, imprintBy(OIDS.sha224), 'weak or unknown'],
  ])('a token is refused that claims %s', async (_, bytes, others, told) => {
    const claim: typeof fetch = async (url, init) => {
      const answer = Buffer.from(await (await fetchOf(good)(url, init)).arrayBuffer()).toString('hex');
      expect(answer).toContain(bytes);
      return new Response(Buffer.from(answer.replace(bytes, others), 'hex'));
    };
    expect(await faultOf(timestamper([good.authority], { ...options, fetch: claim })(data))).toContain(told);
  });

  const serial = (...bytes: number[]) => encode(TAGS.integer, Uint8Array.of(...bytes));
  const accuracy = (...parts: Uint8Array[]) => sequence(...parts);
  const milliseconds = (...bytes: number[]) => encode(0x80, Uint8Array.of(...bytes));
  const microseconds = (...bytes: number[]) => encode(0x81, Uint8Array.of(...bytes));
  const isOrdered = encode(TAGS.boolean, Uint8Array.of(0xff));
  const named = encode(contextTag(0), encode(contextTag(4), sequence()));
  /** A token with another serial number, and other optional fields around its nonce. */
  const withFields =
    (other: Uint8Array, before: Uint8Array[] = [], after: Uint8Array[] = []) =>
    (tstInfo: Uint8Array) => {
      const [version, policy, imprint, , time, , nonce] = childrenOf(decode(tstInfo), TAGS.sequence).map(
        ({ raw }) => raw,
      );
      const fields = [version, policy, imprint, other, time, ...before, nonce, ...after];
      return sequence(...fields.flatMap((field) => field ?? []));
    };

  it.each([
    ['no optional field but the nonce', withFields(serial(1))],
    ['a negative serial number', withFields(serial(0x80, 1))],
    ['a serial number of 21 bytes', withFields(integer(Buffer.alloc(21, 9)))],
    ['an accuracy of half a second', withFields(serial(1), [accuracy(milliseconds(1, 0xf4))])],
    ['an accuracy of a microsecond', withFields(serial(1), [accuracy(integer(0), microseconds(1))])],
    ['an empty accuracy', withFields(serial(1), [accuracy()])],
    ['every optional field', withFields(serial(1), [accuracy(integer(1)), isOrdered], [named])],
  ])('a token is accepted that has %s', async (_, content) => {
    await expect(ask(good, { content })).resolves.toMatchObject({ time: now });
  });

  it.each([
    ['a serial number with a needless zero', withFields(serial(0, 1))],
    ['a negative serial number with a needless byte', withFields(serial(0xff, 0x80))],
    ['a serial number without a byte', withFields(serial())],
    ['an accuracy with a needless zero', withFields(serial(1), [accuracy(serial(0, 1))])],
    ['an accuracy of no milliseconds', withFields(serial(1), [accuracy(integer(1), milliseconds(0))])],
    ['an accuracy of 1,000 milliseconds', withFields(serial(1), [accuracy(milliseconds(3, 0xe8))])],
    ['an accuracy whose parts are exchanged', withFields(serial(1), [accuracy(microseconds(1), integer(1))])],
    ['an accuracy after the nonce', withFields(serial(1), [], [accuracy(integer(1))])],
    ['an unknown field', withFields(serial(1), [], [encode(contextTag(5), sequence())])],
    ['a field twice', withFields(serial(1), [isOrdered, isOrdered])],
  ])('a token is refused that EU DSS or OpenSSL cannot read, with %s', async (_, content) => {
    expect(await faultOf(ask(good, { content }))).toContain('not all programs read');
  });

  it.each([
    ['the time and imprint', () => 130],
    ['the signed attributes', (length: number) => length - 300],
    ['the signature', (length: number) => length - 20],
  ])('a token is refused with a bit changed in %s', async (_, place) => {
    const flip: typeof fetch = async (url, init) => {
      const answer = new Uint8Array(await (await fetchOf(good)(url, init)).arrayBuffer());
      const at = place(answer.length);
      answer[at] = (answer[at] ?? 0) ^ 1;
      return new Response(answer);
    };
    await faultOf(timestamper([good.authority], { ...options, fetch: flip })(data));
  });
});
