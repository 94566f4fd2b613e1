import { readCertificate } from '../../../shared/sealing/certificate.ts';
import { keptProver, longTermAt, renewProofs } from '../../../shared/stamping/kept-proofs.ts';
import { guardedRetrieve } from '../../../shared/stamping/retrieve.ts';
import { allProofs, keepProofs } from '../../../shared/store/proofs.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { Pki } from '../../support/pki/pki.ts';
import { revocationList } from '../../support/pki/revocation-list.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const START = new Date('2026-11-21T10:00:00Z');

let pki: Pki;
let table: MemoryDynamo['table'];
const now = () => pki.now;
const retrieve = guardedRetrieve({
  development: true,
  resolve: async () => [],
  deadline: () => AbortSignal.timeout(2_000),
});
const keeping = () => ({ table, retrieve, now });
const sealChain = () => ({
  certificates: [pki.seal, pki.seals, pki.root].map(({ certificate }) => readCertificate(certificate)),
  anchors: [],
});
const passMinutes = (minutes: number) => {
  pki.now = new Date(pki.now.getTime() + minutes * MINUTE);
};
const passHours = (hours: number) => passMinutes(60 * hours);

beforeAll(async () => {
  pki = await Pki.open(START);
});
afterAll(() => pki.close());
beforeEach(() => {
  pki.repair();
  pki.now = START;
  table = new MemoryDynamo().table;
});

describe('kept proofs', () => {
  it('serve the next seals of a function without a call, and those of another one', async () => {
    const prove = keptProver(keeping());
    const first = await prove(sealChain());
    const [before, kept] = [pki.requests, await allProofs(table)];
    passMinutes(9);
    expect(await prove(sealChain())).toBe(first);
    const elsewhere = await keptProver(keeping())(sealChain());
    // Written again, they would be renewed later.
    expect(await allProofs(table)).toEqual(kept);
    expect(elsewhere.proofs.map(({ der }) => Buffer.from(der))).toEqual(
      first.proofs.map(({ der }) => Buffer.from(der)),
    );
    expect(pki.requests).toBe(before);
  });

  it('are gathered anew by a seal that finds them at their end', async () => {
    const prove = keptProver(keeping());
    const first = await prove(sealChain());
    passHours(24);
    const second = await prove(sealChain());
    expect(second.proofs[0]?.until.getTime()).toBeGreaterThan(first.proofs[0]?.until.getTime() ?? 0);
    expect(await allProofs(table)).toMatchObject([{ until: second.proofs[0]?.until.toISOString() }]);
  });

  it('are gathered anew ten minutes before the first of them ends, so that it holds until the seal is made', async () => {
    const nextUpdate = new Date(START.getTime() + 2 * HOUR);
    pki.break('seals', 'ocsp', { ocsp: { nextUpdate } });
    const prove = keptProver(keeping());
    const first = await prove(sealChain());
    passMinutes(109);
    expect((await prove(sealChain())).proofs[0]?.until).toEqual(nextUpdate);
    pki.repair();
    passMinutes(2);
    const second = await prove(sealChain());
    expect(second.proofs[0]?.until.getTime()).toBeGreaterThan(nextUpdate.getTime());
    expect(second.proofs[1]?.until.getTime()).toBeGreaterThanOrEqual(first.proofs[1]?.until.getTime() ?? 0);
  });

  it('prove a chain only up to the certificates that are pinned now', async () => {
    const prove = keptProver(keeping());
    const [, seals, root] = sealChain().certificates;
    if (!seals || !root) throw new Error('The chain has three certificates.');
    const endOf = async (anchors: (typeof seals)[]) =>
      Buffer.from((await prove({ ...sealChain(), anchors })).chain.at(-1)?.der ?? []);
    expect(await endOf([root])).toEqual(Buffer.from(root.der));
    const before = pki.requests;
    expect(await endOf([seals, root])).toEqual(Buffer.from(root.der));
    expect(pki.requests).toBe(before);
    expect(await endOf([seals])).toEqual(Buffer.from(seals.der));
  });

  it('that an item has no room for serve their seal, and are not kept', async () => {
    const revoked = Array.from({ length: 3_700 }, (_, serial) => ({
      serialHex: (2n ** 126n + BigInt(serial)).toString(16),
      revokedAt: START,
    }));
    for (const ca of ['seals', 'root'] as const) {
      const { certificate, privateKey } = pki[ca];
      pki.break(ca, 'ocsp', { status: 404 });
      pki.break(ca, 'list', { body: revocationList({ certificate, key: privateKey }, revoked, START) });
    }
    expect((await keptProver(keeping())(sealChain())).proofs).toHaveLength(2);
    expect(await allProofs(table)).toEqual([]);
  });

  it('that were changed where they are kept are not used', async () => {
    await keptProver(keeping())(sealChain());
    const [kept] = await allProofs(table);
    const wrong = { ...kept, answers: [{ kind: 'ocsp', der: 'AAAA' }] };
    await table.put({ pk: 'PROOFS', sk: kept?.certificateSha256 ?? '', ...wrong });
    const before = pki.requests;
    await keptProver(keeping())(sealChain());
    expect(pki.requests).toBe(before + 2);
  });
});

describe('the job that renews proofs', () => {
  it('takes away what was kept once a certificate is revoked or suspended, and functions notice within ten minutes', async () => {
    for (const reason of [1, 6]) {
      pki.repair();
      pki.now = START;
      table = new MemoryDynamo().table;
      const prove = keptProver(keeping());
      await prove(sealChain());
      pki.setStanding(pki.seal, { revokedAt: START, reason });
      passHours(13);
      expect(await renewProofs(keeping())).toMatchObject({ due: 1, failed: 1 });
      await expect(prove(sealChain())).rejects.toThrow(reason === 1 ? 'revoked since' : 'suspended since');
    }
  });

  it('asks at least daily, however far the answers reach', async () => {
    const nextUpdate = new Date(START.getTime() + 24 * 400 * HOUR);
    for (const ca of ['seals', 'root'] as const) pki.break(ca, 'ocsp', { ocsp: { nextUpdate } });
    await keptProver(keeping())(sealChain());
    passHours(23);
    expect(await renewProofs(keeping())).toMatchObject({ due: 0 });
    passHours(2);
    expect(await renewProofs(keeping())).toMatchObject({ due: 1, done: 1 });
  });

  it('renews the others if one item cannot be read', async () => {
    await keptProver(keeping())(sealChain());
    const [kept] = await allProofs(table);
    const broken = { ...kept, certificateSha256: '0', chain: ['AAAA'] };
    await table.put({ pk: 'PROOFS', sk: '0', ...broken });
    passHours(13);
    expect(await renewProofs(keeping())).toMatchObject({ due: 2, done: 1, failed: 1 });
  });

  it('has nothing to do while they have more than half of their time', async () => {
    expect(await renewProofs(keeping())).toEqual({ due: 0, done: 0, failed: 0, runningOut: 0 });
    await keptProver(keeping())(sealChain());
    passHours(11);
    expect(await renewProofs(keeping())).toMatchObject({ due: 0 });
  });

  it('renews them from half of their time on, so that seals never call', async () => {
    const prove = keptProver(keeping());
    await prove(sealChain());
    for (let day = 0; day < 5; day += 1) {
      passHours(13);
      expect(await renewProofs(keeping())).toEqual({ due: 1, done: 1, failed: 0, runningOut: 0 });
      const before = pki.requests;
      await prove(sealChain());
      expect(pki.requests).toBe(before);
    }
  });

  it('tries again with growing distance, tells when they run out, and recovers by itself', async () => {
    await keptProver(keeping())(sealChain());
    for (const service of ['ocsp', 'list'] as const) pki.break('seals', service, { status: 500 });
    passHours(13);
    expect(await renewProofs(keeping())).toMatchObject({ due: 1, failed: 1, runningOut: 0 });
    const before = pki.requests;
    const waits: number[] = [];
    let waited = 0;
    for (let hour = 14; hour < 24; hour += 1) {
      passHours(1);
      const { due, runningOut } = await renewProofs(keeping());
      waited += 1;
      if (due > 0) waits.push(waited);
      if (due > 0) waited = 0;
      expect(runningOut).toBe(hour > 18 ? 1 : 0);
    }
    expect(waits).toEqual([1, 2, 4]);
    expect(pki.requests).toBeGreaterThan(before);
    pki.repair();
    passHours(4);
    expect(await renewProofs(keeping())).toMatchObject({ due: 1, done: 1, runningOut: 0 });
  });

  it('tells of no proofs that run out once it has found the certificate revoked', async () => {
    await keptProver(keeping())(sealChain());
    pki.setStanding(pki.seal, { revokedAt: START, reason: 1 });
    for (let hour = 0; hour < 40; hour += 4) {
      passHours(4);
      expect(await renewProofs(keeping())).toMatchObject({ runningOut: 0 });
    }
    pki.repair();
    passHours(4);
    expect(await renewProofs(keeping())).toMatchObject({ done: 1, runningOut: 0 });
  });

  it('tells no more of proofs that ended weeks ago, since no seal has needed them', async () => {
    await keptProver(keeping())(sealChain());
    for (const service of ['ocsp', 'list'] as const) pki.break('seals', service, { status: 500 });
    const toldAfterDays = [];
    for (let day = 1; day < 60; day += 1) {
      passHours(24);
      if ((await renewProofs(keeping())).runningOut > 0) toldAfterDays.push(day);
    }
    expect(toldAfterDays[0]).toBe(1);
    expect(toldAfterDays.at(-1)).toBe(31);
  });

  it('leaves alone what a seal has kept while an attempt failed', async () => {
    const memory = new MemoryDynamo();
    table = memory.table;
    await keptProver(keeping())(sealChain());
    passHours(13);
    for (const service of ['ocsp', 'list'] as const) pki.break('seals', service, { status: 500 });
    const [kept] = await allProofs(table);
    if (!kept) throw new Error('Nothing was kept.');
    const fresher = { ...kept, gatheredAt: now().toISOString() };
    memory.beforeWrites.push(() => keepProofs(table, fresher));
    expect(await renewProofs(keeping())).toMatchObject({ due: 1, failed: 1 });
    expect(await allProofs(table)).toEqual([fresher]);
  });

  it('leaves alone what was kept of a certificate that has expired', async () => {
    await keptProver(keeping())(sealChain());
    passHours(24 * 365 * 4);
    const before = pki.requests;
    expect(await renewProofs(keeping())).toEqual({ due: 0, done: 0, failed: 0, runningOut: 0 });
    expect(pki.requests).toBe(before);
  });
});

describe('addresses in certificates', () => {
  const guarded = guardedRetrieve({ development: false, resolve: async () => ['10.0.0.1'] });

  it.each([
    'http://127.0.0.1/ocsp',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/ocsp',
    'http://localhost/ocsp',
    'http://ocsp.internal/',
    'http://user@ca.example/',
    'http://ca.example:8080/',
    'ftp://ca.example/',
  ])('that are not public ones are never asked: %s', async (url) => {
    await expect(guarded(url)).rejects.toThrow('the address is not public');
  });

  it('that resolve to an internal address are never asked', async () => {
    await expect(guarded('http://ca.example/ocsp')).rejects.toThrow('address_not_allowed');
  });

  it('that never answer, answer too much or send elsewhere are given up', async () => {
    const { ocsp, issuer, list } = pki.addressesOf('seals');
    const patience = new AbortController();
    const impatient = guardedRetrieve({
      development: true,
      resolve: async () => [],
      deadline: () => patience.signal,
    });
    const hangs = () => patience.abort(new DOMException('The time is over.', 'TimeoutError'));
    pki.break('seals', 'ocsp', { hangs });
    await expect(impatient(ocsp)).rejects.toThrow('no answer in time');
    pki.break('seals', 'issuer', { body: Buffer.alloc(200_000) });
    await expect(retrieve(issuer)).rejects.toThrow('too long');
    pki.break('seals', 'list', { status: 302 });
    await expect(retrieve(list)).rejects.toThrow('HTTP 302');
  });
});

it('A level that does not exist fails the start', () => {
  expect(() => longTermAt('B-XL', keeping())).toThrow('There is no seal level B-XL.');
  expect(longTermAt('B-T', keeping())).toBeUndefined();
});
