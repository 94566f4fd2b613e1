import type { AuditEvent } from '../requests/chain.ts';
import type { SignatureRequest } from '../requests/model.ts';
import { drawFoot, drawRunningHead, drawTitle } from '../typesetting/furniture.ts';
import { Paper } from '../typesetting/paper.ts';
import { TYPE } from '../typesetting/style.ts';
import { drawChain, drawDocument, drawRequest, drawSeal, drawSectionTitle } from './sections.ts';
import { COMPACT, drawSignatures, type SignerOnPage, setSignatures } from './signatures.ts';
import { drawEvents, drawSigners, drawWebhooks } from './tables.ts';
import { notSigned, utc, type Words, wordsIn } from './wording.ts';

export interface AuditTrailInput {
  readonly request: SignatureRequest;
  /** All events in order. */
  readonly events: readonly AuditEvent[];
  /** The signatures of a document without a signature page, since it already carried signatures; empty for any other. */
  readonly signatures: readonly SignerOnPage[];
  /** RFC 3339; the time of the request's state that is shown. */
  readonly generatedAt: string;
}

/**
 * Renders the audit trail of a request in any state as an informational PDF in the request's language: the request, who
 * did what and when, and how it was sealed. The same input produces the same bytes.
 */
export async function makeAuditTrailPdf(input: AuditTrailInput): Promise<Uint8Array> {
  const { request, events } = input;
  const { state } = request;
  const words = wordsIn(state.locale);
  const { own, page } = words;
  const isTest = state.mode === 'test';
  const paper = await Paper.open({
    title: `${own.kind}: ${state.title}`,
    subject: state.id,
    language: state.locale,
    createdAt: input.generatedAt,
    watermark: isTest ? page.testWatermark : null,
    drawRunningHead: (paper) => drawRunningHead(paper, own.kind, state.title),
    drawFoot: (paper, number, count) => drawFoot(paper, own.foot(state.id), page.pageOf(number, count)),
  });
  drawTitle(paper, {
    kind: own.kind,
    aside: own.statuses[state.status],
    title: state.title,
    mark: isTest ? own.testMark : null,
  });
  paper.write(paper.set(notSigned(state, words), TYPE.strong));
  paper.write(paper.set(own.asOf(utc(input.generatedAt)), TYPE.label));
  drawRequest(paper, request, words);
  drawDocument(paper, request, words);
  drawSigners(paper, request.signers, words);
  drawSeal(paper, request, words);
  if (input.signatures.length > 0) drawSignatureSection(paper, input.signatures, words);
  drawEvents(paper, events, request.signers, words);
  drawChain(paper, request, events, words);
  drawWebhooks(paper, events, words);
  return paper.finish();
}

function drawSignatureSection(
  paper: Paper,
  signatures: readonly SignerOnPage[],
  { own, page, evidence }: Words,
): void {
  const blocks = setSignatures(paper, signatures, { texts: page, localTime: null }, COMPACT);
  const note = paper.set(own.signaturesNote, TYPE.label);
  drawSectionTitle(paper, evidence.signatures, note.height + (blocks[0]?.height ?? 0) + 10);
  paper.write(note);
  paper.y += 10;
  drawSignatures(paper, blocks, COMPACT);
}
