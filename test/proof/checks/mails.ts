import { readFileSync } from 'node:fs';
import { after, MINUTE } from '../../../shared/runtime/time.ts';
import type { Snapshot, SnapshotRequest, TrailEvent } from '../snapshot.ts';
import { countBy, eventsOf, ownEvents, type Violation, violation } from './violation.ts';

/** The rows of docs/notices.md, by the words that name what happens. */
interface Notice {
  sender: string | null;
  about: string | null;
  invited: string | null;
  notInvited: string | null;
}

const HAPPENINGS: Readonly<Record<string, string>> = {
  completed: 'all have signed and the document is sealed',
  declined: 'a signer declines',
  cancelled: 'the sender, or the operator, cancels',
  expired: 'the time to sign is over',
  mail_failed: 'a mail to a signer could not be sent',
  mail_bounced: 'a mail to a signer bounced for good',
  mail_complained: 'a mail to a signer was reported as spam',
  code_entry_ended: 'code entry ends for a signer',
  sealing_failed: 'the seal was given up',
};

function readNotices(): Map<string, Notice> {
  const page = readFileSync(new URL('../../../docs/notices.md', import.meta.url), 'utf8');
  const cells = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
  const mail = (cell = '') => (cell === '' || cell === '–' ? null : cell);
  return new Map(
    Object.entries(HAPPENINGS).map(([reason, words]) => {
      const row = cells.find(([happening]) => happening === words);
      if (!row) throw new Error(`docs/notices.md has no row “${words}”.`);
      const [, , sender, about, invited, notInvited] = row.map(mail);
      return [
        reason,
        {
          sender: sender ?? null,
          about: about ?? null,
          invited: invited ?? null,
          notInvited: notInvited ?? null,
        },
      ];
    }),
  );
}

const NOTICES = readNotices();
const ENDING_REASONS: Readonly<Record<string, string>> = {
  document_sealed: 'completed',
  signer_declined: 'declined',
  request_cancelled: 'cancelled',
  request_expired: 'expired',
};
const CODE_MAILS = ['invitation_sent', 'invitation_resent', 'code_sent', 'reminder_sent'];
const FAILED_MAILS = [
  'invitation_failed',
  'invitation_resend_failed',
  'code_failed',
  'reminder_failed',
  'signer_notice_failed',
  'sealed_notice_failed',
];
const SENDER_LOG = ['sender_notice_sent', 'sender_notice_failed'];
const SIGNER_LOG = [
  'signer_notice_sent',
  'signer_notice_failed',
  'sealed_notice_sent',
  'sealed_notice_failed',
];

const reasonOf = ({ type, details }: TrailEvent) =>
  type.startsWith('sealed_notice') ? 'completed' : String(details.notice);

/**
 * The signers whose first returned mail came back for this reason. The sender is told of it; not of a mail from before a resend, nor of
 * an address that was corrected meanwhile.
 */
const firstReturns = (request: SnapshotRequest, reason: string): number =>
  request.signers.filter(({ id }) => {
    const own = ownEvents(request, id);
    const isMailedAnew = eventsOf(own, 'code_rotated', 'signer_corrected').length > 0;
    return !isMailedAnew && eventsOf(own, 'mail_bounced', 'mail_complained')[0]?.type === reason;
  }).length;

/** The fewest and the most times that the sender may be told for a reason. */
function sendersNotices(request: SnapshotRequest, reason: string): [least: number, most: number] {
  const count = (...types: string[]) => eventsOf(request, ...types).length;
  const each = (type: string): [number, number] => [Math.min(1, count(type)), count(type)];
  switch (reason) {
    case 'mail_failed':
      // Failed invitations are told together, failed codes once a day.
      return each('invitation_failed')[0] + count('invitation_resend_failed') > 0
        ? [1, count(...FAILED_MAILS)]
        : [0, count(...FAILED_MAILS)];
    case 'mail_bounced':
    case 'mail_complained':
      return [firstReturns(request, reason), count(reason)];
    case 'code_entry_ended':
      return [0, count('code_entry_ended')];
    case 'sealing_failed':
      return [count('seal_failed'), count('seal_failed')];
    default: {
      const ending = Object.entries(ENDING_REASONS).find(([, each]) => each === reason)?.[0] ?? '';
      return [count(ending), count(ending)];
    }
  }
}

/** The endings' mail for a signer, by the signer's part in it. */
function expectedOf(request: SnapshotRequest, signerId: string): [reason: string, subject: string][] {
  const own = ownEvents(request, signerId);
  const corrected = eventsOf(own, 'signer_corrected').at(-1)?.sequence ?? 0;
  const wasInvited = eventsOf(own, 'invitation_sent', 'invitation_resent').some(
    ({ sequence }) => sequence > corrected,
  );
  return Object.entries(ENDING_REASONS).flatMap(([type, reason]) => {
    const [ending] = eventsOf(request, type);
    const notice = NOTICES.get(reason);
    if (!ending || !notice) return [];
    const role = ending.signerId === signerId ? 'about' : wasInvited ? 'invited' : 'notInvited';
    const subject = notice[role];
    return subject ? [[reason, subject] as [string, string]] : [];
  });
}

const withTitle = (subject: string, { state }: SnapshotRequest) => subject.replace('…', state.title);

function checkCount(
  request: SnapshotRequest,
  what: string,
  seen: number,
  [least, most]: [number, number],
): Violation[] {
  if (seen < least) return [violation('missing mail', request, `${what}: ${seen} of ${least}`)];
  return seen > most ? [violation('repeated mail', request, `${what}: ${seen}, not ${most}`)] : [];
}

/**
 * A recorded mail is in the inbox. One more is what a crash between mail and record leaves; one that failed may have been
 * sent by a call whose answer got lost.
 */
const inboxRange = (logs: TrailEvent[], interruptions: number): [number, number] => {
  const sent = logs.filter(({ type }) => type.endsWith('_sent') || type === 'invitation_resent').length;
  return [sent, interruptions === 0 ? sent : sent + (logs.length - sent) + 1];
};

/** A run that stalls beyond its lease mails beside the next one, and both record it. */
const withRepeat = ([least, most]: [number, number], { interruptions }: Snapshot): [number, number] => [
  least,
  interruptions === 0 || most === 0 ? most : most + 1,
];

function checkSender(request: SnapshotRequest, snapshot: Snapshot, inbox: Map<string, number>): Violation[] {
  return [...NOTICES].flatMap(([reason, { sender }]) => {
    if (!sender) return [];
    const subject = withTitle(sender, request);
    const logs = eventsOf(request, ...SENDER_LOG).filter((event) => reasonOf(event) === reason);
    return [
      ...checkCount(
        request,
        `records of “${subject}” to the sender`,
        logs.length,
        withRepeat(sendersNotices(request, reason), snapshot),
      ),
      ...checkCount(
        request,
        `“${subject}” to the sender`,
        inbox.get(`${snapshot.notify} ${subject}`) ?? 0,
        inboxRange(logs, snapshot.interruptions),
      ),
    ];
  });
}

/** All that a signer has had; the mails of a request's end go to the last. */
const addressesOf = (
  request: SnapshotRequest,
  { id, email, asCreated }: SnapshotRequest['signers'][number],
): string[] => [
  ...new Set([
    asCreated?.email ?? email,
    ...eventsOf(ownEvents(request, id), 'signer_corrected').map(({ details }) => String(details.email)),
  ]),
];

/**
 * True if the document was deleted, or its time was over, before the sender was told that it is there: signers then are not told.
 * Clocks may pass the retention while a notice waits.
 */
function wasGone(request: SnapshotRequest): boolean {
  const { purgeAt } = request.state;
  const [told] = eventsOf(request, ...SENDER_LOG).filter((event) => reasonOf(event) === 'completed');
  const isOver = told !== undefined && purgeAt !== null && told.at >= purgeAt;
  return isOver || eventsOf(request, 'document_deletion_requested').length > 0;
}

function checkSigner(
  request: SnapshotRequest,
  signer: SnapshotRequest['signers'][number],
  snapshot: Snapshot,
  inbox: Map<string, number>,
  mailsTo: Map<string, number>,
): Violation[] {
  const { id, email } = signer;
  const { interruptions } = snapshot;
  const own = ownEvents(request, id);
  const expected = expectedOf(request, id);
  const needed = expected.filter(([reason]) => reason !== 'completed' || !wasGone(request));
  const notices = eventsOf(own, ...SIGNER_LOG);
  const codes = eventsOf(own, ...CODE_MAILS, ...FAILED_MAILS.slice(0, 4));
  const noticesSeen = expected.map(
    ([, subject]) => inbox.get(`${email} ${withTitle(subject, request)}`) ?? 0,
  );
  const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0);
  const mails = sum(addressesOf(request, signer).map((address) => mailsTo.get(address) ?? 0));
  const others = mails - sum(noticesSeen);
  const [least, most] = inboxRange(codes, interruptions);
  return [
    ...checkCount(
      request,
      `records of notices to ${email}`,
      notices.length,
      withRepeat([needed.length, expected.length], snapshot),
    ),
    ...expected.flatMap(([reason, subject], place) =>
      checkCount(
        request,
        `“${withTitle(subject, request)}” to ${email}`,
        noticesSeen[place] ?? 0,
        inboxRange(
          notices.filter((event) => reasonOf(event) === reason),
          interruptions,
        ),
      ),
    ),
    // Each code mail may have been interrupted by itself.
    ...checkCount(request, `invitations and codes to ${email}`, others, [
      least,
      interruptions === 0 ? most : most + codes.length,
    ]),
  ];
}

/** Longer than a mail takes that was under way when its reader signed. */
const MAIL_PATIENCE = MINUTE;

/** Nobody is reminded of what they have done, or of what is over. */
function checkReminders(request: SnapshotRequest): Violation[] {
  const decisions = eventsOf(request, 'signer_signed', ...Object.keys(ENDING_REASONS));
  const isNeedless = ({ at, signerId }: TrailEvent) =>
    decisions.some(
      (each) =>
        (each.type !== 'signer_signed' || each.signerId === signerId) && after(each.at, MAIL_PATIENCE) < at,
    );
  return eventsOf(request, 'reminder_sent')
    .filter(isNeedless)
    .map(({ at, signerId }) => violation('needless mail', request, `${signerId} was reminded at ${at}`));
}

/** Everyone is told what docs/notices.md names, nobody anything else; a crash repeats a mail at most once. */
export function checkMails(snapshot: Snapshot): Violation[] {
  const inbox = countBy(snapshot.mails, ({ to, subject }) => `${to} ${subject}`);
  const mailsTo = countBy(snapshot.mails, ({ to }) => to);
  const addresses = new Set([
    snapshot.notify,
    ...snapshot.requests.flatMap((request) =>
      request.signers.flatMap((signer) => addressesOf(request, signer)),
    ),
  ]);
  return [
    ...snapshot.requests.flatMap((request) => [
      ...checkSender(request, snapshot, inbox),
      ...checkReminders(request),
      ...request.signers.flatMap((signer) => checkSigner(request, signer, snapshot, inbox, mailsTo)),
    ]),
    ...[...mailsTo.keys()]
      .filter((to) => !addresses.has(to))
      .map((to) => violation('uninvited mail', { id: null }, `to ${to}, whom no request names`)),
  ];
}
