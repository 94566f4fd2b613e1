import type { AuditEvent } from '../requests/chain.ts';
import { signerNames } from '../requests/link-holders.ts';
import type { SignerState } from '../requests/model.ts';
import type { Paper } from '../typesetting/paper.ts';
import type { Paragraph } from '../typesetting/paragraph.ts';
import { type Style, TYPE } from '../typesetting/style.ts';
import {
  type Cell,
  type Column,
  drawTable,
  heightOfStart,
  type Row,
  textWidth,
} from '../typesetting/table.ts';
import { drawSectionTitle } from './sections.ts';
import { asValue, clockTime, detailName, eventName, inOrder, quoted, type Words } from './wording.ts';

const signerColumns = ({ own, evidence }: Words): readonly Column[] => [
  { heading: '', width: 24 },
  { heading: evidence.actors.signer, width: 168 },
  { heading: own.signer.times, width: 138 },
  { heading: own.signer.origin, width: 149.28 },
];

const eventColumns = ({ evidence: { columns } }: Words): readonly Column[] => [
  // Numbers of five digits on one line.
  { heading: '', width: 38 },
  { heading: columns.time, width: 102 },
  { heading: columns.event, width: 194 },
  { heading: columns.by, width: 145.28 },
];

/** Typesets a paragraph in the width of a column. */
type SetLine = (column: number, text: string, style: Style, maxLines?: number) => Paragraph;

export function drawSigners(paper: Paper, signers: readonly SignerState[], words: Words): void {
  const columns = signerColumns(words);
  const line = linesOf(paper, columns);
  const rows = signers.map(
    (signer): Row => [
      [line(0, String(signer.position + 1), TYPE.label)],
      identityCell(line, signer, words),
      timesCell(line, signer, words),
      originCell(line, signer, words),
    ],
  );
  drawSectionTitle(paper, words.own.sections.signers, heightOfStart(rows));
  drawTable(paper, columns, rows);
}

/** Webhook events concern a receiver, not the request, and there may be hundreds of them. */
const isOfWebhook = ({ type }: AuditEvent) => type.startsWith('webhook_');

export function drawEvents(
  paper: Paper,
  events: readonly AuditEvent[],
  signers: readonly SignerState[],
  words: Words,
): void {
  const nameOf = signerNames(signers, events);
  const shown = events.filter((event) => !isOfWebhook(event));
  const note = shown.length < events.length ? words.own.event.inAppendix : null;
  drawEventTable(paper, { title: words.evidence.events, note, events: shown, nameOf }, words);
}

export function drawWebhooks(paper: Paper, events: readonly AuditEvent[], words: Words): void {
  const shown = events.filter(isOfWebhook);
  if (shown.length === 0) return;
  const title = words.own.sections.webhooks;
  drawEventTable(paper, { title, note: null, events: shown, nameOf: () => undefined }, words);
}

interface EventTable {
  title: string;
  note: string | null;
  events: readonly AuditEvent[];
  /** Of the event's signer. */
  nameOf: (event: AuditEvent) => string | undefined;
}

/** More are left out between the first and the last ones: a client that fetches a document each hour adds thousands a year. */
const MOST_AT_EACH_END = 500;

function drawEventTable(paper: Paper, { title, note, events, nameOf }: EventTable, words: Words): void {
  const columns = eventColumns(words);
  const line = linesOf(paper, columns);
  const rowOf = (event: AuditEvent): Row => [
    [line(0, String(event.sequence), TYPE.label)],
    [line(1, clockTime(event.at), TYPE.body)],
    [line(2, eventName(event.type, words), TYPE.strong), ...detailLines(line, event, words)],
    byCell(line, event, nameOf(event), words),
  ];
  const leftOut = Math.max(0, events.length - 2 * MOST_AT_EACH_END);
  const rows =
    leftOut === 0
      ? events.map(rowOf)
      : [
          ...events.slice(0, MOST_AT_EACH_END).map(rowOf),
          [[], [], [line(2, words.own.event.leftOut(leftOut), TYPE.note)], []],
          ...events.slice(-MOST_AT_EACH_END).map(rowOf),
        ];
  const set = optional(note, (text) => paper.set(text, TYPE.label));
  drawSectionTitle(paper, title, heightOfStart(rows) + set.reduce((sum, { height }) => sum + height + 6, 0));
  for (const paragraph of set) {
    paper.write(paragraph);
    paper.y += 6;
  }
  drawTable(paper, columns, rows);
}

/** For values that no other part of the file repeats. */
const UNCUT = Number.POSITIVE_INFINITY;

function linesOf(paper: Paper, columns: readonly Column[]): SetLine {
  return (column, text, style, maxLines = 4) =>
    paper.set(text, style, textWidth(columns, column), { maxLines });
}

function identityCell(line: SetLine, signer: SignerState, { own, page }: Words): Cell {
  const name = signer.nameAsSigned ?? signer.name;
  const invitedAs =
    signer.nameAsInvited !== null && signer.nameAsInvited !== name ? signer.nameAsInvited : null;
  const represents = signer.representingAsSigned ?? signer.representingAsInvited;
  return [
    line(1, name, TYPE.strong, UNCUT),
    line(1, signer.email, TYPE.body, UNCUT),
    ...optional(invitedAs, (invited) => line(1, own.signer.invitedAs(quoted(invited)), TYPE.note, UNCUT)),
    ...optional(represents, (entity) => line(1, page.onBehalfOf(quoted(entity)), TYPE.note, UNCUT)),
    ...optional(signer.representingRole, (role) => line(1, page.inTheRoleOf(quoted(role)), TYPE.note, UNCUT)),
    ...optional(signer.representingEntityId, (id) => line(1, page.entityId(quoted(id)), TYPE.note, UNCUT)),
  ];
}

function timesCell(line: SetLine, signer: SignerState, { own }: Words): Cell {
  const { signer: texts, signerStatuses } = own;
  const times: readonly (readonly [string, string | null])[] = [
    [texts.sent, signer.sentAt],
    [signerStatuses.opened, signer.openedAt],
    [texts.viewed, signer.viewedAt],
    [signerStatuses.signed, signer.signedAt],
    [signerStatuses.declined, signer.declinedAt],
    [signerStatuses.invalidated, signer.invalidatedAt],
  ];
  return [
    line(2, signerStatuses[signer.status], TYPE.strong),
    ...times.flatMap(([label, time]) =>
      optional(time, (at) => line(2, `${label} ${clockTime(at)}`, TYPE.note)),
    ),
    ...optional(signer.declineReason, (reason) => line(2, texts.reason(quoted(reason)), TYPE.note, UNCUT)),
  ];
}

function originCell(
  line: SetLine,
  { ipAddress, userAgent, signature }: SignerState,
  { own, page }: Words,
): Cell {
  return [
    line(3, ipAddress ?? page.notRecorded, ipAddress === null ? TYPE.label : TYPE.body),
    ...optional(userAgent, (agent) => line(3, agent, TYPE.note, 8)),
    ...optional(signature, ({ type }) => line(3, own.signer[type], TYPE.note)),
  ];
}

function byCell(
  line: SetLine,
  { actor, ipAddress }: AuditEvent,
  signerName: string | undefined,
  { own, evidence }: Words,
): Cell {
  const by = evidence.actors[actor];
  return [
    line(3, actor === 'signer' && signerName !== undefined ? signerName : by, TYPE.body, 2),
    ...(actor !== 'signer' && signerName !== undefined
      ? [line(3, own.event.forSigner(quoted(signerName)), TYPE.note, 2)]
      : []),
    ...optional(ipAddress, (address) => line(3, address, TYPE.note)),
  ];
}

function detailLines(line: SetLine, { details }: AuditEvent, words: Words): Cell {
  return inOrder(details, words).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === '') return [];
    const text = `${detailName(name, words)}${words.page.colon} ${asValue(name, value, words)}`;
    return [line(2, text, TYPE.note, UNCUT)];
  });
}

function optional<T>(value: T | null, set: (value: T) => Paragraph): Paragraph[] {
  return value ? [set(value)] : [];
}
