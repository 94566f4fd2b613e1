import { readCertificates, readExpected } from '../../../client/verifier/certificates.ts';
import { Checks } from '../../../client/verifier/checks.ts';
import { Prover } from '../../../client/verifier/proofs.ts';
import type { FindingCode, Lasting } from '../../../client/verifier/report.ts';
import { verifyPdf } from '../../../client/verifier/verify.ts';
import { readCertificate } from '../../../shared/sealing/certificate.ts';
import { addDocumentTimestamp } from '../../../shared/sealing/long-term/document-timestamp.ts';
import { type Store, storeIncrement, storeOf } from '../../../shared/sealing/long-term/dss.ts';
import { readRevocationList } from '../../../shared/sealing/long-term/list-claim.ts';
import { prover } from '../../../shared/sealing/long-term/prove.ts';
import { renew } from '../../../shared/sealing/long-term/renew.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { type DemoIdentity, pem } from '../../support/demo-keys.ts';
import { LIMITED_CHAINS, limitedChain } from '../../support/limited-chains.ts';
import { Pki, plainRetrieve } from '../../support/pki/pki.ts';
import { revocationList } from '../../support/pki/revocation-list.ts';
import { sealAt } from '../../support/pki/seal-at.ts';
import { only } from '../../support/requests.ts';
import { flipped } from '../../support/tampering.ts';
import { makeTestAuthority, timestamperOf } from '../../support/timestamp-authority.ts';
import { craft, ONE_PAGE, revise } from '../sealing/craft.ts';
import { now, sealIt } from '../sealing/sealing-kit.ts';

const ORIGINAL = craft({ objects: ONE_PAGE });
const inYears = (count: number) => new Date(now.getTime() + count * 365.25 * 86_400_000);

let pki: Pki;
beforeAll(async () => {
  pki = await Pki.open(now);
});
afterAll(() => pki.close());
beforeEach(() => {
  pki.repair();
  pki.now = now;
});

const trusted = () => pem(pki.seal.certificate) + pem(pki.root.certificate);

async function verify(bytes: Uint8Array, { at = now, trust = '' } = {}) {
  const report = await verifyPdf(bytes, { expected: await readExpected(trust), now: at });
  const codes: FindingCode[] = report.findings.map(({ code }) => code);
  return { report, codes, lasting: report.signatures.find(({ kind }) => kind === 'signature')?.lasting };
}

const lastingOf = async (bytes: Uint8Array, at = now): Promise<Lasting | null | undefined> =>
  (await verify(bytes, { at })).lasting;

const endOf = (certificate: Uint8Array): string => readCertificate(certificate).notAfter.toISOString();
const authorityEnd = () => endOf(pki.authority.certificate);

/** A seal with its timestamp alone, by the certificates of the PKI. */
const sealAtBT = async () => (await sealAt(pki, 'B-T', ORIGINAL)).bytes;

/** The proofs of both chains as they are now, in the clock of the PKI. */
async function proofsNow(signer = pki.authority): Promise<Store> {
  const prove = prover(plainRetrieve, () => pki.now);
  const chain = [pki.seal, pki.seals, pki.root].map(({ certificate }) => readCertificate(certificate));
  const authority = [signer, pki.timestamps, pki.root].map(({ certificate }) => readCertificate(certificate));
  const proved = [chain, authority].map((certificates) => prove({ certificates, anchors: [] }));
  return storeOf(await Promise.all(proved));
}

const withStore = (bytes: Uint8Array, store: Store) => Buffer.concat([bytes, storeIncrement(bytes, store)]);

async function stamped(bytes: Uint8Array, signer = pki.authority): Promise<Buffer> {
  const tsa = makeTestAuthority({ now: pki.now, ca: pki.root, signer });
  const timestamp = timestamperOf(tsa, () => pki.now);
  return (await addDocumentTimestamp(new HashedOriginal(bytes), timestamp)).file.bytes;
}

async function renewed(bytes: Uint8Array, years: number): Promise<Buffer> {
  pki.now = inYears(years);
  const signer = pki.issueAuthority('Next authority', 15);
  const tsa = makeTestAuthority({ now: pki.now, ca: pki.root, signer });
  const clock = () => pki.now;
  return renew(bytes, {
    prove: prover(plainRetrieve, clock),
    timestamp: timestamperOf(tsa, clock),
    anchors: [readCertificate(pki.root.certificate)],
  });
}

describe('the level that a file proves', () => {
  it('is B-T for a seal with a timestamp, until the certificate of its authority ends', async () => {
    const { bytes } = await sealIt(ORIGINAL);
    const { lasting, report } = await verify(bytes);
    expect(lasting).toEqual({ level: 'B-T', until: report.signatures[0]?.timestamp?.authority.notAfter });
  });

  it.each(['B-LT', 'B-LTA'] as const)('is %s for a seal that was made so', async (level) => {
    const { bytes } = await sealAt(pki, level, ORIGINAL);
    expect(await lastingOf(bytes)).toEqual({ level, until: authorityEnd() });
  });

  it('is the same for those who expect the sealer and its authority', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL);
    const { lasting, report } = await verify(bytes, { trust: trusted() });
    expect(lasting?.level).toBe('B-LTA');
    expect(report.verdict).toBe('green');
  });

  it('is B-LT by lists, by delegates, and by proofs that are newer than the seal', async () => {
    for (const ca of ['seals', 'timestamps'] as const)
      pki.break(ca, 'ocsp', { responder: pki.issueResponder(ca) });
    expect(await lastingOf((await sealAt(pki, 'B-LT', ORIGINAL)).bytes)).toMatchObject({ level: 'B-LT' });
    for (const ca of ['root', 'seals', 'timestamps'] as const) pki.break(ca, 'ocsp', { status: 503 });
    expect(await lastingOf((await sealAt(pki, 'B-LT', ORIGINAL)).bytes)).toMatchObject({ level: 'B-LT' });
    pki.repair();
    const bytes = await sealAtBT();
    pki.now = inYears(1);
    const later = withStore(bytes, await proofsNow());
    expect(await lastingOf(later, inYears(1.1))).toMatchObject({ level: 'B-LT' });
    // On the day of the seal nobody can know it.
    expect(await lastingOf(later)).toMatchObject({ level: 'B-T' });
  });

  it('lasts until the end of the last timestamp after each renewal', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL);
    const once = await renewed(bytes, 9.5);
    const { lasting, codes, report } = await verify(once, { at: inYears(12), trust: trusted() });
    expect(new Date(lasting?.until ?? 0).getTime()).toBeGreaterThan(inYears(24).getTime());
    expect(lasting?.level).toBe('B-LTA');
    expect(codes).not.toContain('authority_expired');
    expect(report.verdict).toBe('green');
    // Nobody vouches for the newer authority, so it stands for no other one.
    expect((await verify(once, { at: inYears(12) })).codes).toContain('authority_expired');
    // Without the renewal it is over.
    const alone = await verify(bytes, { at: inYears(12), trust: trusted() });
    expect(alone.report.findings.filter(({ code }) => code === 'authority_expired')).toMatchObject([
      { signature: 0 },
      { signature: 1 },
    ]);
    expect(alone.lasting).toEqual({ level: 'B-LTA', until: authorityEnd() });
  });
});

it('a document with a key twice, as LaTeX writes it, is green at B-LT', async () => {
  const twice = '<</Type /Catalog /Pages 2 0 R /PageMode /UseNone /PageMode /UseOutlines>>';
  const { bytes } = await sealAt(pki, 'B-LT', craft({ objects: { ...ONE_PAGE, 1: twice } }));
  expect((await verify(bytes, { trust: trusted() })).report.verdict).toBe('green');
});

describe('a form whose fields the seal locks', () => {
  const LOOK = '<</Type /XObject /Subtype /Form /BBox [0 0 50 20] /Length 3>>\nstream\n0 g\nendstream';
  const form = (style: 'table' | 'stream') =>
    craft({
      style,
      objects: {
        ...ONE_PAGE,
        1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [20 0 R]>>>>',
        20: '<</Type /Annot /Subtype /Widget /T (Price) /Rect [0 0 50 20] /FT /Tx /V (100) /AP <</N 21 0 R>>>>',
        21: LOOK,
      },
    });

  it.each([
    ['B-LT', 'table'],
    ['B-LT', 'stream'],
    ['B-LTA', 'table'],
    ['B-LTA', 'stream'],
  ] as const)('is green at %s, since the seal writes the look of each again (%s)', async (level, style) => {
    const { bytes } = await sealAt(pki, level, form(style));
    expect(bytes.toString('latin1').split('21 0 obj')).toHaveLength(3);
    const { report, codes } = await verify(bytes, { trust: trusted() });
    expect(codes).not.toContain('locked_before');
    expect(report.verdict).toBe('green');
  });

  it('stays green when it is renewed', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', form('table'));
    const { report } = await verify(await renewed(bytes, 9.5), { at: inYears(12), trust: trusted() });
    expect(report.findings.filter(({ level }) => level !== 'green')).toEqual([]);
  });

  it('is red once a field shows something else, and what is sealed at B-T is as it was', async () => {
    const { bytes } = await sealAt(pki, 'B-LT', form('table'));
    const changed = revise(bytes, {
      objects: { 21: LOOK.replace('0 g', '1 g') },
      trailer: `/Root ${/\/Root (\d+ 0 R)/.exec(bytes.toString('latin1'))?.[1]}`,
      size: 200,
    });
    expect((await verify(changed, { trust: trusted() })).codes).toContain('changed_after');
    const { bytes: plain } = await sealAt(pki, 'B-T', form('table'));
    expect(plain.toString('latin1').split('21 0 obj')).toHaveLength(2);
    expect((await verify(withStore(plain, await proofsNow()))).codes).toContain('locked_before');
  });

  it('keeps its many looks as they are, rather than grow without bound', async () => {
    const large = craft({
      objects: {
        ...ONE_PAGE,
        1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [20 0 R]>>>>',
        20: '<</Type /Annot /Subtype /Widget /T (Price) /Rect [0 0 50 20] /FT /Tx /V (100) /AP <</N 21 0 R>>>>',
        21: `<</Type /XObject /Subtype /Form /BBox [0 0 50 20] /Length 1100000>>\nstream\n${' '.repeat(1_100_000)}\nendstream`,
      },
    });
    const { bytes } = await sealAt(pki, 'B-LT', large);
    expect(bytes.length).toBeLessThan(large.length + 200_000);
    expect((await verify(bytes, { trust: trusted() })).codes).toContain('locked_before');
  });
});

describe('a chain', () => {
  const read = ({ certificate }: DemoIdentity) => only(readCertificates([certificate]));

  const listsNow = () => Promise.all(['seals', 'root'].map((ca) => plainRetrieve(`${pki.url}/${ca}/list`)));

  /** Whether lists prove it that end at a place of the file, as issuers do; all must end at 1. */
  async function isProved(
    identity: DemoIdentity,
    {
      issuers = [pki.seals, pki.root],
      listsEnd = 1,
      issuersEnd = 1,
      at = now,
      named,
      lists,
      checks = new Checks(),
    }: Partial<Parts> = {},
  ): Promise<boolean> {
    const store = {
      certificates: issuers.map((issuer) => ({ item: read(issuer), end: issuersEnd })),
      answers: [],
      lists: (lists ?? (await listsNow())).map((der) => ({ item: readRevocationList(der), end: listsEnd })),
    };
    const expected = await readExpected(named ? pem(named.certificate) : '');
    return new Prover(store, expected, checks).proves(
      { certificate: read(identity), others: [] },
      { at, latest: now, end: 1 },
    );
  }
  interface Parts {
    issuers: DemoIdentity[];
    listsEnd: number;
    issuersEnd: number;
    at: Date;
    named: DemoIdentity;
    lists: Uint8Array[];
    checks: Checks;
  }

  it('is proved by lists and issuers that end before the place that stands for them, and no others', async () => {
    expect(await isProved(pki.seal)).toBe(true);
    expect(await isProved(pki.seal, { listsEnd: 2 })).toBe(false);
    expect(await isProved(pki.seal, { issuersEnd: 2 })).toBe(false);
  });

  it('is not proved by whoever expects its own certificate', async () => {
    expect(await isProved(pki.seal, { listsEnd: 2, named: pki.seal })).toBe(false);
  });

  it('is not proved by a part of its proofs, once all would take too many steps', async () => {
    const good = await listsNow();
    pki.setStanding(pki.seal, { revokedAt: inYears(-0.1), reason: 1 });
    const lists = [...good, ...(await listsNow())];
    for (let left = 0; left < 12; left += 1) {
      const checks = new Checks();
      checks.maySpend(2_000 - left);
      const proved = await isProved(pki.seal, { lists, checks, named: pki.seals });
      expect({ left, proved }).toEqual({ left, proved: false });
    }
  });

  it.each(LIMITED_CHAINS)('with %s is proved only if that allows it: %s', async (_, holds, limits) => {
    const { identity, authorities } = limitedChain(now, limits);
    const lists = authorities.map(({ certificate, privateKey }) =>
      revocationList({ certificate, key: privateKey }, [], now),
    );
    expect(await isProved(identity, { issuers: authorities, lists })).toBe(holds);
  });

  it('ends with its root', async () => {
    expect(await isProved(pki.root)).toBe(true);
    expect(await isProved(pki.root, { at: inYears(50) })).toBe(false);
  });
});

describe('a level is never claimed for a file', () => {
  it('whose proofs are of other certificates', async () => {
    const other = await Pki.open(now, 'Other ');
    try {
      const { bytes } = await sealAt(other, 'B-LT', ORIGINAL);
      const proofs = await proofsNow();
      const own = await sealAtBT();
      expect(await lastingOf(withStore(own, proofs))).toMatchObject({ level: 'B-LT' });
      expect(await lastingOf(withStore(own, { ...proofs, OCSPs: [] }))).toMatchObject({ level: 'B-T' });
      const foreign = { ...proofs, OCSPs: [bytes.subarray(0, 10)], CRLs: [Buffer.from('3000', 'hex')] };
      expect(await lastingOf(withStore(own, foreign))).toMatchObject({ level: 'B-T' });
      const { bytes: theirs } = await sealAt(other, 'B-T', ORIGINAL);
      expect(await lastingOf(withStore(theirs, proofs))).toMatchObject({ level: 'B-T' });
    } finally {
      await other.close();
    }
  });

  it('that lacks the proof of any one certificate', async () => {
    const own = await sealAtBT();
    const proofs = await proofsNow();
    expect(proofs.OCSPs.length).toBeGreaterThan(3);
    for (const left of proofs.OCSPs) {
      const OCSPs = proofs.OCSPs.filter((each) => each !== left);
      expect(await lastingOf(withStore(own, { ...proofs, OCSPs }))).toMatchObject({ level: 'B-T' });
    }
  });

  it('with any changed byte of its proofs that says something', async () => {
    const own = await sealAtBT();
    const proofs = await proofsNow();
    const whole = withStore(own, proofs);
    for (const answer of proofs.OCSPs) {
      const at = whole.indexOf(answer);
      // The signed part, and the end of the signature: other bytes hold lengths.
      for (const place of [60, 90, 120, answer.length - 1]) {
        const { lasting } = await verify(flipped(whole, at + place));
        expect(lasting?.level ?? 'B-T').toBe('B-T');
      }
    }
  });

  it.each([
    ['a revocation before its timestamp', -0.1, 1, null],
    ['a revocation after its timestamp', 0.1, 1, { level: 'B-T' }],
    ['a suspension', -0.1, 6, { level: 'B-T' }],
  ])('that also holds a proof of the opposite: %s', async (_, revokedAt, reason, level) => {
    const own = await sealAtBT();
    const proofs = await proofsNow();
    pki.setStanding(pki.seal, { revokedAt: inYears(revokedAt), reason });
    const list = await plainRetrieve(`${pki.url}/seals/list`);
    const { codes, lasting } = await verify(withStore(own, { ...proofs, CRLs: [list] }));
    expect(codes.includes('certificate_not_valid')).toBe(level === null);
    if (level === null) expect(lasting).toBeNull();
    else expect(lasting).toMatchObject(level);
  });

  it('whose document timestamp covers no proofs, or was set after the end of the one before', async () => {
    const own = await sealAtBT();
    expect(await lastingOf(await stamped(own))).toMatchObject({ level: 'B-T' });
    const proofs = await proofsNow();
    // The proofs came after the document timestamp.
    expect(await lastingOf(withStore(await stamped(own), proofs))).toMatchObject({ level: 'B-LT' });
    const { bytes } = await sealAt(pki, 'B-LT', ORIGINAL);
    pki.now = inYears(11);
    const lateAuthority = pki.issueAuthority('Late authority', 5);
    const late = withStore(await stamped(bytes, lateAuthority), await proofsNow(lateAuthority));
    expect(await lastingOf(late, inYears(11.1))).toEqual({ level: 'B-LT', until: authorityEnd() });
  });

  it('of which the document timestamp was set before the seal', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL);
    const again = await sealAt(pki, 'B-T', bytes);
    const { report } = await verify(again.bytes);
    expect(report.signatures.map(({ lasting }) => lasting?.level)).toEqual(['B-LTA', undefined, 'B-LT']);
  });

  it('whose document timestamp is broken, or by an authority that nothing proves', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL);
    const token = bytes.lastIndexOf('/Contents <') + 1_000;
    const broken = Buffer.from(bytes);
    broken.write(broken.toString('latin1', token, token + 1) === 'a' ? 'b' : 'a', token, 'latin1');
    expect((await verify(broken)).lasting?.level).not.toBe('B-LTA');
    const { bytes: proved } = await sealAt(pki, 'B-LT', ORIGINAL);
    const unproved = await stamped(proved, pki.issueAuthority('Unproved authority'));
    expect(await lastingOf(unproved)).toMatchObject({ level: 'B-LT' });
  });

  it('that was changed since', async () => {
    for (const level of ['B-LT', 'B-LTA'] as const) {
      const { bytes } = await sealAt(pki, level, ORIGINAL);
      const changed = revise(bytes, {
        objects: { 90: '(more)' },
        trailer: `/Root ${/\/Root (\d+ 0 R)/.exec(bytes.toString('latin1'))?.[1]}`,
        size: 200,
      });
      expect(await verify(changed)).toMatchObject({ lasting: null, report: { verdict: 'red' } });
    }
  });

  it('however the part after the seal is damaged, and no damage is an error', async () => {
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL);
    const from = bytes.indexOf('%%EOF\n', ORIGINAL.length) + 6;
    const token = bytes.lastIndexOf('/Contents <');
    for (let at = from; at < token; at += 211) {
      const { lasting, report } = await verify(flipped(bytes, at), { trust: trusted() });
      const isClaimed = report.verdict === 'green' || lasting?.level === 'B-LTA';
      expect({ at, isClaimed }).toEqual({ at, isClaimed: false });
    }
  });
});
