import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { CONTENTS_BYTES, writeUnsigned } from '../../../shared/sealing/append.ts';
import { readCertificate, sha256 } from '../../../shared/sealing/certificate.ts';
import { SealError } from '../../../shared/sealing/errors.ts';
import {
  addDocumentTimestamp,
  emptyTimestamp,
} from '../../../shared/sealing/long-term/document-timestamp.ts';
import { prover } from '../../../shared/sealing/long-term/prove.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { openPdf } from '../../../shared/sealing/plan.ts';
import { sealOwn, signedPart } from '../../../shared/sealing/seal-own.ts';
import { timestamper } from '../../../shared/sealing/timestamp.ts';
import { verifySeal } from '../../../shared/sealing/verify-seal.ts';
import { type DemoIdentity, extensions, issueDemo } from '../../support/demo-keys.ts';
import { Pki, plainRetrieve } from '../../support/pki/pki.ts';
import { sealAt, signerAt } from '../../support/pki/seal-at.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import { fetchOf, makeTestAuthority, timestamperOf } from '../../support/timestamp-authority.ts';
import { craft, ONE_PAGE, revise } from './craft.ts';
import { now, signaturePage } from './sealing-kit.ts';

const ORIGINAL = craft({ objects: ONE_PAGE });
const REASON = 'All signers of request req_1 have signed';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LEVELS = ['B-LT', 'B-LTA'] as const;
const CAS = ['root', 'seals', 'timestamps'] as const;

let pki: Pki;
beforeAll(async () => {
  pki = await Pki.open(now);
});
afterAll(() => pki.close());
beforeEach(() => pki.repair());

const verify = (bytes: Uint8Array, original: Uint8Array = ORIGINAL) =>
  verifySeal(bytes, {
    original,
    certificates: [pki.seal.certificate],
    anchors: [readCertificate(pki.root.certificate)],
    reason: REASON,
  });

describe.each(LEVELS)('a seal at %s', (level) => {
  it('is verified with its level, hash and pages', async () => {
    const page = await signaturePage();
    const sealed = await sealAt(pki, level, ORIGINAL, { reason: REASON, signaturePage: page });
    expect(sealed.sha256).toBe(createHash('sha256').update(sealed.bytes).digest('hex'));
    expect(sealed.technical).toMatchObject({ level, algorithm: 'ECDSA P-256 with SHA-256' });
    expect(verify(sealed.bytes)).toEqual({
      valid: true,
      sha256: sealed.sha256,
      sealedAt: sealed.sealedAt,
      pagesAdded: 1,
      technical: sealed.technical,
      lasting: { level, until: readCertificate(pki.authority.certificate).notAfter.toISOString() },
    });
    expect(sealed.lasting).toEqual({ level, until: expect.stringMatching(/^2036-/) });
  });

  it('is verified with revocation lists where no responder answers', async () => {
    for (const ca of CAS) pki.break(ca, 'ocsp', { status: 500 });
    const { bytes } = await sealAt(pki, level, ORIGINAL, { reason: REASON });
    expect(bytes.includes('/CRLs [')).toBe(true);
    expect(bytes.includes('/OCSPs [')).toBe(false);
    expect(verify(bytes)).toMatchObject({ valid: true, technical: { level } });
  });

  it('begins with the original and with the B-T seal of it', async () => {
    const { bytes } = await sealAt(pki, level, ORIGINAL, { reason: REASON });
    expect(bytes.subarray(0, ORIGINAL.length).equals(ORIGINAL)).toBe(true);
    const end = bytes.indexOf('%%EOF\n', ORIGINAL.length) + '%%EOF\n'.length;
    expect(verify(bytes.subarray(0, end))).toMatchObject({ valid: true });
  });

  it('works for files with cross-reference streams', async () => {
    const original = craft({ objects: ONE_PAGE, style: 'stream' });
    const { bytes } = await sealAt(pki, level, original, { reason: REASON });
    expect(verify(bytes, original)).toMatchObject({ valid: true, technical: { level } });
  });

  it('adds to the security store that an earlier signer left', async () => {
    const first = await sealAt(pki, level, ORIGINAL, { reason: 'the first' });
    const second = await sealAt(pki, level, first.bytes, { reason: REASON });
    expect(verify(second.bytes, first.bytes)).toMatchObject({ valid: true, technical: { level } });
  });

  it.each(['<</VRI 5 0 R>>', '4 0 R'])('keeps what else is in a security store: %s', async (store) => {
    const objects = { 4: '<</VRI 5 0 R>>', 5: '<<>>', 1: `<</Type /Catalog /Pages 2 0 R /DSS ${store}>>` };
    const { bytes } = await sealAt(pki, level, craft({ objects: { ...ONE_PAGE, ...objects } }));
    const { file, catalog } = openPdf(bytes);
    const kept = file.dict(catalog.dict.get('DSS'), 'the store');
    expect(kept.entries.map(({ key }) => key)).toEqual(['VRI', 'Certs', 'OCSPs']);
  });

  it('adds to a security store whose entries are missing, also where their numbers become those of new objects', async () => {
    const missing = Array.from({ length: 20 }, (_, index) => `${index + 4} 0 R`).join(' ');
    for (const store of ['<</Certs [99 0 R]>>', `<</Certs [${missing}] /OCSPs [${missing}]>>`]) {
      const original = craft({
        objects: { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R /DSS ${store}>>` },
      });
      const { bytes } = await sealAt(pki, level, original, { reason: REASON });
      expect(verify(bytes, original)).toMatchObject({ valid: true, technical: { level } });
    }
  });

  it('is verified over a form whose missing fields have the numbers of new objects, in any order', async () => {
    const missing = Array.from({ length: 60 }, (_, index) => `${index + 4} 0 R`);
    for (const fields of [missing, missing.toReversed()]) {
      const form = `/AcroForm <</Fields [${fields.join(' ')}]>>`;
      const original = craft({ objects: { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R ${form}>>` } });
      const { bytes } = await sealAt(pki, level, original, { reason: REASON });
      expect(verify(bytes, original)).toMatchObject({ valid: true, technical: { level } });
    }
  });

  it('a file that proofs cannot be added to is never sealed, as a permanent fault', async () => {
    const store = '<</Certs 7>>';
    const original = craft({ objects: { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R /DSS ${store}>>` } });
    await expect(sealAt(pki, level, original)).rejects.toMatchObject({
      code: 'original_unsealable',
      permanent: true,
    });
  });

  it('is not accepted with a byte of what follows the seal changed', async () => {
    const { bytes } = await sealAt(pki, level, ORIGINAL, { reason: REASON });
    const end = bytes.indexOf('%%EOF\n', ORIGINAL.length) + '%%EOF\n'.length;
    // A token holds certificates that nothing signs, as in every seal: the file's hash is for them.
    const token = level === 'B-LTA' ? bytes.lastIndexOf('/Contents <') : bytes.length;
    const afterToken = bytes.indexOf('>', token);
    for (let at = end; at < bytes.length; at += 97) {
      if (at > token && at < afterToken) continue;
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(verify(changed)).toMatchObject({ valid: false });
    }
  });

  it('is not accepted with a later revision', async () => {
    const { bytes } = await sealAt(pki, level, ORIGINAL, { reason: REASON });
    expect(verify(revise(bytes, { objects: { 90: '<</Later true>>' } }))).toMatchObject({ valid: false });
  });

  it('the signed part of a sealed PDF of ours is found behind its proofs', async () => {
    const sealed = await sealOwn({ pdf: ORIGINAL, reason: REASON, ...signerAt(pki, level) });
    const original = signedPart(sealed);
    expect(original.length).toBeLessThan(ORIGINAL.length + 1);
    expect(verify(sealed, original)).toMatchObject({ valid: true, technical: { level } });
  });

  it('is verified with a certificate that is critically for documents, which no pinned authority issued', async () => {
    const identity = issueDemo({
      commonName: 'Seal for documents alone',
      now,
      years: 3,
      issuer: pki.seals,
      extensions: [
        extensions.keyUsage('nonRepudiation'),
        extensions.extendedKeyUsage(true, OIDS.documentSigning),
        ...extensions.addresses(pki.addressesOf('seals')),
      ],
    });
    const key = sealKeyOf(identity);
    const tsa = makeTestAuthority({ now, ca: pki.timestamps, signer: pki.authority });
    const timestamp = timestamperOf(tsa, () => now);
    const { bytes } = await sealAt(pki, level, ORIGINAL, { reason: REASON, key, timestamp });
    expect(
      verifySeal(bytes, {
        original: ORIGINAL,
        certificates: [identity.certificate],
        anchors: [readCertificate(pki.timestamps.certificate)],
        reason: REASON,
      }),
    ).toMatchObject({ valid: true, technical: { level } });
  });

  it('a seal never gets a lower level when nothing can be proved', async () => {
    pki.break('seals', 'ocsp', { status: 500 });
    pki.break('seals', 'list', { status: 500 });
    const error = await sealAt(pki, level, ORIGINAL).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SealError);
    expect(error).toMatchObject({ code: 'revocation_unavailable', permanent: false });
  });

  it('waits while the authority is revoked, and fails for good when the seal certificate is', async () => {
    pki.setStanding(pki.authority, { revokedAt: now });
    await expect(sealAt(pki, level, ORIGINAL)).rejects.toMatchObject({
      code: 'timestamp_unavailable',
      permanent: false,
      message: expect.stringContaining('CN=Authority: revoked since'),
    });
    pki.repair();
    pki.setStanding(pki.seal, { revokedAt: now, reason: 1 });
    await expect(sealAt(pki, level, ORIGINAL)).rejects.toMatchObject({
      code: 'certificate_revoked',
      permanent: true,
    });
    pki.setStanding(pki.seal, { revokedAt: now, reason: 6 });
    await expect(sealAt(pki, level, ORIGINAL)).rejects.toMatchObject({
      code: 'revocation_unavailable',
      permanent: false,
    });
  });
});

describe('a document timestamp', () => {
  const stampsOf = (signer: DemoIdentity) => {
    const tsa = makeTestAuthority({ now, ca: pki.root, signer });
    return timestamperOf(tsa, () => now);
  };
  /** A B-LT file with a document timestamp of a trusted authority over it, and over a change to its own revision. */
  async function stamped(
    signer: DemoIdentity,
    change: (revision: string) => string,
    isOnFirstPage = false,
  ): Promise<Buffer> {
    const page = await signaturePage();
    const { bytes } = await sealAt(pki, 'B-LT', ORIGINAL, { reason: REASON, signaturePage: page });
    const unsigned = emptyTimestamp(bytes, isOnFirstPage);
    const file = writeUnsigned(bytes, unsigned);
    file.write(change(file.toString('latin1', bytes.length)), bytes.length, 'latin1');
    const { contentsFrom, contentsTo } = unsigned;
    const imprint = sha256(file.subarray(0, contentsFrom), file.subarray(contentsTo));
    const { token } = await stampsOf(signer)(imprint);
    file.write(Buffer.from(token).toString('hex'), contentsFrom + 1, 'latin1');
    return file;
  }
  const unchanged = (revision: string) => revision;

  it('gets the space that its token may fill, and none in a file that cannot be changed', async () => {
    const timestamp = jest.fn(stampsOf(pki.authority));
    await addDocumentTimestamp(new HashedOriginal(ORIGINAL), timestamp);
    expect(timestamp).toHaveBeenCalledWith(expect.any(Buffer), CONTENTS_BYTES);
    const other = addDocumentTimestamp(new HashedOriginal(Buffer.from('no PDF')), timestamp);
    await expect(other).rejects.toMatchObject({ code: 'original_unsealable', permanent: true });
    expect(timestamp).toHaveBeenCalledTimes(1);
  });

  it('is accepted by an authority that is proved, and over nothing else', async () => {
    expect(verify(await stamped(pki.authority, unchanged))).toMatchObject({
      valid: true,
      technical: { level: 'B-LTA' },
    });
  });

  it('is accepted on the first page, where it was put before it went to the last one', async () => {
    const file = await stamped(pki.authority, unchanged, true);
    const pageOf = (bytes: Buffer) => [...bytes.toString('latin1').matchAll(/\/P (\d+ 0 R)/g)].at(-1)?.[1];
    expect(pageOf(file)).toBe('3 0 R');
    const page = await signaturePage();
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL, { reason: REASON, signaturePage: page });
    expect(pageOf(Buffer.from(bytes))).toMatch(/^(?!3 )\d+ 0 R$/);
    expect(verify(file)).toMatchObject({ valid: true, technical: { level: 'B-LTA' } });
  });

  it.each<[string, string, () => Promise<Buffer>]>([
    [
      'is by an authority that is not proved',
      'not proved',
      () => stamped(pki.issueAuthority('Second authority'), unchanged),
    ],
    [
      'covers a change beside it',
      'more than a document timestamp',
      () => stamped(pki.authority, (revision) => revision.replace('/T (Timestamp)', '/T (Timestamq)')),
    ],
    [
      'is in capital letters',
      'more than a document timestamp',
      async () => {
        const file = await stamped(pki.authority, unchanged);
        const from = file.lastIndexOf('/Contents <') + '/Contents <'.length;
        const to = file.indexOf('>', from);
        file.write(file.toString('latin1', from, to).toUpperCase(), from, 'latin1');
        return file;
      },
    ],
    [
      'has changed padding',
      'padding',
      async () => {
        const file = await stamped(pki.authority, unchanged);
        file.write('1', file.indexOf('>', file.lastIndexOf('/Contents <')) - 1, 'latin1');
        return file;
      },
    ],
  ])('is not accepted if it %s', async (_, fault, make) => {
    expect(verify(await make())).toEqual({ valid: false, fault: expect.stringContaining(fault) });
  });
});

describe('an answer of a responder', () => {
  const later = new Date(now.getTime() + 24 * HOUR);
  const after = (minutes: number) => new Date(later.getTime() + minutes * MINUTE);
  afterEach(() => {
    pki.now = now;
  });

  /** At B-LT, by an authority that is 4 minutes behind. */
  async function sealWithAnswersOf(time: Date, ourTime = later): Promise<Uint8Array> {
    pki.now = time;
    for (const ca of CAS) {
      pki.break(ca, 'ocsp', { ocsp: { thisUpdate: time, producedAt: time } });
      pki.break(ca, 'list', { status: 404 });
    }
    const tsa = makeTestAuthority({ now, ca: pki.root, signer: pki.authority });
    const { bytes } = await sealAt(pki, 'B-LT', ORIGINAL, {
      reason: REASON,
      now: later,
      timestamp: timestamper([tsa.authority], {
        fetch: fetchOf(tsa, () => ({ time: after(-4) })),
        now: () => later,
      }),
      longTerm: { level: 'B-LT', prove: prover(plainRetrieve, () => ourTime) },
    });
    return bytes;
  }

  it('an answer counts if the responder’s clock is ahead by as much as the authority’s is behind', async () => {
    expect(verify(await sealWithAnswersOf(after(4)))).toMatchObject({ valid: true });
  });

  it('an answer from long after the timestamp does not count', async () => {
    expect(verify(await sealWithAnswersOf(after(30), after(30)))).toEqual({
      valid: false,
      fault: expect.stringContaining('the answer is from the future'),
    });
  });
});

describe('a document timestamp of another authority than that of the seal', () => {
  /** Each call is answered by the next authority, the last ones by the last of them. */
  function inTurn(...signers: DemoIdentity[]) {
    const stamps = signers.map((signer) => {
      const tsa = makeTestAuthority({ now, ca: pki.root, signer });
      return timestamperOf(tsa, () => now);
    });
    let calls = 0;
    const timestamp: (typeof stamps)[number] = (imprint, maxBytes) => {
      const next = stamps[calls] ?? stamps.at(-1);
      calls += 1;
      if (next === undefined) throw new Error('no authority');
      return next(imprint, maxBytes);
    };
    return { timestamp, calls: () => calls };
  }

  it('a document timestamp is made again with the proofs of an authority that was not proved yet', async () => {
    const { timestamp, calls } = inTurn(pki.authority, pki.issueAuthority('Second authority'));
    const { bytes } = await sealAt(pki, 'B-LTA', ORIGINAL, { reason: REASON, timestamp });
    expect(calls()).toBe(3);
    expect(verify(bytes)).toMatchObject({ valid: true, technical: { level: 'B-LTA' } });
  });

  it('a document timestamp is given up if three attempts each come from another authority', async () => {
    const others = ['Second', 'Third', 'Fourth', 'Fifth'].map((name) => pki.issueAuthority(name));
    const { timestamp, calls } = inTurn(pki.authority, ...others);
    await expect(sealAt(pki, 'B-LTA', ORIGINAL, { timestamp })).rejects.toMatchObject({
      code: 'timestamp_unavailable',
      permanent: false,
    });
    expect(calls()).toBe(4);
  });
});
