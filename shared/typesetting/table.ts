import type { Paper } from './paper.ts';
import type { Paragraph } from './paragraph.ts';
import { TYPE } from './style.ts';

export interface Column {
  readonly heading: string;
  readonly width: number;
}

/** One or more paragraphs, one below the other. */
export type Cell = readonly Paragraph[];
export type Row = readonly Cell[];

const GUTTER = 10;
const PADDING = 4;
/** The last two rows stay on one page up to this height. */
const SHORT_END = 90;

/** The width of a cell's text; the last column has no gutter after it. */
export function textWidth(columns: readonly Column[], index: number): number {
  const width = columns[index]?.width ?? 0;
  return index === columns.length - 1 ? width : width - GUTTER;
}

/**
 * Draws a table over as many pages as it needs, with headings on each. A row never breaks, and a short last row is
 * never alone on a page. Callers that draw a title above reserve `heightOfStart`, so that rows follow it.
 */
export function drawTable(paper: Paper, columns: readonly Column[], rows: readonly Row[]): void {
  const heights = rows.map(heightOfRow);
  const headings = columns.map(({ heading }, index) =>
    paper.set(heading, TYPE.label, textWidth(columns, index)),
  );
  const headHeight = Math.max(...headings.map(({ height }) => height)) + PADDING;

  const drawHead = () => {
    let x = paper.left;
    headings.forEach((heading, index) => {
      paper.place(heading, x, paper.y + headHeight - PADDING - heading.height);
      x += columns[index]?.width ?? 0;
    });
    paper.y += headHeight;
    paper.rule(paper.left, paper.width, paper.y, 0.8);
  };

  drawHead();
  rows.forEach((row, index) => {
    const height = heights[index] ?? 0;
    const isLastButOne = index > 0 && index === rows.length - 2;
    const withLast = height + (heights[index + 1] ?? 0);
    if (paper.need(isLastButOne && withLast <= SHORT_END ? withLast : height)) drawHead();
    drawRow(paper, columns, row);
    paper.y += height;
    paper.rule(paper.left, paper.width, paper.y, 0.4);
  });
}

/** The headings and the first two rows. */
export function heightOfStart(rows: readonly Row[]): number {
  return TYPE.label.leading + PADDING + rows.slice(0, 2).reduce((sum, row) => sum + heightOfRow(row), 0);
}

function heightOfRow(row: Row): number {
  return Math.max(...row.map(heightOfCell)) + 2 * PADDING;
}

function heightOfCell(cell: Cell): number {
  return cell.reduce((sum, { height }) => sum + height, 0);
}

function drawRow(paper: Paper, columns: readonly Column[], row: Row): void {
  let x = paper.left;
  row.forEach((cell, index) => {
    let y = paper.y + PADDING;
    for (const paragraph of cell) {
      paper.place(paragraph, x, y);
      y += paragraph.height;
    }
    x += columns[index]?.width ?? 0;
  });
}
