import type { Paper } from './paper.ts';
import { isEmpty, type Paragraph } from './paragraph.ts';

/** A label with its value, printed side by side. */
export interface Fact {
  readonly label: Paragraph;
  readonly value: Paragraph;
}

export function heightOfFacts(facts: readonly Fact[]): number {
  return facts.reduce((sum, { label, value }) => sum + Math.max(label.height, value.height), 0);
}

/** Draws the facts in two columns, for screen readers a list. */
export function placeFacts(
  paper: Paper,
  facts: readonly Fact[],
  x: number,
  top: number,
  labelWidth: number,
): void {
  let y = top;
  paper.within('L', () => {
    for (const fact of facts) y = placeFact(paper, fact, x, y, labelWidth);
  });
}

/** Writes the facts one below the other, each of them on one page. */
export function writeFacts(paper: Paper, facts: readonly Fact[], labelWidth: number): void {
  paper.within('L', () => {
    for (const fact of facts) {
      paper.need(heightOfFacts([fact]));
      paper.y = placeFact(paper, fact, paper.left, paper.y, labelWidth);
    }
  });
}

/** Draws an item of a list and returns its bottom edge. A fact that continues the previous one has no label. */
function placeFact(paper: Paper, { label, value }: Fact, x: number, top: number, labelWidth: number): number {
  const place = () => {
    paper.place(label, x, top);
    paper.place(value, x + labelWidth, top);
  };
  // Both in the body, since PDF/UA-2 allows no paragraph in a label.
  if (!isEmpty(label) || !isEmpty(value)) paper.within('LI', () => paper.within('LBody', place));
  return top + Math.max(label.height, value.height);
}

/** Groups of eight digits, easier to compare by eye. */
export const groupedHex = (hex: string): string => hex.match(/.{1,8}/g)?.join(' ') ?? '';
