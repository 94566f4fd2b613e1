import type { SignatureRequest } from '../../requests/model.ts';
import { CLOSE, drawSignatures, type SignerOnPage, setSignatures } from '../../sealing/page/signatures.ts';
import { TEXTS } from '../../sealing/page/texts.ts';
import { drawFoot, drawRunningHead, drawTitle } from '../../typesetting/furniture.ts';
import { Paper } from '../../typesetting/paper.ts';
import { TYPE } from '../../typesetting/style.ts';
import type { AuditEvent } from '../chain.ts';
import { drawChain, drawDocument, drawRequest, drawSeal, drawSectionTitle } from './sections.ts';
import { drawEvents, drawSigners } from './tables.ts';
import { NOT_SIGNED, STATUS, TEST_MARK, utc } from './wording.ts';

const KIND = 'Audit trail';
const WHY_SIGNATURES_ARE_HERE =
  'They stand here because the document already carried signatures and so got no signature page.';

export interface AuditTrailInput {
  readonly request: SignatureRequest;
  /** Whole and in order, as stored. */
  readonly events: readonly AuditEvent[];
  /**
   * The signatures themselves, for a document that already carried signatures and so got no signature page; empty for any
   * other, whose signatures stand on that page.
   */
  readonly signatures: readonly SignerOnPage[];
  /** RFC 3339: the moment that this shows. */
  readonly generatedAt: string;
}

/**
 * The audit trail of a request in any state, as a PDF for people: what was asked, who did what and when, and how the
 * seal was made. Informational; the same input gives the same bytes.
 */
export async function makeAuditTrailPdf(input: AuditTrailInput): Promise<Uint8Array> {
  const { request, events } = input;
  const { state } = request;
  const paper = await Paper.open({
    title: `${KIND}: ${state.title}`,
    subject: state.id,
    language: 'en',
    createdAt: input.generatedAt,
    watermark: state.mode === 'test' ? 'TEST' : null,
    drawRunningHead: (page) => drawRunningHead(page, KIND, state.title),
    drawFoot: (page, number, count) =>
      drawFoot(page, `Request ${state.id} · informational, not signed`, `Page ${number} of ${count}`),
  });
  drawTitle(paper, {
    kind: KIND,
    aside: STATUS[state.status],
    title: state.title,
    mark: state.mode === 'test' ? TEST_MARK : null,
  });
  paper.write(paper.set(NOT_SIGNED, TYPE.strong));
  paper.write(paper.set(`It shows the request as it stood on ${utc(input.generatedAt)}.`, TYPE.label));
  drawRequest(paper, request);
  drawDocument(paper, request);
  drawSigners(paper, request.signers);
  drawSeal(paper, request);
  if (input.signatures.length > 0) drawSignatureSection(paper, input.signatures);
  drawEvents(paper, events, request.signers);
  drawChain(paper, request, events);
  return paper.finish();
}

function drawSignatureSection(paper: Paper, signatures: readonly SignerOnPage[]): void {
  const blocks = setSignatures(paper, signatures, TEXTS.en, CLOSE);
  const why = paper.set(WHY_SIGNATURES_ARE_HERE, TYPE.label);
  drawSectionTitle(paper, 'Signatures', why.height + (blocks[0]?.height ?? 0) + 10);
  paper.write(why);
  paper.y += 10;
  drawSignatures(paper, blocks, CLOSE);
}
