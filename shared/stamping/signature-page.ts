import {
  COMPACT,
  drawSignatures,
  heightOfSignatures,
  ROOMY,
  type SignerOnPage,
  setSignatures,
} from '../audit/signatures.ts';
import type { PdfTexts } from '../texts/en/service.ts';
import { type Locale, languageName, PDF_TEXTS } from '../texts/languages.ts';
import { isUtc, timeIn } from '../texts/zoned-time.ts';
import { type Fact, groupedHex, writeFacts } from '../typesetting/facts.ts';
import { drawFoot, drawRunningHead, drawTitle } from '../typesetting/furniture.ts';
import { Paper } from '../typesetting/paper.ts';
import type { Paragraph } from '../typesetting/paragraph.ts';
import { TYPE } from '../typesetting/style.ts';
import { consentsOf } from './signers-on-page.ts';

export interface SignaturePageInput {
  readonly language: Locale;
  readonly test: boolean;
  readonly requestId: string;
  readonly title: string;
  readonly sender: string;
  readonly document: {
    readonly filename: string;
    /** Lower-case hex of the original's bytes. */
    readonly sha256: string;
  };
  /** The end of the trail when the last signer signed; null for requests made before there were anchors. */
  readonly anchor: { readonly sequence: number; readonly hash: string } | null;
  readonly verifyUrl: string;
  /** The sender's zone, shown beside UTC; null for UTC only. */
  readonly timeZone: string | null;
  /** The signers who signed, in the order of the request. */
  readonly signers: readonly SignerOnPage[];
  /** RFC 3339; the date in the page's PDF metadata, for example the time of the last signature. */
  readonly createdAt: string;
}

const LABEL_WIDTH = 74;
const SECTION_GAP = 26;
const CLOSING_GAP = 4;

/**
 * Renders the page that is appended to the document before sealing: who signed, when and how it was proved. A
 * separate A4 PDF with as many pages as the signers need. The same input produces the same bytes.
 */
export async function makeSignaturePage(input: SignaturePageInput): Promise<Uint8Array> {
  const texts = PDF_TEXTS[input.language];
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

function drawDocumentFacts(paper: Paper, input: SignaturePageInput, texts: PdfTexts): void {
  const width = paper.width - LABEL_WIDTH;
  const { filename, sha256 } = input.document;
  const fact = (label: string, value: Paragraph): Fact => ({
    label: paper.set(label, TYPE.label, LABEL_WIDTH - 6),
    value,
  });
  const anchorFacts = ({ sequence, hash }: NonNullable<SignaturePageInput['anchor']>) => [
    fact(texts.anchor, paper.set(groupedHex(hash), TYPE.mono, width, { exact: hash })),
    fact('', paper.set(texts.anchorNote(sequence), TYPE.note, width)),
  ];
  const facts = [
    fact(texts.sender, paper.set(input.sender, TYPE.body, width)),
    fact(texts.document, paper.set(filename, TYPE.body, width)),
    fact(texts.fingerprint, paper.set(groupedHex(sha256), TYPE.mono, width, { exact: sha256 })),
    fact('', paper.set(texts.fingerprintNote, TYPE.note, width)),
    fact(texts.requestId, paper.set(input.requestId, TYPE.mono, width)),
    ...(input.anchor === null ? [] : anchorFacts(input.anchor)),
  ];
  writeFacts(paper, facts, LABEL_WIDTH);
  paper.y += 10;
  paper.rule(paper.left, paper.width, paper.y);
  paper.y += SECTION_GAP;
}

/** Use the roomy layout if everything fits one page. */
function drawSignaturesAndStatement(
  paper: Paper,
  { signers, verifyUrl, timeZone, language }: SignaturePageInput,
  texts: PdfTexts,
): void {
  const wording = {
    texts,
    localTime: timeZone === null || isUtc(timeZone) ? null : timeIn(timeZone, language),
  };
  const closing = [
    ...consentsOf(signers).map(({ locale, version, text }) =>
      paper.set(
        `${texts.consent} (${texts.consentOf(languageName(locale), version)})${texts.colon} ${text}`,
        TYPE.note,
      ),
    ),
    paper.set(texts.statement, TYPE.note),
    paper.set(texts.verifyAt(verifyUrl), TYPE.note),
  ];
  const replacementsNote = paper.set(texts.replacedCharacters, TYPE.note);
  const closingHeight =
    10 + closing.reduce((sum, { height }) => sum + height + CLOSING_GAP, 0) + replacementsNote.height;

  const roomy = setSignatures(paper, signers, wording, ROOMY);
  const fits = paper.y + heightOfSignatures(roomy, ROOMY) + closingHeight <= paper.bottom;
  const density = fits ? ROOMY : COMPACT;
  drawSignatures(paper, fits ? roomy : setSignatures(paper, signers, wording, COMPACT), density);

  paper.need(closingHeight);
  paper.rule(paper.left, paper.width, paper.y);
  paper.y += 10;
  for (const paragraph of closing) {
    paper.write(paragraph);
    paper.y += CLOSING_GAP;
  }
  if (paper.showsReplacements) paper.write(replacementsNote);
}
