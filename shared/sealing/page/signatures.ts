import { type Fact, heightOfFacts, placeFacts } from '../../typesetting/facts.ts';
import type { Paper, Picture } from '../../typesetting/paper.ts';
import type { Paragraph } from '../../typesetting/paragraph.ts';
import { INK, type Style, TYPE } from '../../typesetting/style.ts';
import { type PageTexts, utcTime } from './texts.ts';

/** One signer, as the signature was given. Plain data; the time is RFC 3339. */
export interface SignerOnPage {
  readonly nameAsSigned: string;
  readonly email: string;
  readonly signedAt: string;
  readonly ipAddress: string | null;
  readonly representing: Representing | null;
  readonly signature: TypedSignature | DrawnSignature;
}

export interface Representing {
  readonly name: string;
  readonly role: string | null;
  readonly entityId: string | null;
}

export interface TypedSignature {
  readonly type: 'typed';
  readonly text: string;
}

export interface DrawnSignature {
  readonly type: 'drawn';
  readonly png: Uint8Array;
}

/** The measures of one signature: roomy where few sign, close where many do. */
export interface Density {
  readonly markHeight: number;
  readonly markSize: number;
  readonly gap: number;
}

export const ROOMY: Density = { markHeight: 46, markSize: 25, gap: 26 };
export const CLOSE: Density = { markHeight: 27, markSize: 17, gap: 11 };

interface SignatureBlock {
  readonly mark: Paragraph | Drawing;
  readonly who: readonly Paragraph[];
  readonly facts: readonly Fact[];
  readonly ordinal: Paragraph;
  readonly height: number;
}

interface Drawing {
  readonly picture: Picture;
  readonly width: number;
  readonly height: number;
}

const LEFT_COLUMN = 206;
const RIGHT_COLUMN_AT = 232;
const LABEL_WIDTH = 74;
const LINE_GAP = 4;
/** Enough for the longest name and address that the service accepts, so that none is cut. */
const MOST_LINES = 18;

/** The signers one below the other: at the left the signature on its line, at the right how it was given. */
export function setSignatures(
  paper: Paper,
  signers: readonly SignerOnPage[],
  texts: PageTexts,
  density: Density,
): SignatureBlock[] {
  return signers.map((signer, index) => setSignature(paper, signer, index + 1, texts, density));
}

export function heightOfSignatures(blocks: readonly SignatureBlock[], density: Density): number {
  return blocks.reduce((sum, { height }) => sum + height + density.gap, 0);
}

export function drawSignatures(paper: Paper, blocks: readonly SignatureBlock[], density: Density): void {
  for (const block of blocks) {
    paper.need(block.height);
    drawSignature(paper, block, density);
    paper.y += block.height + density.gap;
  }
}

function setSignature(
  paper: Paper,
  signer: SignerOnPage,
  ordinal: number,
  texts: PageTexts,
  density: Density,
): SignatureBlock {
  const mark = setMark(paper, signer, density);
  const who = setWho(paper, signer, texts);
  const facts = setFacts(paper, signer, texts);
  const leftHeight =
    heightOfMark(mark, density) + LINE_GAP + who.reduce((sum, { height }) => sum + height, 0);
  return {
    mark,
    who,
    facts,
    ordinal: paper.set(String(ordinal), TYPE.note),
    height: Math.max(leftHeight, heightOfFacts(facts)),
  };
}

/** The drawn signature; the typed one where it was typed, and the name where a drawing cannot be read. */
function setMark(
  paper: Paper,
  { signature, nameAsSigned }: SignerOnPage,
  density: Density,
): Paragraph | Drawing {
  if (signature.type === 'drawn') {
    const picture = paper.picture(signature.png);
    if (picture !== null) {
      const scale = Math.min(LEFT_COLUMN / picture.width, density.markHeight / picture.height);
      return { picture, width: picture.width * scale, height: picture.height * scale };
    }
  }
  return setTypedMark(paper, signature.type === 'typed' ? signature.text : nameAsSigned, density);
}

/** A long name is set smaller until it fits in two lines, rather than cut. Code points make no signature: small. */
function setTypedMark(paper: Paper, text: string, density: Density): Paragraph {
  const smallest = 9;
  const small = paper.set(text, typedStyle(smallest), LEFT_COLUMN, { maxLines: MOST_LINES });
  if (small.isReplaced) return small;
  for (let size = density.markSize; size > smallest; size -= 2) {
    const paragraph = paper.set(text, typedStyle(size), LEFT_COLUMN);
    if (paragraph.lines.length === 1 || (paragraph.lines.length === 2 && size <= density.markSize * 0.7)) {
      return paragraph;
    }
  }
  return small;
}

function typedStyle(size: number): Style {
  return { face: 'italic', size, leading: Math.round(size * 1.2), ink: INK.signature };
}

function setWho(paper: Paper, { nameAsSigned, representing }: SignerOnPage, texts: PageTexts): Paragraph[] {
  const name = paper.set(nameAsSigned, TYPE.strong, LEFT_COLUMN, { maxLines: MOST_LINES });
  if (representing === null) return [name];
  const { name: entity, role, entityId } = representing;
  const line = (text: string) => paper.set(text, TYPE.note, LEFT_COLUMN, { maxLines: MOST_LINES });
  const represented = texts.onBehalfOf(entity) + (entityId ? ` (${texts.entityId(entityId)})` : '');
  return [name, line(represented), ...(role ? [line(texts.inTheRoleOf(role))] : [])];
}

function setFacts(paper: Paper, signer: SignerOnPage, texts: PageTexts): Fact[] {
  const width = paper.width - RIGHT_COLUMN_AT - LABEL_WIDTH;
  const fact = (label: string, value: string): Fact => ({
    label: paper.set(label, TYPE.label, LABEL_WIDTH - 6),
    value: paper.set(value, TYPE.body, width, { maxLines: MOST_LINES }),
  });
  return [
    fact(texts.signedAt, texts.time(utcTime(signer.signedAt))),
    fact(texts.email, signer.email),
    fact(texts.proof, texts.proofByLinkAndCode),
    fact(texts.ipAddress, signer.ipAddress ?? texts.notRecorded),
  ];
}

function heightOfMark(mark: Paragraph | Drawing, density: Density): number {
  return Math.max(mark.height, density.markHeight);
}

function drawSignature(paper: Paper, { mark, who, facts, ordinal }: SignatureBlock, density: Density): void {
  const line = paper.y + heightOfMark(mark, density);
  if ('picture' in mark) {
    paper.placePicture(mark.picture, paper.left, line - mark.height, mark.width, mark.height);
  } else {
    paper.place(mark, paper.left, line - mark.height);
  }
  paper.rule(paper.left, LEFT_COLUMN, line, 0.7, INK.soft);
  paper.placeFromRight(ordinal, paper.left - 8, line + LINE_GAP + 1);

  let y = line + LINE_GAP;
  for (const paragraph of who) {
    paper.place(paragraph, paper.left, y);
    y += paragraph.height;
  }
  placeFacts(paper, facts, paper.left + RIGHT_COLUMN_AT, paper.y, LABEL_WIDTH);
}
