import { ROOMY, type SignerOnPage, setSignatures } from '../../../shared/audit/signatures.ts';
import { TYPED_STYLES } from '../../../shared/contract/fields.ts';
import { PDF_TEXTS } from '../../../shared/texts/languages.ts';
import { plainPaper } from '../../support/paper.ts';
import { drawnSignature, signer } from '../../support/signature-input.ts';

const COLUMN = 206;

async function markOf(signature: SignerOnPage['signature']) {
  const wording = { texts: PDF_TEXTS.en, localTime: null };
  const [block] = setSignatures(await plainPaper(), [signer('Aino Virtanen', { signature })], wording, ROOMY);
  if (!block) throw new Error('Nothing was set.');
  return block.mark;
}

async function typed(text: string, style: (typeof TYPED_STYLES)[number] | null = null) {
  const mark = await markOf({ type: 'typed', text, style });
  if (!('style' in mark)) throw new Error('The signature is a drawing.');
  return { face: mark.style.face, size: mark.style.size, lines: mark.lines.length };
}

async function drawn(width: number, height: number) {
  const mark = await markOf({ type: 'drawn', png: drawnSignature(width, height) });
  if (!('picture' in mark)) throw new Error('The drawing was not read.');
  return mark;
}

describe('a typed signature', () => {
  it('is set in its style, and in italics if it has none', async () => {
    expect(await typed('A. Virtanen')).toEqual({ face: 'italic', size: ROOMY.markSize, lines: 1 });
    for (const style of TYPED_STYLES)
      expect(await typed('A. Virtanen', style)).toMatchObject({ face: style });
  });

  it('that is long is set smaller on one line, then much smaller on two, then on as many as it needs', async () => {
    const ofLength = (length: number) => typed('Virtanen '.repeat(25).slice(0, length).trim());
    const [long, longer, longest] = [await ofLength(20), await ofLength(45), await ofLength(200)];
    expect([long, longer].map(({ lines }) => lines)).toEqual([1, 2]);
    expect(long.size).toBeLessThan(ROOMY.markSize);
    expect(longer.size).toBeLessThanOrEqual(ROOMY.markSize * 0.7);
    expect(longer.size).toBeGreaterThan(longest.size);
    expect(longest.lines).toBeGreaterThan(2);
  });

  it('with a character that no font has is small', async () => {
    expect(await typed('A\ue000')).toMatchObject({ size: 9, lines: 1 });
  });
});

describe('a drawn signature', () => {
  it.each([
    ['wide', 1200, 100, COLUMN, COLUMN / 12],
    ['high', 300, 400, (ROOMY.markHeight * 3) / 4, ROOMY.markHeight],
    ['small', 80, 20, ROOMY.markHeight * 4, ROOMY.markHeight],
  ])('that is %s fills its place in its proportions', async (_, width, height, shownWidth, shownHeight) => {
    const mark = await drawn(width, height);
    expect(mark.name).toBe('Aino Virtanen');
    expect(mark.width).toBeCloseTo(shownWidth);
    expect(mark.height).toBeCloseTo(shownHeight);
  });

  it('that cannot be read is the name in italics', async () => {
    const [mark, name] = [
      await markOf({ type: 'drawn', png: new Uint8Array() }),
      await typed('Aino Virtanen'),
    ];
    expect(mark).toMatchObject({ style: { face: 'italic', size: name.size }, lines: { length: name.lines } });
  });
});
