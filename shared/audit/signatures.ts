import type { TypedStyle } from '../contract/fields.ts';
import { utcTime } from '../runtime/time.ts';
import type { PdfTexts } from '../texts/en/service.ts';
import { type Locale, languageName } from '../texts/languages.ts';
import { type Fact, heightOfFacts, placeFacts } from '../typesetting/facts.ts';
import type { Paper, Picture } from '../typesetting/paper.ts';
import type { Paragraph } from '../typesetting/paragraph.ts';
import { INK, type Style, TYPE } from '../typesetting/style.ts';
import { quoted } from './wording.ts';

/** One signer with the signature; times are RFC 3339. */
export interface SignerOnPage {
  readonly nameAsSigned: string;
  readonly email: string;
  /** When the document was first shown to the signer. */
  readonly viewedAt: string | null;
  readonly signedAt: string;
  readonly consent: { readonly version: string; readonly locale: Locale } | null;
  readonly ipAddress: string | null;
  readonly representing: Representing | null;
  readonly signature: TypedSignature | DrawnSignature;
}

interface Representing {
  readonly name: string;
  readonly role: string | null;
  readonly entityId: string | null;
}

interface TypedSignature {
  readonly type: 'typed';
  readonly text: string;
  /** The usual one if there is none. */
  readonly style?: TypedStyle | null;
}

interface DrawnSignature {
  readonly type: 'drawn';
  readonly png: Uint8Array;
}

/** The measures of one signature: roomy for few signers, compact for many. */
export interface Density {
  readonly markHeight: number;
  readonly markSize: number;
  readonly gap: number;
}

export const ROOMY: Density = { markHeight: 46, markSize: 25, gap: 26 };
export const COMPACT: Density = { markHeight: 27, markSize: 17, gap: 11 };

interface SignatureBlock {
  readonly mark: Paragraph | Drawing;
  readonly names: readonly Paragraph[];
  readonly facts: readonly Fact[];
  readonly ordinal: Paragraph;
  readonly height: number;
}

interface Drawing {
  readonly picture: Picture;
  /** The name of the signer, for screen readers. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

const LEFT_COLUMN = 206;
const RIGHT_COLUMN_AT = 232;
const LABEL_WIDTH = 74;
const LINE_GAP = 4;
/** Enough for the longest name and address that the service accepts. */
const MAX_LINES = 18;
/** For each text of a signer whose texts would otherwise be higher than a page. */
const FEWER_LINES = 11;

interface Wording {
  readonly texts: PdfTexts;
  /** The same moment in the sender's time zone, which stands beside UTC; null without one. */
  readonly localTime: ((iso: string) => string) | null;
}

/** Lays out one block for each signer: the signature on the left, the facts about it on the right. */
export function setSignatures(
  paper: Paper,
  signers: readonly SignerOnPage[],
  wording: Wording,
  density: Density,
): SignatureBlock[] {
  return signers.map((signer, index) => setSignature(paper, signer, index + 1, wording, density));
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
  wording: Wording,
  density: Density,
  maxLines = MAX_LINES,
): SignatureBlock {
  const mark = setMark(paper, signer, density, maxLines);
  const names = setNames(paper, signer, wording.texts, maxLines);
  const facts = setFacts(paper, signer, wording);
  const leftHeight =
    heightOfMark(mark, density) + LINE_GAP + names.reduce((sum, { height }) => sum + height, 0);
  if (leftHeight > paper.height && maxLines > FEWER_LINES)
    return setSignature(paper, signer, ordinal, wording, density, FEWER_LINES);
  return {
    mark,
    names,
    facts,
    ordinal: paper.set(String(ordinal), TYPE.note),
    height: Math.max(leftHeight, heightOfFacts(facts)),
  };
}

/** Lays out a drawn or typed signature; if a drawing cannot be read, the name. */
function setMark(
  paper: Paper,
  { signature, nameAsSigned }: SignerOnPage,
  density: Density,
  maxLines: number,
): Paragraph | Drawing {
  if (signature.type === 'drawn') {
    const picture = paper.picture(signature.png);
    if (picture !== null) {
      const scale = Math.min(LEFT_COLUMN / picture.width, density.markHeight / picture.height);
      return { picture, name: nameAsSigned, width: picture.width * scale, height: picture.height * scale };
    }
  }
  const typed = signature.type === 'typed' ? signature : { text: nameAsSigned, style: null };
  return setTypedMark(paper, typed.text, typed.style ?? 'italic', density, maxLines);
}

/** Shrinks a long name until it fits two lines, so that none is cut. A name shown as code points is always small. */
function setTypedMark(
  paper: Paper,
  text: string,
  face: TypedStyle,
  density: Density,
  maxLines: number,
): Paragraph {
  const smallest = 9;
  const small = paper.set(text, typedStyle(face, smallest), LEFT_COLUMN, { maxLines });
  if (small.isReplaced) return small;
  for (let size = density.markSize; size > smallest; size -= 2) {
    const paragraph = paper.set(text, typedStyle(face, size), LEFT_COLUMN);
    if (paragraph.lines.length === 1 || (paragraph.lines.length === 2 && size <= density.markSize * 0.7)) {
      return paragraph;
    }
  }
  return small;
}

function typedStyle(face: TypedStyle, size: number): Style {
  return { face, size, leading: Math.round(size * 1.2), ink: INK.signature };
}

function setNames(
  paper: Paper,
  { nameAsSigned, representing }: SignerOnPage,
  texts: PdfTexts,
  maxLines: number,
): Paragraph[] {
  const name = paper.set(nameAsSigned, TYPE.strong, LEFT_COLUMN, { maxLines });
  if (representing === null) return [name];
  const { name: entity, role, entityId } = representing;
  const line = (text: string) => paper.set(text, TYPE.note, LEFT_COLUMN, { maxLines });
  const represented =
    texts.onBehalfOf(quoted(entity)) + (entityId ? ` (${texts.entityId(quoted(entityId))})` : '');
  return [name, line(represented), ...(role ? [line(texts.inTheRoleOf(quoted(role)))] : [])];
}

function setFacts(paper: Paper, signer: SignerOnPage, { texts, localTime }: Wording): Fact[] {
  const width = paper.width - RIGHT_COLUMN_AT - LABEL_WIDTH;
  const fact = (label: string, value: string): Fact => ({
    label: paper.set(label, TYPE.label, LABEL_WIDTH - 6),
    value: paper.set(value, TYPE.body, width),
  });
  const { viewedAt, signedAt, email, ipAddress, consent } = signer;
  const time = (iso: string) => `${texts.time(utcTime(iso))}${localTime ? ` (${localTime(iso)})` : ''}`;
  return [
    ...(viewedAt ? [fact(texts.firstViewed, time(viewedAt))] : []),
    fact(texts.signedAt, time(signedAt)),
    fact(texts.email, email),
    fact(texts.proof, texts.proofByLinkAndCode),
    fact(texts.ipAddress, ipAddress ?? texts.notRecorded),
    ...(consent ? [fact(texts.consent, texts.consentOf(languageName(consent.locale), consent.version))] : []),
  ];
}

function heightOfMark(mark: Paragraph | Drawing, density: Density): number {
  return Math.max(mark.height, density.markHeight);
}

function drawSignature(
  paper: Paper,
  { mark, names, facts, ordinal }: SignatureBlock,
  density: Density,
): void {
  const line = paper.y + heightOfMark(mark, density);
  if ('picture' in mark) {
    const { picture, name, width, height } = mark;
    paper.placePicture(picture, name, { x: paper.left, top: line - height, width, height });
  } else {
    paper.place(mark, paper.left, line - mark.height);
  }
  paper.rule(paper.left, LEFT_COLUMN, line, 0.7, INK.soft);
  paper.placeFromRight(ordinal, paper.left - 8, line + LINE_GAP + 1);

  let y = line + LINE_GAP;
  for (const paragraph of names) {
    paper.place(paragraph, paper.left, y);
    y += paragraph.height;
  }
  placeFacts(paper, facts, paper.left + RIGHT_COLUMN_AT, paper.y, LABEL_WIDTH);
}
