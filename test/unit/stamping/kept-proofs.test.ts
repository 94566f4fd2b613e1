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
  it('kept proofs serve later seals of the same and of other functions without a call', async () => {
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

  it('a seal gathers proofs again if the kept ones have ended', async () => {
    const prove = keptProver(keeping());
    const first = await prove(sealChain());
    passHours(24);
    const second = await prove(sealChain());
    expect(second.proofs[0]?.until.getTime()).toBeGreaterThan(first.proofs[0]?.until.getTime() ?? 0);
    expect(await allProofs(table)).toMatchObject([{ until: second.proofs[0]?.until.toISOString() }]);
  });

  it('a seal gathers proofs again from ten minutes before the first kept one ends', async () => {
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

  it('kept proofs count only for a chain to a certificate that is pinned now', async () => {
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

  it('proofs too large for an item serve their seal and are not kept', async () => {
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

  it('kept proofs that were tampered with are not used', async () => {
    await keptProver(keeping())(sealChain());
    const [kept] = await allProofs(table);
    const wrong = { ...kept, answers: [{ kind: 'ocsp', der: 'AAAA' }] };
    await table.put({ pk: 'PROOFS', sk: kept?.certificateSha256 ?? '', ...wrong });
    const before = pki.requests;
    await keptProver(keeping())(sealChain());
    expect(pki.requests).toBe(before + 2);
  });

  it('kept proofs of another layout, as a later version leaves them after a rollback, are gathered anew', async () => {
    await keptProver(keeping())(sealChain());
    const [kept] = await allProofs(table);
    await table.put({ pk: 'PROOFS', sk: kept?.certificateSha256 ?? '', ...kept, answers: 'packed' });
    expect((await keptProver(keeping())(sealChain())).proofs).toHaveLength(2);
    expect(await allProofs(table)).toHaveLength(1);
  });
});

describe('the job that renews proofs', () => {
  it('the job drops the proofs of a revoked or suspended certificate, and functions notice within ten minutes', async () => {
    for (const reason of [1, 6]) {
      pki.repair();
      pki.now = START;
      table = new MemoryDynamo().table;
      const prove = keptProver(keeping());
      await prove(sealChain());
      pki.setStanding(pki.seal, { revokedAt: START, reason });
      passHours(13);
      // Read just before the job drops them.
      await prove(sealChain());
      expect(await renewProofs(keeping())).toMatchObject({ due: 1, failed: 1 });
      passHours(1 / 6);
      await expect(prove(sealChain())).rejects.toThrow(reason === 1 ? 'revoked since' : 'suspended since');
    }
  });

  it('the job renews proofs at least daily, however long they hold', async () => {
    const nextUpdate = new Date(START.getTime() + 24 * 400 * HOUR);
    for (const ca of ['seals', 'root'] as const) pki.break(ca, 'ocsp', { ocsp: { nextUpdate } });
    await keptProver(keeping())(sealChain());
    passHours(23);
    expect(await renewProofs(keeping())).toMatchObject({ due: 0 });
    passHours(2);
    expect(await renewProofs(keeping())).toMatchObject({ due: 1, done: 1 });
  });

  it('the job renews all other proofs if one item cannot be read, or is of a later version', async () => {
    await keptProver(keeping())(sealChain());
    const [kept] = await allProofs(table);
    const broken = { ...kept, certificateSha256: '0', chain: ['AAAA'] };
    await table.put({ pk: 'PROOFS', sk: '0', ...broken });
    await table.put({ pk: 'PROOFS', sk: '1', ...kept, certificateSha256: '1', answers: 'packed' });
    passHours(13);
    expect(await renewProofs(keeping())).toMatchObject({ due: 2, done: 1, failed: 1 });
  });

  it('the job renews no proofs before half of their time is over', async () => {
    expect(await renewProofs(keeping())).toEqual({ due: 0, done: 0, failed: 0, runningOut: 0 });
    await keptProver(keeping())(sealChain());
    passHours(11);
    expect(await renewProofs(keeping())).toMatchObject({ due: 0 });
  });

  it('the job renews proofs from half of their time on, so that seals never call', async () => {
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

  it('the job retries with growing intervals, reports proofs that run out, and recovers by itself', async () => {
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

  it('the job reports no proofs of a revoked certificate as running out', async () => {
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

  it('the job stops reporting proofs that ended weeks ago unused', async () => {
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

  it('a failed attempt of the job leaves proofs alone that a seal has kept meanwhile', async () => {
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

  it('the job leaves the proofs of an expired certificate alone', async () => {
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
  ])('an address in a certificate that is not public is never called: %s', async (url) => {
    await expect(guarded(url)).rejects.toThrow('the address is not public');
  });

  it('an address in a certificate that resolves to an internal one is never called', async () => {
    await expect(guarded('http://ca.example/ocsp')).rejects.toThrow('address_not_allowed');
  });

  it('a call is given up if the address does not answer, answers too much or redirects', async () => {
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
