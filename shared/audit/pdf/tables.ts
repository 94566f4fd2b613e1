import type { SignerState } from '../../requests/model.ts';
import type { Paper } from '../../typesetting/paper.ts';
import type { Paragraph } from '../../typesetting/paragraph.ts';
import type { Style } from '../../typesetting/style.ts';
import { TYPE } from '../../typesetting/style.ts';
import {
  type Cell,
  type Column,
  drawTable,
  heightOfStart,
  type Row,
  textWidth,
} from '../../typesetting/table.ts';
import type { AuditEvent } from '../chain.ts';
import { drawSectionTitle } from './sections.ts';
import { ACTOR, asLabel, asValue, clockTime, EVENT, SIGNER_STATUS } from './wording.ts';

const SIGNER_COLUMNS: readonly Column[] = [
  { heading: '', width: 24 },
  { heading: 'Signer', width: 168 },
  { heading: 'Status and times (UTC)', width: 138 },
  { heading: 'IP address and browser', width: 149.28 },
];

const EVENT_COLUMNS: readonly Column[] = [
  { heading: '', width: 28 },
  { heading: 'Time (UTC)', width: 102 },
  { heading: 'Event', width: 204 },
  { heading: 'By', width: 145.28 },
];

/** Sets one line or more of a cell; `column` gives the width. */
type SetLine = (column: number, text: string, style: Style, maxLines?: number) => Paragraph;

export function drawSigners(paper: Paper, signers: readonly SignerState[]): void {
  const line = linesOf(paper, SIGNER_COLUMNS);
  const rows = signers.map(
    (signer): Row => [
      [line(0, String(signer.position + 1), TYPE.label)],
      identityCell(line, signer),
      timesCell(line, signer),
      originCell(line, signer),
    ],
  );
  drawSectionTitle(paper, 'Signers', heightOfStart(rows));
  drawTable(paper, SIGNER_COLUMNS, rows);
}

export function drawEvents(
  paper: Paper,
  events: readonly AuditEvent[],
  signers: readonly SignerState[],
): void {
  const names = new Map(signers.map(({ id, name, nameAsSigned }) => [id, nameAsSigned ?? name]));
  const line = linesOf(paper, EVENT_COLUMNS);
  const rows = events.map(
    (event): Row => [
      [line(0, String(event.sequence), TYPE.label)],
      [line(1, clockTime(event.at), TYPE.body)],
      [line(2, EVENT[event.type] ?? asLabel(event.type), TYPE.strong), ...detailLines(line, event)],
      byCell(line, event, event.signerId === null ? undefined : names.get(event.signerId)),
    ],
  );
  drawSectionTitle(paper, 'Events', heightOfStart(rows));
  drawTable(paper, EVENT_COLUMNS, rows);
}

function linesOf(paper: Paper, columns: readonly Column[]): SetLine {
  return (column, text, style, maxLines = 4) =>
    paper.set(text, style, textWidth(columns, column), { maxLines });
}

function identityCell(line: SetLine, signer: SignerState): Cell {
  const name = signer.nameAsSigned ?? signer.name;
  const invitedAs =
    signer.nameAsInvited !== null && signer.nameAsInvited !== name ? signer.nameAsInvited : null;
  const represents = signer.representingAsSigned ?? signer.representingAsInvited;
  return [
    line(1, name, TYPE.strong, 12),
    line(1, signer.email, TYPE.body, 12),
    ...optional(invitedAs, (invited) => line(1, `Invited as ${invited}`, TYPE.note)),
    ...optional(represents, (entity) => line(1, `On behalf of ${entity}`, TYPE.note, 12)),
    ...optional(signer.representingRole, (role) => line(1, `As ${role}`, TYPE.note, 12)),
    ...optional(signer.representingEntityId, (id) => line(1, `Entity ID ${id}`, TYPE.note)),
  ];
}

function timesCell(line: SetLine, signer: SignerState): Cell {
  const times: readonly (readonly [string, string | null])[] = [
    ['Invited', signer.sentAt],
    ['Opened', signer.openedAt],
    ['Viewed', signer.viewedAt],
    ['Signed', signer.signedAt],
    ['Declined', signer.declinedAt],
    ['Invalidated', signer.invalidatedAt],
  ];
  return [
    line(2, SIGNER_STATUS[signer.status], TYPE.strong),
    ...times.flatMap(([label, time]) =>
      optional(time, (at) => line(2, `${label} ${clockTime(at)}`, TYPE.note)),
    ),
    ...optional(signer.declineReason, (reason) => line(2, `Reason: ${reason}`, TYPE.note, 10)),
  ];
}

function originCell(line: SetLine, { ipAddress, userAgent, signature }: SignerState): Cell {
  return [
    line(3, ipAddress ?? 'Not recorded', ipAddress === null ? TYPE.label : TYPE.body),
    ...optional(userAgent, (agent) => line(3, agent, TYPE.note, 8)),
    ...optional(signature, ({ type }) =>
      line(3, type === 'typed' ? 'Typed signature' : 'Drawn signature', TYPE.note),
    ),
  ];
}

function byCell(line: SetLine, { actor, ipAddress }: AuditEvent, signerName: string | undefined): Cell {
  const by = ACTOR[actor as keyof typeof ACTOR] ?? asLabel(actor);
  return [
    line(3, actor === 'signer' && signerName !== undefined ? signerName : by, TYPE.body, 2),
    ...(actor !== 'signer' && signerName !== undefined ? [line(3, `For ${signerName}`, TYPE.note, 2)] : []),
    ...optional(ipAddress, (address) => line(3, address, TYPE.note)),
  ];
}

function detailLines(line: SetLine, { details }: AuditEvent): Cell {
  return Object.entries(details).flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [line(2, `${asLabel(name)}: ${asValue(value)}`, TYPE.note, 10)],
  );
}

function optional<T>(value: T | null, set: (value: T) => Paragraph): Paragraph[] {
  return value ? [set(value)] : [];
}
