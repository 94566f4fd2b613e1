import { type Fact, placeFacts } from '../../typesetting/facts.ts';
import { Paper } from '../../typesetting/paper.ts';
import type { Paragraph } from '../../typesetting/paragraph.ts';
import { TYPE } from '../../typesetting/style.ts';
import {
  CLOSE,
  drawSignatures,
  hasReplacedCharacters,
  heightOfSignatures,
  ROOMY,
  type SignerOnPage,
  setSignatures,
} from './signatures.ts';
import { type PageLanguage, type PageTexts, TEXTS } from './texts.ts';

export interface SignaturePageInput {
  readonly language: PageLanguage;
  readonly test: boolean;
  readonly requestId: string;
  readonly title: string;
  readonly document: {
    readonly filename: string;
    /** Lower-case hex of the original's bytes. */
    readonly sha256: string;
  };
  /** Those who signed, in the order of the request. */
  readonly signers: readonly SignerOnPage[];
  /** RFC 3339; the date that the page's PDF carries, for example the time of the last signature. */
  readonly createdAt: string;
}

const LABEL_WIDTH = 74;
const SECTION_GAP = 26;
const CLOSING_GAP = 4;

/**
 * The page that is appended to the document before it is sealed: who signed, when, and how it was proved. A PDF of
 * its own, A4, one page, and more where many sign. The same input gives the same bytes.
 */
export async function makeSignaturePage(input: SignaturePageInput): Promise<Uint8Array> {
  const texts = TEXTS[input.language];
  const paper = await Paper.open({
    title: `${texts.kind}: ${input.title}`,
    subject: input.requestId,
    language: input.language,
    createdAt: input.createdAt,
    watermark: input.test ? texts.testWatermark : null,
    drawRunningHead: (page) => drawRunningHead(page, input, texts),
    drawFoot: (page, number, count) => drawFoot(page, input, texts, number, count),
  });
  const title = drawHead(paper, input, texts);
  const closing = await drawBody(paper, input, texts, title);
  for (const paragraph of closing) {
    paper.write(paragraph);
    paper.y += CLOSING_GAP;
  }
  return paper.finish();
}

/** Signatures and closing words: roomy where all stands on one page so, closer where it does not. */
async function drawBody(
  paper: Paper,
  input: SignaturePageInput,
  texts: PageTexts,
  title: Paragraph,
): Promise<Paragraph[]> {
  const roomy = await setSignatures(paper, input.signers, texts, ROOMY);
  const replaced = title.exact !== null || hasReplacedCharacters(roomy);
  const closing = [texts.statement, ...(replaced ? [texts.replacedCharacters] : [])].map((text) =>
    paper.set(text, TYPE.note),
  );
  const closingHeight = closing.reduce((sum, { height }) => sum + height + CLOSING_GAP, 0) + SECTION_GAP;

  const fits = paper.y + heightOfSignatures(roomy, ROOMY) + closingHeight <= paper.bottom;
  const density = fits ? ROOMY : CLOSE;
  const blocks = fits ? roomy : await setSignatures(paper, input.signers, texts, CLOSE);
  drawSignatures(paper, blocks, density);
  paper.need(closingHeight);
  paper.rule(paper.left, paper.width, paper.y, 0.5);
  paper.y += 10;
  return closing;
}

function drawHead(paper: Paper, input: SignaturePageInput, texts: PageTexts): Paragraph {
  const top = paper.y;
  paper.placeFromRight(paper.set(texts.signatures(input.signers.length), TYPE.label), paper.right, top);
  paper.write(paper.set(texts.kind.toUpperCase(), TYPE.kind));
  paper.y += 6;
  const title = paper.set(input.title, TYPE.title, paper.width, { maxLines: 4, balanced: true });
  paper.write(title);
  if (input.test) {
    paper.y += 4;
    paper.write(paper.set(texts.test, TYPE.warning));
  }
  paper.y += 10;
  paper.rule(paper.left, paper.width, paper.y, 1);
  paper.y += 10;
  paper.y = placeFacts(paper, documentFacts(paper, input, texts), paper.left, paper.y, LABEL_WIDTH);
  paper.y += 10;
  paper.rule(paper.left, paper.width, paper.y, 0.5);
  paper.y += SECTION_GAP;
  return title;
}

function documentFacts(paper: Paper, input: SignaturePageInput, texts: PageTexts): Fact[] {
  const width = paper.width - LABEL_WIDTH;
  const { filename, sha256 } = input.document;
  const label = (text: string) => paper.set(text, TYPE.label, LABEL_WIDTH - 6);
  return [
    { label: label(texts.document), value: paper.set(filename, TYPE.body, width, { maxLines: 3 }) },
    {
      label: label(texts.fingerprint),
      value: paper.set(groupedHex(sha256), TYPE.mono, width, { exact: sha256 }),
    },
    { label: label(''), value: paper.set(texts.fingerprintNote, TYPE.note, width) },
    { label: label(texts.requestId), value: paper.set(input.requestId, TYPE.mono, width) },
  ];
}

/** Eight digits at a time, as one compares them by eye. */
export function groupedHex(hex: string): string {
  return hex.match(/.{1,8}/g)?.join(' ') ?? '';
}

function drawRunningHead(paper: Paper, input: SignaturePageInput, texts: PageTexts): void {
  const kind = paper.set(texts.kind.toUpperCase(), TYPE.kind);
  const room = paper.width - kind.width - 24;
  paper.placeFromRight(paper.set(input.title, TYPE.label, room, { maxLines: 1 }), paper.right, paper.y);
  paper.write(kind);
  paper.y += 5;
  paper.rule(paper.left, paper.width, paper.y, 0.5);
  paper.y += 20;
}

function drawFoot(
  paper: Paper,
  input: SignaturePageInput,
  texts: PageTexts,
  page: number,
  pages: number,
): void {
  const top = paper.bottom + 14;
  paper.place(paper.set(`${texts.requestId} ${input.requestId}`, TYPE.note), paper.left, top);
  paper.placeFromRight(paper.set(texts.pageOf(page, pages), TYPE.note), paper.right, top);
}
