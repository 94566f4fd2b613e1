import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { makeDemoCa, makeDemoSealIdentity, pem, toPkcs12 } from '../../admin/demo-keys.ts';
import { readExpected } from '../../client/verifier/certificates.ts';
import type { Level } from '../../client/verifier/report.ts';
import { verifyPdf } from '../../client/verifier/verify.ts';
import { pkcs12Key } from '../../shared/sealing/keys/pkcs12.ts';
import { HashedOriginal } from '../../shared/sealing/original.ts';
import { seal } from '../../shared/sealing/seal.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import {
  appended,
  cmsLength,
  contentsOf,
  flipped,
  stamped,
  withCatalogEntry,
  withCms,
  withPageEntry,
  withSignatureOf,
  withUnusedObject,
} from '../support/tampering.ts';
import { fetchOf, makeTestAuthority } from '../support/timestamp-authority.ts';
import { askDss, askPyhanko, requireJudges, type Verdicts } from './judges.ts';
import { writeTrust } from './trust.ts';

const folder = join(import.meta.dirname, '../../.cache/conformance/verifier');
const trust = join(folder, 'trust');
const now = new Date();

const ca = makeDemoCa(now);
const tsa = makeTestAuthority({ now });
const identity = makeDemoSealIdentity(ca, { now });
const expected = await readExpected(pem(identity.certificate) + pem(tsa.ca.certificate));

async function sealed(text: string, useObjectStreams: boolean): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 1; page <= 2; page += 1)
    document.addPage([595, 842]).drawText(`${text}, page ${page}`, { x: 60, y: 760 });
  return sealBytes(await document.save({ useObjectStreams }));
}

async function sealBytes(bytes: Uint8Array): Promise<Buffer> {
  const key = pkcs12Key(toPkcs12(identity, 'x'), 'x');
  const timestamp = timestamper([tsa.authority], { fetch: fetchOf(tsa) });
  return (await seal({ original: new HashedOriginal(bytes), key, timestamp, now })).bytes;
}

const [table, stream] = [await sealed('Contract', false), await sealed('Other contract', true)];

/** Evenly spread, so that a run finds the same as the one before. */
const spread = (count: number, length: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * length) / count));

const FILES: Record<string, Buffer> = {
  genuine: table,
  'genuine, with streams': stream,
  'sealed again': await sealBytes(table),
  ...Object.fromEntries(
    spread(6, contentsOf(table).from).map((at) => [`byte ${at} changed`, flipped(table, at)]),
  ),
  ...Object.fromEntries(
    spread(10, cmsLength(table)).map((index) => [
      `byte ${index} of the CMS changed`,
      withCms(table, index, 0x10),
    ]),
  ),
  'the length of the CMS changed': withCms(table, 3, 1),
  'the last byte changed': flipped(table, table.length - 3),
  'a line end appended': appended(table, '\n'),
  'a comment appended': appended(table, '% more\n%%EOF\n'),
  'cut short': table.subarray(0, -200),
  'the signature of another file': withSignatureOf(table, stream),
  'a stamp on a page': stamped(table),
  'a stamp on a page, with streams': stamped(stream),
  'a page turned': withPageEntry(table, 'Rotate', '90'),
  'a page with other content': withPageEntry(stream, 'Contents', '[]'),
  'an action added': withCatalogEntry(table, 'OpenAction', '<</S /URI /URI (https://example.org)>>'),
  'the form taken away': withCatalogEntry(table, 'AcroForm', 'null'),
  'an unused object added': withUnusedObject(table),
  'a stamp on a page, then sealed again': await sealBytes(stamped(table)),
};

const GENUINE = ['genuine', 'genuine, with streams', 'sealed again'];

describe('the verifier’s verdicts beside those of other judges', () => {
  const ours = new Map<string, Level>();
  const fileOf = (name: string) => join(folder, `${name.replaceAll(/\W+/g, '-')}.pdf`);
  let dss: Verdicts;
  let pyhanko: Verdicts;

  beforeAll(async () => {
    requireJudges();
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeTrust(trust, [ca, tsa.ca], [], now);
    for (const [name, bytes] of Object.entries(FILES)) {
      writeFileSync(fileOf(name), bytes);
      ours.set(name, (await verifyPdf(bytes, { expected, now: new Date() })).verdict);
    }
    const files = Object.keys(FILES).map(fileOf);
    [dss, pyhanko] = await Promise.all([askDss(trust, files), askPyhanko(trust, files)]);
  }, 240_000);

  it.each(GENUINE)('all judges agree that the file is valid: %s', (name) => {
    const verdicts = [...(dss.get(fileOf(name)) ?? []), ...(pyhanko.get(fileOf(name)) ?? [])];
    expect(verdicts.filter(({ valid }) => !valid)).toEqual([]);
    expect(ours.get(name)).toBe('green');
  });

  it('there are at least 30 forgeries, and none is green where another judge refuses', () => {
    const forgeries = Object.keys(FILES).filter((name) => !GENUINE.includes(name));
    expect(forgeries.length).toBeGreaterThanOrEqual(30);
    const wronglyGreen = forgeries.filter((name) => {
      const verdicts = [dss, pyhanko].map((judge) => judge.get(fileOf(name)) ?? []);
      const isRefused = verdicts.some((each) => each.length === 0 || each.some(({ valid }) => !valid));
      return isRefused && ours.get(name) === 'green';
    });
    expect(wronglyGreen).toEqual([]);
  });

  it.each([
    'the last byte changed',
    'a line end appended',
    'cut short',
    'the signature of another file',
    'a stamp on a page',
    'a stamp on a page, with streams',
    'a page turned',
    'a page with other content',
    'an action added',
    'the form taken away',
    'a stamp on a page, then sealed again',
  ])('a forged document is red: %s', (name) => {
    expect(ours.get(name)).toBe('red');
  });
});
