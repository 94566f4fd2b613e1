import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { readCertificate } from '../../shared/sealing/certificate.ts';
import { prover } from '../../shared/sealing/long-term/prove.ts';
import { renew } from '../../shared/sealing/long-term/renew.ts';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { Pki, plainRetrieve } from '../support/pki/pki.ts';
import { sealAt } from '../support/pki/seal-at.ts';
import { pageInput } from '../support/signature-input.ts';
import { makeTestAuthority, timestamperOf } from '../support/timestamp-authority.ts';
import { craft, ONE_PAGE } from '../unit/sealing/craft.ts';
import { askDss, askPyhankoLongTerm, askQpdf, requireJudges, root, type Verdicts } from './judges.ts';
import { writeTrust } from './trust.ts';

const folder = join(root, '.cache/conformance/long-term');
/** The root alone: neither judge has a list or an answer but those in the files. */
const trust = join(folder, 'trust');
const LEVELS = ['B-LT', 'B-LTA'] as const;
type Level = (typeof LEVELS)[number];

const fileOf = (level: Level, name: string): string => join(folder, `${name}-${level}.pdf`);
const NAMES = ['table', 'stream', 'form', 'lists', 'sealed-before'];
const verdicts = new Map<string, { dss: Verdicts; pyhanko: Verdicts }>();

/** A filled field in one object with its widget, which the seal locks. */
const filledForm = () =>
  craft({
    objects: {
      ...ONE_PAGE,
      1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [20 0 R]>>>>',
      20: '<</Type /Annot /Subtype /Widget /T (Price) /Rect [0 0 50 20] /FT /Tx /V (100) /AP <</N 21 0 R>>>>',
      21: '<</Type /XObject /Subtype /Form /BBox [0 0 50 20] /Length 3>>\nstream\n0 g\nendstream',
    },
  });

beforeAll(async () => {
  requireJudges();
  const pki = await Pki.open(new Date(), '', 'rsa');
  writeTrust(trust, [], [], pki.now);
  writeFileSync(join(trust, 'root.crt'), pki.root.certificate);
  const document = await PDFDocument.create();
  document.addPage([595, 842]).drawText('Contract', { x: 60, y: 760 });
  const withTable = Buffer.from(await document.save({ useObjectStreams: false }));
  const withStream = Buffer.from(await document.save({ useObjectStreams: true }));
  const signaturePage = await makeSignaturePage(pageInput({}));
  try {
    // As most authorities do: pyHanko finds no path for an issuing CA that answers itself.
    const delegate = (ca: 'seals' | 'timestamps') =>
      pki.break(ca, 'ocsp', { responder: pki.issueResponder(ca) });
    for (const level of LEVELS) {
      delegate('seals');
      delegate('timestamps');
      const keep = async (name: string, original: Uint8Array) => {
        const { bytes } = await sealAt(pki, level, original, { signaturePage });
        writeFileSync(fileOf(level, name), bytes);
        return bytes;
      };
      const first = await keep('table', withTable);
      await keep('stream', withStream);
      await keep('form', filledForm());
      await keep('sealed-before', first);
      pki.break('seals', 'ocsp', { status: 503 });
      pki.break('timestamps', 'ocsp', { status: 503 });
      await keep('lists', withTable);
      pki.repair();
    }
  } finally {
    await pki.close();
  }
  for (const level of LEVELS) {
    const files = NAMES.map((name) => fileOf(level, name));
    const [dss, pyhanko] = await Promise.all([
      askDss(trust, files, level),
      askPyhankoLongTerm(trust, files, level),
    ]);
    verdicts.set(level, { dss, pyhanko });
  }
}, 600_000);

describe.each(LEVELS)('a seal at %s, with the network off,', (level) => {
  it.each(NAMES)(
    'is valid at its level for DSS and pyHanko, and no change of a certified file (%s)',
    (name) => {
      const file = fileOf(level, name);
      const { dss, pyhanko } = verdicts.get(level) ?? {};
      for (const told of [dss?.get(file), pyhanko?.get(file)]) {
        expect(told).toHaveLength(name === 'sealed-before' ? 2 : 1);
        // The later proofs and document timestamp cover the earlier seals as well.
        for (const verdict of told ?? []) expect(verdict).toMatchObject({ valid: true });
      }
    },
  );

  it.each(NAMES)('has the structure of a PDF for qpdf (%s)', async (name) => {
    expect(await askQpdf(fileOf(level, name))).toBe(0);
  });
});

describe('a seal at B-LTA, in the years to come and with the network off,', () => {
  const now = new Date();
  const inYears = (count: number) => new Date(now.getTime() + count * 365.25 * 86_400_000);
  const folderOfYears = join(folder, 'years');
  const trustOfYears = join(folderOfYears, 'trust');
  const file = (renewals: number) => join(folderOfYears, `renewed-${renewals}.pdf`);
  /** Each authority ends after the next one has renewed: 10 years, 9.5 to 19.5, 19 to 34. */
  const RENEWALS = [
    { after: 9.5, authorityYears: 10 },
    { after: 19, authorityYears: 15 },
  ];

  beforeAll(async () => {
    requireJudges();
    writeTrust(trustOfYears, [], [], now);
    let pki = await Pki.open(now, 'First ', 'rsa');
    const document = await PDFDocument.create();
    document.addPage([595, 842]);
    let { bytes } = await sealAt(pki, 'B-LTA', Buffer.from(await document.save()));
    for (const [index, { after, authorityYears }] of RENEWALS.entries()) {
      writeFileSync(join(trustOfYears, `${index}.crt`), pki.root.certificate);
      writeFileSync(file(index), bytes);
      const next = await Pki.open(inYears(after), `Number ${index + 2} `, 'rsa');
      pki.now = next.now;
      const clock = () => next.now;
      const signer = next.issueAuthority('Next authority', authorityYears);
      const tsa = makeTestAuthority({ now: next.now, ca: next.root, signer });
      bytes = await renew(bytes, {
        prove: prover(plainRetrieve, clock),
        timestamp: timestamperOf(tsa, clock),
        anchors: [readCertificate(pki.root.certificate)],
      });
      await pki.close();
      pki = next;
    }
    writeFileSync(join(trustOfYears, 'last.crt'), pki.root.certificate);
    writeFileSync(file(RENEWALS.length), bytes);
    await pki.close();
  }, 120_000);

  it.each([
    ['not renewed', 0, 5, true],
    ['not renewed', 0, 12, false],
    ['renewed once', 1, 12, true],
    ['renewed once', 1, 30, false],
    ['renewed twice', 2, 30, true],
  ])('%s (%p times) is after %p years valid for DSS: %p', async (_, renewals, years, valid) => {
    const verdicts = await askDss(trustOfYears, [file(renewals)], 'B-LTA', inYears(years));
    expect(verdicts.get(file(renewals))).toMatchObject([{ valid }]);
  });
});
