import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface PlacedText {
  readonly text: string;
  /** Corners in points from the page's bottom left. */
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly size: number;
  readonly isUpright: boolean;
}

export interface ReadPage {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PlacedText[];
  /** All text in the order in which it was drawn, with single spaces. */
  readonly words: string;
}

/** As `words` has it: each kind of space is one ordinary space. */
export const singleSpaced = (text: string) => text.replace(/\s+/g, ' ');

/** Reads a PDF's text back with an independent reader (pdf.js). */
export async function readPages(pdf: Uint8Array): Promise<ReadPage[]> {
  const task = getDocument({ data: pdf.slice(), verbosity: 0, useSystemFonts: false });
  const document = await task.promise;
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const texts = items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [a = 0, b = 0, , , x = 0, y = 0] = item.transform as number[];
      return [
        {
          text: item.str,
          left: x,
          right: x + item.width,
          baseline: y,
          size: Math.hypot(a, b),
          isUpright: b === 0,
        },
      ];
    });
    const words = singleSpaced(texts.map(({ text }) => text).join(' '));
    pages.push({ width, height, texts, words });
  }
  await task.destroy();
  return pages;
}

/** The upright texts that reach over a page's edge or into its margin. */
export function textsOutside(pages: readonly ReadPage[], margin: number): string[] {
  return pages.flatMap(({ width, height, texts }) =>
    texts
      .filter(({ isUpright }) => isUpright)
      .filter(
        ({ left, right, baseline, size }) =>
          left < margin ||
          right > width - margin ||
          baseline < margin / 2 ||
          baseline + size > height - margin / 2,
      )
      .map(({ text }) => text),
  );
}

/** Texts of a page that are drawn over one another. */
export function overlaps({ texts }: ReadPage): string[] {
  const upright = texts.filter(({ isUpright }) => isUpright);
  return upright.flatMap((one, index) =>
    upright.slice(index + 1).flatMap((other) => {
      const apart = one.right <= other.left + 0.5 || other.right <= one.left + 0.5;
      const sameLine = Math.abs(one.baseline - other.baseline) < Math.min(one.size, other.size) * 0.7;
      return !apart && sameLine ? [`${one.text} / ${other.text}`] : [];
    }),
  );
}
