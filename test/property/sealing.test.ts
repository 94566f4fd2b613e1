import fc from 'fast-check';
import { inspectPdf } from '../../shared/sealing/intake.ts';
import { readTextString, textString } from '../../shared/sealing/pdf/text.ts';
import { anyCharacter } from '../support/any-character.ts';
import { IS_THOROUGH } from '../support/thorough.ts';
import { CATALOG, craft, manyPages, ONE_PAGE, revise } from '../unit/sealing/craft.ts';
import { sealIt } from '../unit/sealing/sealing-kit.ts';

const signed = {
  ...ONE_PAGE,
  1: `${CATALOG.slice(0, -2)} /AcroForm <</Fields [5 0 R]>>>>`,
  5: '<</FT /Sig /T (Seal)>>',
};
const seeds = [
  craft({ objects: signed }),
  craft({ objects: signed, style: 'stream', packed: [2, 3, 5] }),
  revise(craft({ objects: manyPages(3) }), { objects: { 1: CATALOG } }),
];

type Change = { at: number; kind: 'set' | 'remove' | 'repeat' | 'insert'; byte: number; length: number };

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    at: fc.nat(4000),
    kind: fc.constantFrom('set', 'remove', 'repeat', 'insert'),
    byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('<>[]()/%R0129 '))),
    length: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 1, maxLength: 8 },
);

function changed(seed: Buffer, list: Change[]): Buffer {
  return list.reduce<Buffer>((pdf, { at, kind, byte, length }) => {
    const from = at % Math.max(pdf.length, 1);
    const parts = {
      set: [pdf.subarray(0, from), Buffer.of(byte), pdf.subarray(from + 1)],
      remove: [pdf.subarray(0, from), pdf.subarray(from + length)],
      repeat: [pdf.subarray(0, from + length), pdf.subarray(from)],
      insert: [pdf.subarray(0, from), Buffer.alloc(length, byte), pdf.subarray(from)],
    };
    return Buffer.concat(parts[kind]);
  }, seed);
}

describe('damaged files', () => {
  it('a damaged file is refused with a code or sealed, without crash or hang', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...seeds), changes, async (seed, list) => {
        const pdf = changed(seed, list);
        const before = process.threadCpuUsage();
        const inspected = inspectPdf(pdf);
        // One second of processor time, in microseconds.
        expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
        if (!inspected.ok) return;
        const { bytes } = await sealIt(pdf);
        expect(bytes.subarray(0, pdf.length).equals(pdf)).toBe(true);
        expect(inspectPdf(bytes)).toMatchObject({ ok: true, signed: true, pageCount: inspected.pageCount });
      }),
      { numRuns: IS_THOROUGH ? 5_000 : 250 },
    );
  }, 300_000);

  it('random bytes after a header are refused with a code', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(inspectPdf(Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes]))).toMatchObject({ ok: false });
      }),
    );
  });
});

describe('text strings', () => {
  it('any text reads back as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        expect(readTextString(Buffer.from(textString(text), 'latin1'))).toBe(text.toWellFormed());
      }),
    );
  });
});
