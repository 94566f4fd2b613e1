import {
  attachmentFacts,
  codeFact,
  drawFacts,
  drawSectionTitle,
  hexFact,
  textFact,
} from '../audit/sections.ts';
import { type Density, drawSignatures, type SignerOnPage, setSignatures } from '../audit/signatures.ts';
import { clockTime, eventName, type Words, wordsIn } from '../audit/wording.ts';
import type { AuditEvent } from '../requests/chain.ts';
import { type EvidenceRecord, evidenceJson } from '../requests/evidence.ts';
import { signerNames } from '../requests/link-holders.ts';
import type { SignatureRequest } from '../requests/model.ts';
import { utcTime } from '../runtime/time.ts';
import type { Lasting } from '../sealing/level.ts';
import type { EvidenceTexts } from '../texts/en/service.ts';
import { languageName } from '../texts/languages.ts';
import { drawFoot, drawRunningHead, drawTitle } from '../typesetting/furniture.ts';
import { Paper } from '../typesetting/paper.ts';
import { TYPE } from '../typesetting/style.ts';
import { type Column, drawTable, heightOfStart, type Row, textWidth } from '../typesetting/table.ts';
import { consentsOf, lastSignatureAt } from './signers-on-page.ts';
import { EVIDENCE_JSON } from './verify-evidence.ts';

export interface EvidenceInput {
  readonly request: SignatureRequest;
  readonly record: EvidenceRecord;
  /** The signers who signed, in the order of the request. */
  readonly signers: readonly SignerOnPage[];
  /** Of the sealed document. */
  readonly lasting: Lasting;
  readonly verifyUrl: string;
}

/**
 * Renders the evidence file, still unsealed: who signed what, when and how, with all events up to the anchor. A PDF/A-3b
 * and PDF/UA-1 with the events attached as data. The same input produces the same bytes.
 */
export async function makeEvidenceFile(input: EvidenceInput): Promise<Uint8Array> {
  const { request, record, signers } = input;
  const { state } = request;
  const words = wordsIn(state.locale);
  const { page, evidence: own } = words;
  const isTest = state.mode === 'test';
  const paper = await Paper.open({
    // Holds no user text, since SignPdf searches the uncompressed bytes for its placeholder.
    title: own.kind,
    subject: state.id,
    language: state.locale,
    createdAt: lastSignatureAt(signers) ?? state.createdAt,
    watermark: isTest ? page.testWatermark : null,
    drawRunningHead: (paper) => drawRunningHead(paper, own.kind, state.title),
    drawFoot: (paper, number, count) =>
      drawFoot(paper, `${page.requestId} ${state.id}`, page.pageOf(number, count)),
    archives: {
      name: EVIDENCE_JSON,
      description: own.attachment,
      mimeType: 'application/json',
      content: Buffer.from(evidenceJson(record)),
    },
  });
  drawTitle(paper, {
    kind: own.kind,
    aside: page.signatures(signers.length),
    title: state.title,
    mark: isTest ? page.test : null,
  });
  drawRequest(paper, input, words);
  drawSignatureSection(paper, signers, words);
  drawConsent(paper, signers, words);
  drawEvents(paper, input, words);
  drawHowToVerify(paper, input, words);
  return paper.finish();
}

function drawRequest(paper: Paper, { request, record, lasting }: EvidenceInput, words: Words): void {
  const { page, evidence: own } = words;
  const { state, content } = request;
  const { document: audited, details } = words.own;
  drawFacts(paper, page.requestId, [
    textFact(paper, page.sender, state.ownerName),
    textFact(paper, own.created, page.time(utcTime(state.createdAt))),
    codeFact(paper, page.requestId, state.id),
    textFact(paper, page.document, content.filename),
    ...attachmentFacts(paper, content, words),
    hexFact(paper, audited.original, record.originalSha256),
    hexFact(paper, details.document_hash, record.sealedSha256),
    textFact(paper, own.level.name, own.level.told[lasting.level](page.time(utcTime(lasting.until)))),
    hexFact(paper, page.anchor, record.anchor.hash),
    textFact(paper, '', own.anchorNote(record.anchor.sequence)),
  ]);
}

/** Sized so that a signature is as high as the facts beside it. */
const DENSITY: Density = { markHeight: 38, markSize: 21, gap: 13 };

function drawSignatureSection(
  paper: Paper,
  signers: readonly SignerOnPage[],
  { page, evidence: own }: Words,
): void {
  const blocks = setSignatures(paper, signers, { texts: page, localTime: null }, DENSITY);
  drawSectionTitle(paper, own.signatures, (blocks[0]?.height ?? 0) + DENSITY.gap);
  paper.y += 6;
  drawSignatures(paper, blocks, DENSITY);
}

/** Prints each text that a signer agreed to once, in the order of the signers. */
function drawConsent(paper: Paper, signers: readonly SignerOnPage[], { page, evidence: own }: Words): void {
  const texts = consentsOf(signers).map(({ locale, version, text }) => ({
    head: paper.set(page.consentOf(languageName(locale), version), TYPE.strong),
    text: paper.set(text, TYPE.body),
  }));
  const note = paper.set(own.consentGiven, TYPE.label);
  const [first] = texts;
  if (first === undefined) return;
  drawSectionTitle(paper, page.consent, note.height + 6 + first.head.height + first.text.height);
  paper.write(note);
  for (const { head, text } of texts) {
    paper.y += 6;
    paper.need(head.height + text.height);
    paper.write(head);
    paper.write(text);
  }
}

function drawEvents(paper: Paper, { request, record }: EvidenceInput, words: Words): void {
  const { evidence: own } = words;
  const { columns: headings } = own;
  const columns: readonly Column[] = [
    { heading: '', width: 34 },
    { heading: headings.time, width: 96 },
    { heading: headings.event, width: 114 },
    { heading: headings.by, width: 110 },
    { heading: headings.hash, width: 125.28 },
  ];
  const nameOf = signerNames(request.signers, record.events);
  const set = (column: number, text: string, style: (typeof TYPE)[keyof typeof TYPE], exact?: string) =>
    paper.set(text, style, textWidth(columns, column), { maxLines: 4, ...(exact && { exact }) });
  const rows = record.events.map((event): Row => {
    const { sequence, at, ipAddress, hash } = event;
    return [
      [set(0, String(sequence), TYPE.label)],
      [set(1, clockTime(at), TYPE.body)],
      [set(2, eventName(event.type, words), TYPE.body)],
      [
        ...byLines(event, nameOf(event), own).map((line, index) =>
          set(3, line, index === 0 ? TYPE.body : TYPE.note),
        ),
        ...(ipAddress === null ? [] : [set(3, ipAddress, TYPE.note)]),
      ],
      [set(4, `${hash.slice(0, 32)} ${hash.slice(32)}`, TYPE.monoNote, hash)],
    ];
  });
  const note = paper.set(own.eventsNote, TYPE.label);
  drawSectionTitle(paper, own.events, note.height + 8 + heightOfStart(rows));
  paper.write(note);
  paper.y += 8;
  drawTable(paper, columns, rows);
}

function byLines({ actor }: AuditEvent, signer: string | undefined, { actors }: EvidenceTexts): string[] {
  if (signer === undefined) return [actors[actor]];
  return actor === 'signer' ? [signer] : [actors[actor], signer];
}

function drawHowToVerify(paper: Paper, { verifyUrl }: EvidenceInput, { page, evidence: own }: Words): void {
  const parts = [
    own.verifyDocument(verifyUrl),
    own.verifyFile,
    own.verifyEvents(EVIDENCE_JSON),
    ...(paper.showsReplacements ? [page.replacedCharacters] : []),
  ].map((text) => paper.set(text, TYPE.body));
  drawSectionTitle(
    paper,
    own.verify,
    parts.reduce((sum, { height }) => sum + height + 4, 0),
  );
  for (const part of parts) {
    paper.write(part);
    paper.y += 4;
  }
}
