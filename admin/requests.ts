import { ApiError } from '../shared/contract/api-error.ts';
import { text } from '../shared/contract/fields.ts';
import { LIMITS } from '../shared/contract/limits.ts';
import { cancel } from '../shared/requests/ending.ts';
import type { Change, SignatureRequest } from '../shared/requests/model.ts';
import { changeRequest } from '../shared/store/change.ts';
import { dispatchTo, type Send } from '../shared/store/dispatch.ts';
import { loadRequestWithTrail, type StoredRequest } from '../shared/store/requests.ts';
import { mailsView } from '../shared/views/signature-request.ts';
import { command } from './command.ts';
import { Failure, noRequest, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { readGivenFile } from './seal-key.ts';
import { verifyAudit } from './verify-audit.ts';

async function find(id: string, { table }: Operator): Promise<StoredRequest> {
  const request = await loadRequestWithTrail(table, id);
  if (!request) throw noRequest(id);
  return request;
}

/** Sends outbox items to the queues of the service. */
export const sendTo = ({ clients, output }: Operator): Send =>
  dispatchTo(
    { event: output('EventsQueueUrl'), seal: output('SealQueueUrl'), mail: output('MailQueueUrl') },
    clients,
  );

/** Applies a rule to a request, and sends the resulting outbox items to their queues. */
export async function change(
  id: string,
  decide: (request: SignatureRequest, now: Date) => Change,
  operator: Operator,
): Promise<SignatureRequest> {
  try {
    const changed = await changeRequest(operator, id, decide);
    if (!changed) throw noRequest(id);
    await sendTo(operator)(changed.outbox);
    return changed.request;
  } catch (error) {
    if (error instanceof ApiError) throw new Failure(error.message);
    throw error;
  }
}

/** Leaves out links, codes and the texts of messages. */
const shown = ({ state, signers, events }: StoredRequest) => ({
  request_id: state.id,
  status: state.status,
  title: state.title,
  owner_id: state.ownerId,
  owner_name: state.ownerName,
  test: state.mode === 'test',
  created_at: state.createdAt,
  sent_at: state.sentAt,
  opened_at: state.openedAt,
  signed_at: state.signedAt,
  cancelled_at: state.cancelledAt,
  ended_at: state.endedAt,
  expires_at: state.expiresAt,
  seal_queued_at: state.stampQueuedAt,
  document_hash: state.documentHash,
  purge_at: state.purgeAt,
  purged_at: state.purgedAt,
  signers: signers.map((signer) => ({
    signer_id: signer.id,
    email: signer.email,
    name: signer.name,
    status: signer.status,
    locale: signer.locale,
    invitation: signer.invitation,
    mails: mailsView(signer),
    opened_at: signer.openedAt,
    signed_at: signer.signedAt,
    declined_at: signer.declinedAt,
    reminders_sent: signer.remindersSent,
    next_reminder_at: signer.remindAt,
  })),
  audit_trail: events.map((event) => ({
    sequence: event.sequence,
    at: event.at,
    type: event.type,
    actor: event.actor,
    signer_id: event.signerId,
    ip_address: event.ipAddress,
    details: event.details,
  })),
});

export const requestCommands = [
  command({
    name: 'request show',
    summary: 'Show a request with its audit trail, without secrets',
    args: ['id'],
    run: async ({ id }, operator) => shown(await find(id, operator)),
  }),
  command({
    name: 'request verify-audit',
    summary:
      'Verify a request’s audit trail, and compare the stored request with its events and evidence file',
    args: ['id'],
    options: {
      evidence: { value: 'FILE', help: 'A copy of the evidence file, instead of the stored one' },
    },
    run: async ({ id, evidence }, operator) => {
      const copy = evidence ? readGivenFile(evidence) : undefined;
      const report = await verifyAudit(id, await find(id, operator), copy, operator);
      if (!report.intact || (copy && !report.anchored)) operator.terminal.badNews();
      if (report.intact && !report.anchored)
        operator.terminal.note(
          `Trail and records fit together, but were not compared with sealed evidence (${report.evidence_fault}): whoever rewrote both would not show.`,
        );
      return report;
    },
  }),
  command({
    name: 'request cancel',
    summary: 'Cancel a request in place of its owner',
    args: ['id'],
    options: { reason: { value: 'TEXT', help: 'Kept in the audit trail' } },
    run: async ({ id, reason }, operator) => {
      if (reason !== undefined && !text('invalid_reason', LIMITS.reasonLength).safeParse(reason).success)
        throw new UsageError(
          `--reason takes at most ${LIMITS.reasonLength} characters, and no control characters.`,
        );
      const by = { actor: 'operator', reason: reason ?? null } as const;
      const { state } = await change(id, (request, now) => cancel(request, by, now), operator);
      return { request_id: id, status: state.status, cancelled_at: state.cancelledAt };
    },
  }),
];
