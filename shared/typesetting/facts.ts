import type { Paper } from './paper.ts';
import type { Paragraph } from './paragraph.ts';

/** A label and its value, set side by side. */
export interface Fact {
  readonly label: Paragraph;
  readonly value: Paragraph;
}

export function heightOfFacts(facts: readonly Fact[]): number {
  return facts.reduce((sum, { label, value }) => sum + Math.max(label.height, value.height), 0);
}

/** Draws labels and values in two columns, each pair on one line, and returns where they end. */
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
