import type { Paper } from './paper.ts';
import { TYPE } from './style.ts';

/** The head of every page but the first: kind of document and title. */
export function drawRunningHead(paper: Paper, kind: string, title: string): void {
  const left = paper.set(kind.toUpperCase(), TYPE.kind);
  const room = paper.width - left.width - 24;
  paper.placeFromRight(paper.set(title, TYPE.label, room, { maxLines: 1 }), paper.right, paper.y);
  paper.write(left);
  paper.y += 5;
  paper.rule(paper.left, paper.width, paper.y);
  paper.y += 18;
}

/** Enough for the longest title of a request in the widest letters. */
const TITLE_LINES = 12;

/** The head of the first page: kind, a word at the right, title, and the test mark. */
export function drawTitle(
  paper: Paper,
  { kind, aside, title, mark }: { kind: string; aside: string; title: string; mark: string | null },
): void {
  paper.placeFromRight(paper.set(aside, TYPE.label), paper.right, paper.y);
  paper.write(paper.set(kind.toUpperCase(), TYPE.kind));
  paper.y += 6;
  paper.write(paper.set(title, TYPE.title, paper.width, { maxLines: TITLE_LINES, balanced: true }));
  if (mark !== null) {
    paper.y += 4;
    paper.write(paper.set(mark, TYPE.warning));
  }
  paper.y += 10;
  paper.rule(paper.left, paper.width, paper.y, 1);
  paper.y += 10;
}

export function drawFoot(paper: Paper, left: string, right: string): void {
  const top = paper.bottom + 14;
  paper.place(paper.set(left, TYPE.note), paper.left, top);
  paper.placeFromRight(paper.set(right, TYPE.note), paper.right, top);
}
