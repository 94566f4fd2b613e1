import type { SignatureRequest } from '../../requests/model.ts';
import { TEXTS } from '../../sealing/page/texts.ts';
import { type Fact, heightOfFacts, placeFacts } from '../../typesetting/facts.ts';
import { groupedHex } from '../../typesetting/hex.ts';
import type { Paper } from '../../typesetting/paper.ts';
import { TYPE } from '../../typesetting/style.ts';
import { type AuditEvent, verify } from '../chain.ts';
import { asLabel, asSize, asValue, NOT_SIGNED, STATUS, utc } from './wording.ts';

const LABEL_WIDTH = 118;
const SECTION_GAP = 20;
/** A section's facts up to this height stand on one page. */
const KEPT_TOGETHER = 320;

/** A section's title; it stays on the page of what follows it. */
export function drawSectionTitle(paper: Paper, title: string, roomAfter: number): void {
  const heading = paper.set(title, TYPE.section);
  const turned = paper.need(SECTION_GAP + heading.height + 6 + roomAfter);
  if (!turned) paper.y += SECTION_GAP;
  paper.write(heading);
  paper.y += 6;
}

export function drawRequest(paper: Paper, { state, content }: SignatureRequest): void {
  const owner = `${state.ownerName} (${state.ownerType})`;
  drawFacts(paper, 'Request', [
    textFact(paper, 'Title', state.title),
    codeFact(paper, 'Request id', state.id),
    textFact(paper, 'Status', STATUS[state.status]),
    textFact(paper, 'Sender', owner),
    codeFact(paper, 'Sender id', state.ownerId),
    textFact(paper, 'Created via', 'API'),
    ...timeFacts(paper, [
      ['Created', state.createdAt],
      ['Invitations sent', state.sentAt],
      ['First opened', state.openedAt],
      ['Signed and sealed', state.signedAt],
      ['Cancelled', state.cancelledAt],
      ['Expires', state.expiresAt],
    ]),
    ...(content.message === '' ? [] : [textFact(paper, 'Message', content.message, 12)]),
  ]);
}

export function drawDocument(paper: Paper, { state, content }: SignatureRequest): void {
  drawFacts(paper, 'Document', [
    textFact(paper, 'File name', content.filename),
    textFact(paper, 'Size', asSize(content.documentSize)),
    textFact(paper, 'Pages', String(content.pageCount)),
    hexFact(paper, 'Original, SHA-256', content.documentSha256),
    ...(state.documentHash === null ? [] : [hexFact(paper, 'Sealed, SHA-256', state.documentHash)]),
    ...timeFacts(paper, [['Deleted', state.purgedAt]]),
    ...(content.alreadySigned
      ? [
          textFact(
            paper,
            'Signature page',
            'None. The document already carried signatures, which an added page would have put in doubt.',
          ),
        ]
      : []),
  ]);
}

export function drawSeal(paper: Paper, { state }: SignatureRequest): void {
  if (state.seal === null) return;
  const { sealedAt, technical, size, pagesAdded } = state.seal;
  drawFacts(paper, 'Seal', [
    textFact(paper, 'Format', 'PAdES B-T (ETSI EN 319 142-1) with an RFC 3161 time stamp'),
    textFact(paper, 'Sealed', utc(sealedAt)),
    ...Object.entries(technical).map(([name, value]) => textFact(paper, asLabel(name), asValue(value))),
    ...(state.documentHash === null ? [] : [hexFact(paper, 'Document hash, SHA-256', state.documentHash)]),
    textFact(paper, 'Sealed file', `${asSize(size)}, ${pagesAddedText(pagesAdded)}`),
  ]);
}

function pagesAddedText(pages: number): string {
  if (pages === 0) return 'no page added';
  return pages === 1 ? '1 page added' : `${pages} pages added`;
}

export function drawChain(paper: Paper, { state }: SignatureRequest, events: readonly AuditEvent[]): void {
  const verdict = verify(state.id, [...events], { sequence: state.auditSequence, head: state.auditHead });
  const count = `${events.length} ${events.length === 1 ? 'event' : 'events'}`;
  drawFacts(paper, 'Integrity of this trail', [
    hexFact(paper, 'Head of the chain', state.auditHead),
    textFact(
      paper,
      'Chain',
      verdict.intact
        ? `Intact: ${count}, checked when this file was made`
        : `BROKEN at event ${verdict.brokenAt}: the events do not lead to the head`,
    ),
    textFact(
      paper,
      'How to read it',
      'Each event carries the SHA-256 hash of the one before it. The head is the hash of the last: it changes if any ' +
        'event is changed, removed or put elsewhere.',
    ),
    textFact(paper, 'Legal value', NOT_SIGNED),
    ...(paper.showsReplacements ? [textFact(paper, 'Characters', TEXTS.en.replacedCharacters)] : []),
  ]);
}

function drawFacts(paper: Paper, title: string, facts: readonly Fact[]): void {
  drawSectionTitle(paper, title, Math.min(heightOfFacts(facts), KEPT_TOGETHER));
  for (const fact of facts) {
    paper.need(heightOfFacts([fact]));
    paper.y = placeFacts(paper, [fact], paper.left, paper.y, LABEL_WIDTH);
  }
}

function textFact(paper: Paper, label: string, value: string, maxLines = 6): Fact {
  return {
    label: paper.set(label, TYPE.label, LABEL_WIDTH - 8),
    value: paper.set(value, TYPE.body, paper.width - LABEL_WIDTH, { maxLines }),
  };
}

function codeFact(paper: Paper, label: string, value: string): Fact {
  return {
    label: paper.set(label, TYPE.label, LABEL_WIDTH - 8),
    value: paper.set(value, TYPE.mono, paper.width - LABEL_WIDTH, { maxLines: 3 }),
  };
}

function hexFact(paper: Paper, label: string, hex: string): Fact {
  return {
    label: paper.set(label, TYPE.label, LABEL_WIDTH - 8),
    value: paper.set(groupedHex(hex), TYPE.mono, paper.width - LABEL_WIDTH, { exact: hex }),
  };
}

function timeFacts(paper: Paper, times: readonly (readonly [string, string | null])[]): Fact[] {
  return times.flatMap(([label, time]) => (time === null ? [] : [textFact(paper, label, utc(time))]));
}
