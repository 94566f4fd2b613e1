import { type Fact, placeFacts } from '../../typesetting/facts.ts';
import { drawFoot, drawRunningHead, drawTitle } from '../../typesetting/furniture.ts';
import { groupedHex } from '../../typesetting/hex.ts';
import { Paper } from '../../typesetting/paper.ts';
import type { Paragraph } from '../../typesetting/paragraph.ts';
import { TYPE } from '../../typesetting/style.ts';
import {
  CLOSE,
  drawSignatures,
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
    drawRunningHead: (page) => drawRunningHead(page, texts.kind, input.title),
    drawFoot: (page, number, count) =>
      drawFoot(page, `${texts.requestId} ${input.requestId}`, texts.pageOf(number, count)),
  });
  drawTitle(paper, {
    kind: texts.kind,
    aside: texts.signatures(input.signers.length),
    title: input.title,
    mark: input.test ? texts.test : null,
  });
  drawDocumentFacts(paper, input, texts);
  drawSignaturesAndStatement(paper, input, texts);
  return paper.finish();
}

function drawDocumentFacts(paper: Paper, input: SignaturePageInput, texts: PageTexts): void {
  const width = paper.width - LABEL_WIDTH;
  const { filename, sha256 } = input.document;
  const fact = (label: string, value: Paragraph): Fact => ({
    label: paper.set(label, TYPE.label, LABEL_WIDTH - 6),
    value,
  });
  const facts = [
    fact(texts.document, paper.set(filename, TYPE.body, width, { maxLines: 6 })),
    fact(texts.fingerprint, paper.set(groupedHex(sha256), TYPE.mono, width, { exact: sha256 })),
    fact('', paper.set(texts.fingerprintNote, TYPE.note, width)),
    fact(texts.requestId, paper.set(input.requestId, TYPE.mono, width, { maxLines: 2 })),
  ];
  paper.y = placeFacts(paper, facts, paper.left, paper.y, LABEL_WIDTH) + 10;
  paper.rule(paper.left, paper.width, paper.y, 0.5);
  paper.y += SECTION_GAP;
}

/** Roomy where all stands on one page so, closer where it does not. */
function drawSignaturesAndStatement(paper: Paper, { signers }: SignaturePageInput, texts: PageTexts): void {
  const statement = paper.set(texts.statement, TYPE.note);
  const aboutReplacements = paper.set(texts.replacedCharacters, TYPE.note);
  const closingHeight = 10 + statement.height + CLOSING_GAP + aboutReplacements.height;

  const roomy = setSignatures(paper, signers, texts, ROOMY);
  const fits = paper.y + heightOfSignatures(roomy, ROOMY) + closingHeight <= paper.bottom;
  const density = fits ? ROOMY : CLOSE;
  drawSignatures(paper, fits ? roomy : setSignatures(paper, signers, texts, CLOSE), density);

  paper.need(closingHeight);
  paper.rule(paper.left, paper.width, paper.y, 0.5);
  paper.y += 10;
  paper.write(statement);
  if (!paper.showsReplacements) return;
  paper.y += CLOSING_GAP;
  paper.write(aboutReplacements);
}
