import { type AuditEvent, verify } from '../requests/chain.ts';
import type { RequestContent, SignatureRequest } from '../requests/model.ts';
import { type Fact, groupedHex, heightOfFacts, writeFacts } from '../typesetting/facts.ts';
import type { Paper } from '../typesetting/paper.ts';
import { linesOf, type Paragraph, type ParagraphOptions } from '../typesetting/paragraph.ts';
import { type Style, TYPE } from '../typesetting/style.ts';
import { asSize, asValue, detailName, inOrder, quoted, utc, type Words } from './wording.ts';

const LABEL_WIDTH = 118;
const SECTION_GAP = 20;
/** The facts of a section are kept on one page up to this height. */
const MAX_UNBROKEN_HEIGHT = 320;

/** Draws a section's title on the same page as the content that follows it. */
export function drawSectionTitle(paper: Paper, title: string, heightAfter: number): void {
  const heading = paper.set(title, TYPE.section);
  const startedPage = paper.need(SECTION_GAP + heading.height + 6 + heightAfter);
  if (!startedPage) paper.y += SECTION_GAP;
  paper.write(heading);
  paper.y += 6;
}

export function drawRequest(
  paper: Paper,
  { state, content }: SignatureRequest,
  { own, page, evidence }: Words,
): void {
  const { request: texts, details, statuses } = own;
  drawFacts(paper, page.requestId, [
    textFact(paper, details.title, state.title),
    codeFact(paper, texts.id, state.id),
    textFact(paper, texts.status, statuses[state.status]),
    textFact(
      paper,
      details.sender,
      `${quoted(state.ownerName)} (${own.values.sender_type[state.ownerType]})`,
    ),
    codeFact(paper, details.sender_id, state.ownerId),
    textFact(paper, texts.createdVia, state.createdBy ? texts.viaDashboard : 'API'),
    ...timeFacts(paper, [
      [evidence.created, state.createdAt],
      [texts.sent, state.sentAt],
      [texts.opened, state.openedAt],
      [statuses.signed, state.signedAt],
      [statuses.cancelled, state.cancelledAt],
      [details.expires_at, state.expiresAt],
    ]),
    ...messageFacts(paper, texts.message, content.message),
  ]);
}

/** Keeps the line breaks of the message. Each line is a fact of its own, since all of them may need more than a page. */
function messageFacts(paper: Paper, label: string, message: string): Fact[] {
  if (message === '') return [];
  const paragraphs = message.split(/\r\n|[\r\n]/);
  const set = (text: string) => setValue(paper, text, TYPE.body);
  return paragraphs
    .flatMap((text) => linesOf(set(text)))
    .map((value, index) => ({ label: labelOf(paper, index === 0 ? label : ''), value }));
}

export function drawDocument(paper: Paper, { state, content }: SignatureRequest, words: Words): void {
  const { document: texts, details } = words.own;
  drawFacts(paper, words.page.document, [
    textFact(paper, details.filename, content.filename),
    textFact(paper, texts.size, asSize(content.documentSize, words)),
    textFact(paper, details.page_count, String(content.pageCount)),
    ...attachmentFacts(paper, content, words),
    hexFact(paper, texts.original, content.documentSha256),
    ...(state.documentHash === null ? [] : [hexFact(paper, details.document_hash, state.documentHash)]),
    ...(state.evidenceHash === null ? [] : [hexFact(paper, details.evidence_hash, state.evidenceHash)]),
    ...timeFacts(paper, [[texts.deleted, state.purgedAt]]),
    ...(content.alreadySigned
      ? [
          textFact(
            paper,
            words.page.kind,
            texts.noSignaturePage + (state.evidenceHash === null ? '' : ` ${texts.evidenceNamesSigners}`),
          ),
        ]
      : []),
  ]);
}

/** A line for each file attached to the document; a second one for the size if the name would cut it off. */
export function attachmentFacts(paper: Paper, { attachments }: RequestContent, words: Words): Fact[] {
  if (attachments === null) return [];
  const { document: texts, details } = words.own;
  const { count, listed } = attachments;
  const lines = listed.flatMap((file) => {
    const [name, size] = [quoted(file.filename) || texts.unnamed, asSize(file.size, words)];
    const line = `${name}, ${size}`;
    return setValue(paper, line, TYPE.body).lines.length > VALUE_LINES ? [name, size] : [line];
  });
  if (count > listed.length) lines.push(texts.moreAttachments(count - listed.length));
  return lines.map((line, index) => textFact(paper, index === 0 ? details.attachments : '', line));
}

export function drawSeal(paper: Paper, { state }: SignatureRequest, words: Words): void {
  if (state.seal === null) return;
  const { sections, seal: texts, details } = words.own;
  const { sealedAt, technical, size, pagesAdded } = state.seal;
  const { level = 'B-T', ...facts } = technical;
  drawFacts(paper, sections.seal, [
    textFact(paper, texts.format, texts.formatName(level)),
    textFact(paper, details.sealed_at, utc(sealedAt)),
    ...inOrder(facts, words).map(([name, value]) =>
      textFact(paper, detailName(name, words), asValue(name, value, words)),
    ),
    textFact(paper, texts.file, `${asSize(size, words)}, ${texts.pagesAdded(pagesAdded)}`),
  ]);
}

export function drawChain(
  paper: Paper,
  { state }: SignatureRequest,
  events: readonly AuditEvent[],
  words: Words,
): void {
  const { sections, chain: texts } = words.own;
  const verdict = verify(state.id, events, { sequence: state.auditSequence, head: state.auditHead });
  drawFacts(paper, sections.integrity, [
    hexFact(paper, texts.head, state.auditHead),
    textFact(
      paper,
      texts.chain,
      verdict.intact ? texts.intact(events.length) : texts.broken(verdict.brokenAt),
    ),
    textFact(paper, texts.howToRead, texts.meaning),
    ...(paper.showsReplacements ? [textFact(paper, texts.characters, words.page.replacedCharacters)] : []),
  ]);
}

export function drawFacts(paper: Paper, title: string, facts: readonly Fact[]): void {
  drawSectionTitle(paper, title, Math.min(heightOfFacts(facts), MAX_UNBROKEN_HEIGHT));
  writeFacts(paper, facts, LABEL_WIDTH);
}

const labelOf = (paper: Paper, label: string) => paper.set(label, TYPE.label, LABEL_WIDTH - 8);

const setValue = (paper: Paper, value: string, style: Style, options?: ParagraphOptions): Paragraph =>
  paper.set(value, style, paper.width - LABEL_WIDTH, options);

const fact = (paper: Paper, label: string, value: string, style: Style, options: ParagraphOptions): Fact => ({
  label: labelOf(paper, label),
  value: setValue(paper, value, style, options),
});

const VALUE_LINES = 6;

export const textFact = (paper: Paper, label: string, value: string): Fact =>
  fact(paper, label, value, TYPE.body, { maxLines: VALUE_LINES });
export const codeFact = (paper: Paper, label: string, value: string): Fact =>
  fact(paper, label, value, TYPE.mono, { maxLines: 3 });
export const hexFact = (paper: Paper, label: string, hex: string): Fact =>
  fact(paper, label, groupedHex(hex), TYPE.mono, { exact: hex });

function timeFacts(paper: Paper, times: readonly (readonly [string, string | null])[]): Fact[] {
  return times.flatMap(([label, time]) => (time === null ? [] : [textFact(paper, label, utc(time))]));
}
