import type { Paper } from './paper.ts';
import { linesOf, type Paragraph } from './paragraph.ts';
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
/** Higher rows break. Leaves room on a page for the running head, a section's title and the headings. */
const MAX_ROW = 600;
/** The last two rows stay on one page up to this height. */
const SHORT_END = 90;

/** The width of a cell's text; the last column has no gutter after it. */
export function textWidth(columns: readonly Column[], index: number): number {
  const width = columns[index]?.width ?? 0;
  return index === columns.length - 1 ? width : width - GUTTER;
}

/**
 * Draws a table over as many pages as it needs, with headings on each. A row breaks only if it is about as high as a page,
 * and a short last row is never alone on a page. Callers that draw a title above reserve `heightOfStart`, so that rows follow it.
 */
export function drawTable(paper: Paper, columns: readonly Column[], rows: readonly Row[]): void {
  paper.within('Table', () => drawRows(paper, columns, rows));
}

function drawRows(paper: Paper, columns: readonly Column[], whole: readonly Row[]): void {
  const rows = whole.flatMap(broken);
  const heights = rows.map(heightOfRow);
  const headings = columns.map(({ heading }, index) =>
    paper.set(heading, TYPE.label, textWidth(columns, index)),
  );
  const headHeight = Math.max(...headings.map(({ height }) => height)) + PADDING;

  const drawHead = () => {
    let x = paper.left;
    headings.forEach((heading, index) => {
      const role = columns[index]?.heading ? 'TH' : 'TD';
      paper.within(role, () => paper.place(heading, x, paper.y + headHeight - PADDING - heading.height));
      x += columns[index]?.width ?? 0;
    });
    paper.y += headHeight;
    paper.rule(paper.left, paper.width, paper.y, 0.8);
  };

  paper.within('TR', drawHead);
  rows.forEach((row, index) => {
    const height = heights[index] ?? 0;
    const isLastButOne = index > 0 && index === rows.length - 2;
    const withLast = height + (heights[index + 1] ?? 0);
    if (paper.need(isLastButOne && withLast <= SHORT_END ? withLast : height)) paper.asFurniture(drawHead);
    paper.within('TR', () => drawRow(paper, columns, row));
    paper.y += height;
    paper.rule(paper.left, paper.width, paper.y, 0.4);
  });
}

/** The headings and the first two rows. */
export function heightOfStart(rows: readonly Row[]): number {
  const first = rows.slice(0, 2).flatMap(broken).slice(0, 2);
  return TYPE.label.leading + PADDING + first.reduce((sum, row) => sum + heightOfRow(row), 0);
}

/** The rows that a row makes: itself, or several that break between the lines of its cells. */
function broken(row: Row): Row[] {
  if (heightOfRow(row) <= MAX_ROW) return [row];
  const cells = row.map((cell) => cell.flatMap(linesOf));
  const starts = cells.map((cell) => startOf(cell, MAX_ROW - 2 * PADDING));
  return [starts, ...broken(cells.map((cell, index) => cell.slice(starts[index]?.length)))];
}

/** As many lines as fit. */
function startOf(cell: Cell, height: number): Cell {
  let count = 0;
  let used = 0;
  for (const line of cell) {
    used += line.height;
    if (used > height) break;
    count += 1;
  }
  return cell.slice(0, count);
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
    paper.within('TD', () => {
      for (const paragraph of cell) {
        paper.place(paragraph, x, y);
        y += paragraph.height;
      }
    });
    x += columns[index]?.width ?? 0;
  });
}
