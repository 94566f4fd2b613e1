import type { Paper } from './paper.ts';
import type { Paragraph } from './paragraph.ts';

/** A label with its value, printed side by side. */
export interface Fact {
  readonly label: Paragraph;
  readonly value: Paragraph;
}

export function heightOfFacts(facts: readonly Fact[]): number {
  return facts.reduce((sum, { label, value }) => sum + Math.max(label.height, value.height), 0);
}

/** Draws the facts in two columns and returns the bottom edge. */
export function placeFacts(
  paper: Paper,
  facts: readonly Fact[],
  x: number,
  top: number,
  labelWidth: number,
): number {
  let y = top;
  for (const { label, value } of facts) {
    paper.place(label, x, y);
    paper.place(value, x + labelWidth, y);
    y += Math.max(label.height, value.height);
  }
  return y;
}
