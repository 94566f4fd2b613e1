import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { Pki } from '../support/pki/pki.ts';
import { pageInput } from '../support/signature-input.ts';
import { sealAt } from '../unit/sealing/long-term-kit.ts';
import { askDss, askPyhankoLongTerm, askQpdf, requireJudges, root, type Verdicts } from './judges.ts';
import { writeTrust } from './trust.ts';

const folder = join(root, '.cache/conformance/long-term');
/** The root alone: neither judge has a list or an answer but those in the files. */
const trust = join(folder, 'trust');
const LEVELS = ['B-LT', 'B-LTA'] as const;
type Level = (typeof LEVELS)[number];

const fileOf = (level: Level, name: string): string => join(folder, `${name}-${level}.pdf`);
const NAMES = ['table', 'stream', 'lists', 'sealed-before'];
const verdicts = new Map<string, { dss: Verdicts; pyhanko: Verdicts }>();

beforeAll(async () => {
  requireJudges();
  const pki = await Pki.open(new Date());
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
        // What was sealed before is covered by the later proofs and document timestamp as well.
        for (const verdict of told ?? []) expect(verdict).toMatchObject({ valid: true });
      }
    },
  );

  it.each(NAMES)('has the structure of a PDF for qpdf (%s)', async (name) => {
    expect(await askQpdf(fileOf(level, name))).toBe(0);
  });
});
