import { jest } from '@jest/globals';
import forge from 'node-forge';
import { readCertificate } from '../../../shared/sealing/certificate.ts';
import { encode, octetString, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import { addressesOf } from '../../../shared/sealing/long-term/addresses.ts';
import { buildChain, chainOf } from '../../../shared/sealing/long-term/chain.ts';
import { proveFrom, prover } from '../../../shared/sealing/long-term/prove.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';
import { type DemoIdentity, extensions, issueDemo, makeDemoCa, pem } from '../../support/demo-keys.ts';
import { limitedChain } from '../../support/limited-chains.ts';
import { Pki, p7c, plainRetrieve } from '../../support/pki/pki.ts';
import { withoutLengths } from '../../support/tampering.ts';
import { now } from './sealing-kit.ts';
import { twinsOf } from './twins.ts';

let pki: Pki;
beforeAll(async () => {
  pki = await Pki.open(now, '', 'rsa');
});
afterAll(() => pki.close());
beforeEach(() => pki.repair());

const read = ({ certificate }: { certificate: Uint8Array }) => readCertificate(certificate);
const subjects = (chain: readonly ReturnType<typeof read>[]) =>
  chain.map(({ x509 }) => /CN=(.*)/.exec(x509.subject)?.[1]);
const known = (...certificates: ReturnType<typeof read>[]) => ({ certificates, anchors: [] });
const build = (...certificates: ReturnType<typeof read>[]) =>
  buildChain(known(...certificates), now, plainRetrieve);
const WHOLE = ['Demo Seal', 'Seal CA', 'Root'];

describe('a chain', () => {
  it('is built from the certificates at hand without a call', async () => {
    const before = pki.requests;
    expect(subjects(await build(read(pki.seal), read(pki.root), read(pki.seals)))).toEqual(WHOLE);
    expect(pki.requests).toBe(before);
  });

  it('is completed from the addresses in the certificates, each of which is asked once', async () => {
    const before = pki.requests;
    expect(subjects(await build(read(pki.seal)))).toEqual(WHOLE);
    expect(pki.requests - before).toBe(2);
  });

  it('is completed from a file with several certificates', async () => {
    pki.break('seals', 'issuer', { body: p7c(pki.timestamps.certificate, pki.seals.certificate) });
    expect(subjects(await build(read(pki.seal)))).toEqual(WHOLE);
  });

  it.each<[string, () => Uint8Array]>([
    ['with one that cannot be read', () => p7c(sequence(), pki.seals.certificate)],
    [
      'whose values have no length',
      () => withoutLengths(p7c(pki.timestamps.certificate, pki.seals.certificate)),
    ],
    ['in PEM', () => Buffer.from(`Seal CA\n${pem(pki.seals.certificate)}`)],
  ])('is completed from a file of certificates %s', async (_, body) => {
    pki.break('seals', 'issuer', { body: body() });
    expect(subjects(await build(read(pki.seal)))).toEqual(WHOLE);
  });

  it('is completed from the first ten certificates of a file alone', async () => {
    const others = Array.from({ length: 9 }, () => pki.timestamps.certificate);
    pki.break('seals', 'issuer', { body: p7c(...others, pki.seals.certificate) });
    expect(subjects(await build(read(pki.seal)))).toEqual(WHOLE);
    pki.break('seals', 'issuer', { body: p7c(...others, pki.timestamps.certificate, pki.seals.certificate) });
    await expect(build(read(pki.seal))).rejects.toThrow('no issuer of it');
  });

  it('ends at whichever pinned certificate it reaches', async () => {
    const anchors = [read(pki.timestamps), read(pki.seals)];
    const chain = await buildChain({ certificates: [read(pki.seal)], anchors }, now, plainRetrieve);
    expect(subjects(chain)).toEqual(WHOLE.slice(0, 2));
  });

  it('does not end at an authority that another of the same name issued', () => {
    const { certificates } = limitedChain(now, { authorities: ['Root'] });
    const chain = certificates.map(readCertificate);
    expect(chainOf(known(...chain), now)).toEqual({ chain, isWhole: true });
    expect(chainOf(known(...chain.slice(0, -1)), now)).toMatchObject({ isWhole: false });
  });

  it('is of six certificates at most', async () => {
    const chainWith = (count: number) =>
      limitedChain(now, { authorities: ['A', 'B', 'C', 'D', 'E'].slice(0, count) }).certificates.map(
        readCertificate,
      );
    const longest = chainWith(4);
    expect(chainOf(known(...longest), now)).toEqual({ chain: longest, isWhole: true });
    const [leaf, ...issuers] = chainWith(5);
    if (leaf === undefined) throw new Error('no certificate');
    expect(chainOf(known(leaf, ...issuers), now)).toMatchObject({ isWhole: false });
    await expect(build(leaf, ...issuers)).rejects.toThrow('too long');
  });

  it('is searched for among the first fifty certificates', () => {
    const { certificates } = limitedChain(now, { authorities: [] });
    const [leaf, root] = certificates.map(readCertificate);
    if (leaf === undefined || root === undefined) throw new Error('no chain');
    const others = twinsOf(pki.timestamps, 50, pki.root).map(read);
    expect(chainOf(known(leaf, ...others.slice(1), root), now)).toMatchObject({ isWhole: true });
    expect(chainOf(known(leaf, ...others, root), now)).toMatchObject({ isWhole: false });
  });

  it('of no certificate is never proved', async () => {
    await expect(build()).rejects.toThrow('cannot be found');
  });

  it('never ends at a root that is not pinned, whatever certificates were sent along', async () => {
    const stranger = makeDemoCa(now, 'Stranger', { algorithm: 'rsa' });
    // The name and key of the true issuer, certified by somebody else: nobody needs its private key for that.
    const crossed = forge.pki.createCertificate();
    const genuine = forge.pki.certificateFromPem(pem(pki.timestamps.certificate));
    const root = forge.pki.certificateFromPem(pem(stranger.certificate));
    crossed.publicKey = genuine.publicKey;
    crossed.serialNumber = '0123';
    crossed.validity.notBefore = genuine.validity.notBefore;
    crossed.validity.notAfter = genuine.validity.notAfter;
    crossed.setSubject(genuine.subject.attributes);
    crossed.setIssuer(root.subject.attributes);
    crossed.setExtensions([
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ]);
    const key = stranger.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    crossed.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
    const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(crossed)).getBytes(), 'binary');
    const sent = [pki.authority, { certificate: der }, stranger, pki.timestamps].map(read);
    const chain = await buildChain({ certificates: sent, anchors: [read(pki.root)] }, now, plainRetrieve);
    expect(subjects(chain)).toEqual(['Authority', 'Timestamp CA', 'Root']);
  });

  it('is searched for in little time, however many ways lead through the certificates', () => {
    const issue = (commonName: string, issuer?: DemoIdentity) =>
      issueDemo({
        commonName,
        now,
        years: 5,
        extensions: [extensions.ca()],
        ...(issuer && { issuer }),
      });
    let last = issue('Root that was not sent');
    const sent = ['A', 'B', 'C', 'D'].flatMap((name) => {
      const issuer = last;
      last = issue(name, issuer);
      return twinsOf(last, 12, issuer);
    });
    const certificates = [issue('Leaf', last), ...sent].map(read);
    const spent = cpuTimeOf(() =>
      expect(chainOf({ certificates, anchors: [] }, now)).toMatchObject({ isWhole: false }),
    );
    expect(spent).toBeLessThan(1_000);
  });

  it.each<[string, Parameters<Pki['break']>[2], string]>([
    ['the address does not answer', { status: 404 }, 'HTTP 404'],
    ['something else is there', { body: Buffer.from('no certificate') }, 'cannot be read'],
    ['an empty file of certificates is there', { body: sequence() }, 'cannot be read'],
    ['a file of something else is there', { body: sequence(oid(OIDS.data)) }, 'no certificates'],
    ['the file is oversized', { body: Buffer.alloc(300_000) }, 'too long'],
  ])('is not built if %s', async (_, fault, told) => {
    pki.break('seals', 'issuer', fault);
    await expect(build(read(pki.seal))).rejects.toThrow(told);
  });

  it('is built around an issuer whose key cannot be used', async () => {
    const [rsa, unknown] = ['06092a864886f70d010101', '06092a864886f70d010163'];
    const hex = Buffer.from(pki.seals.certificate).toString('hex');
    expect(hex).toContain(rsa);
    const body = Buffer.from(hex.replace(rsa, unknown), 'hex');
    expect(chainOf(known(read(pki.seal), readCertificate(body)), now).chain).toHaveLength(1);
    pki.break('seals', 'issuer', { body });
    await expect(build(read(pki.seal))).rejects.toThrow('no issuer of it');
  });

  it('is not built from a certificate whose version is no number', async () => {
    const hex = Buffer.from(pki.seals.certificate).toString('hex');
    expect(hex).toContain('a003020102');
    pki.break('seals', 'issuer', { body: Buffer.from(hex.replace('a003020102', 'a003040102'), 'hex') });
    await expect(build(read(pki.seal))).rejects.toThrow('cannot be read (no X.509 certificate)');
  });

  it('is not built from an issuer of the same name with another key', async () => {
    pki.break('seals', 'issuer', { body: pki.timestamps.certificate });
    await expect(build(read(pki.seal))).rejects.toThrow('no issuer of it');
  });
});

describe('the proofs of a chain', () => {
  const prove = () =>
    prover(plainRetrieve, () => now)(known(read(pki.seal), read(pki.seals), read(pki.root)));

  it('are OCSP answers, one for each certificate but the root', async () => {
    expect((await prove()).proofs.map(({ kind }) => kind)).toEqual(['ocsp', 'ocsp']);
  });

  it('are taken from the list if the responder proves nothing', async () => {
    pki.break('seals', 'ocsp', { ocsp: { status: 2 } });
    expect((await prove()).proofs.map(({ kind }) => kind)).toEqual(['crl', 'ocsp']);
  });

  it('are not asked of the list once the responder says revoked', async () => {
    pki.setStanding(pki.seal, { revokedAt: now });
    const before = pki.counts.get('seals/list') ?? 0;
    await expect(prove()).rejects.toMatchObject({ code: 'certificate_revoked' });
    expect(pki.counts.get('seals/list') ?? 0).toBe(before);
  });

  it('are not waited for forever', async () => {
    const known = { certificates: [read(pki.seal), read(pki.seals), read(pki.root)], anchors: [] };
    const before = pki.requests;
    await expect(prover(plainRetrieve, () => now, 0)(known)).rejects.toThrow('took too long');
    expect(pki.requests).toBe(before);
  });

  it('have forty seconds for a whole chain, after which nothing more is asked', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(0);
    clock.mockReturnValue(39_999);
    expect((await prove()).proofs).toHaveLength(2);
    clock.mockReturnValueOnce(0).mockReturnValue(40_000);
    await expect(prove()).rejects.toThrow('took too long');
    clock.mockRestore();
  });

  it('name the certificate that could not be proved', async () => {
    for (const service of ['ocsp', 'list'] as const) pki.break('root', service, { status: 503 });
    await expect(prove()).rejects.toThrow(/CN=Seal CA.*HTTP 503/);
  });

  it('cannot be asked for if the certificate names no address', async () => {
    const { certificates } = limitedChain(now, { authorities: [] });
    const asked = prover(plainRetrieve, () => now)(known(...certificates.map(readCertificate)));
    await expect(asked).rejects.toThrow(/CN=Leaf: it names neither a responder nor a revocation list/);
  });

  it('a program error while asking for proofs is not reported as a missing proof', async () => {
    const defective = prover(
      () => Promise.reject(new TypeError('a defect')),
      () => now,
    );
    await expect(defective(known(read(pki.seal)))).rejects.toThrow(new TypeError('a defect'));
    await expect(defective(known(read(pki.seal), read(pki.seals), read(pki.root)))).rejects.toThrow(
      new TypeError('a defect'),
    );
  });

  it('name every address that failed', async () => {
    pki.break('root', 'ocsp', { ocsp: { digest: 'sha1' } });
    pki.break('root', 'list', { list: { brokenSignature: true } });
    await expect(prove()).rejects.toThrow(/weak or unknown.*signature is wrong/);
  });
});

describe('proofs at hand', () => {
  const whole = () => known(read(pki.seal), read(pki.seals), read(pki.root));
  const answers = async () => (await prover(plainRetrieve, () => now)(whole())).proofs;

  it('prove a chain in any order, besides others and by lists too', async () => {
    const byOcsp = await answers();
    pki.break('seals', 'ocsp', { status: 500 });
    for (const proofs of [byOcsp, byOcsp.toReversed(), await answers()])
      expect(
        proveFrom(whole(), proofs, now)
          .proofs.map(({ der }) => der)
          .toSorted(),
      ).toEqual(proofs.map(({ der }) => der).toSorted());
  });

  it('prove nothing if one of them, or a certificate, is missing', async () => {
    const [first] = await answers();
    expect(() => proveFrom(whole(), [], now)).toThrow('there is no proof');
    expect(() => proveFrom(whole(), first ? [first, first] : [], now)).toThrow(
      /^the answer is about another certificate$/,
    );
    expect(() => proveFrom(known(read(pki.seal)), [], now)).toThrow('a certificate of the chain is missing');
  });

  it('given proofs prove nothing after one that says revoked', async () => {
    const good = await answers();
    pki.setStanding(pki.seal, { revokedAt: now });
    const revoked = { kind: 'crl' as const, der: await plainRetrieve(pki.addressesOf('seals').list) };
    expect(() => proveFrom(whole(), [revoked, ...good], now)).toThrow('revoked since');
  });
});

describe('the addresses in a certificate', () => {
  const uri = (url: string, tag = 0x86) => encode(tag, Buffer.from(url));
  const named = (...names: Uint8Array[]) => encode(0xa0, encode(0xa0, ...names));
  const addressesWith = (id: string, value: Uint8Array) => {
    const extension = sequence(oid(id), octetString(value));
    const { certificate } = issueDemo({ commonName: 'Leaf', now, years: 1, extensions: [extension] });
    return addressesOf(readCertificate(certificate));
  };

  it('do not include lists that cover some reasons alone, or are by another issuer', () => {
    const points = sequence(
      sequence(named(uri('http://ca.test/some')), encode(0x81, Buffer.from([0x06, 0x40]))),
      sequence(named(uri('http://ca.test/indirect')), encode(0xa2, Buffer.from('0500', 'hex'))),
      sequence(named(uri('http://ca.test/all'))),
    );
    expect(addressesWith(OIDS.revocationLists, points).lists).toEqual(['http://ca.test/all']);
  });

  it('do not include lists without a whole name', () => {
    const points = sequence(
      sequence(),
      sequence(encode(0xa0, encode(0xa1, uri('http://ca.test/relative')))),
      sequence(encode(0xa3, encode(0xa0, uri('http://ca.test/unknown')))),
    );
    expect(addressesWith(OIDS.revocationLists, points).lists).toEqual([]);
  });

  it('are those on the web alone', () => {
    const names = [
      uri('ldap://ca.test/cn=ca'),
      uri('http://ca.test/name', 0x82),
      uri('file:///http://ca.test'),
      uri('http://ca.test:port'),
      uri('HTTPS://ca.test/list'),
    ];
    const points = sequence(sequence(named(...names)));
    expect(addressesWith(OIDS.revocationLists, points).lists).toEqual(['HTTPS://ca.test/list']);
  });

  it('are three of a kind at most', () => {
    const urls = [1, 2, 3, 4].map((number) => `http://ca.test/${number}`);
    const responders = sequence(...urls.map((url) => sequence(oid(OIDS.ocsp), uri(url))));
    expect(addressesWith(OIDS.authorityInformation, responders)).toEqual({
      ocsp: urls.slice(0, 3),
      issuers: [],
      lists: [],
    });
  });
});
