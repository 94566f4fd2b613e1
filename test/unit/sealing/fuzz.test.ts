import fc from 'fast-check';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { readTextString, textString } from '../../../shared/sealing/pdf/text.ts';
import { catalog, craft, manyPages, onePage, revise } from './craft.ts';
import { sealIt } from './sealing-kit.ts';

const signed = {
  ...onePage,
  1: `${catalog.slice(0, -2)} /AcroForm <</Fields [5 0 R]>>>>`,
  5: '<</FT /Sig /T (Seal)>>',
};
const seeds = [
  craft({ objects: signed }),
  craft({ objects: signed, style: 'stream', packed: [2, 3, 5] }),
  revise(craft({ objects: manyPages(3) }), { objects: { 1: catalog } }),
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

describe('Damaged files', () => {
  it('are refused with a code, or sealed: never a crash, never a hang', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...seeds), changes, async (seed, list) => {
        const pdf = changed(seed, list);
        const begun = performance.now();
        const inspected = inspectPdf(pdf);
        expect(performance.now() - begun).toBeLessThan(1000);
        if (!inspected.ok) return;
        const { bytes } = await sealIt(pdf);
        expect(bytes.subarray(0, pdf.length).equals(pdf)).toBe(true);
        expect(inspectPdf(bytes)).toMatchObject({ ok: true, signed: true, pageCount: inspected.pageCount });
      }),
      { numRuns: 800 },
    );
  });

  it('are refused with a code when they are any bytes at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(inspectPdf(Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes]))).toMatchObject({ ok: false });
      }),
    );
  });
});

describe('Text strings', () => {
  it('read back as they were written, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(readTextString(Buffer.from(textString(text), 'latin1'))).toBe(text.toWellFormed());
      }),
    );
  });
});
