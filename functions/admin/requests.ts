import { SQSClient } from '@aws-sdk/client-sqs';
import { verify } from '../../shared/audit/chain.ts';
import { ERRORS } from '../../shared/contract/errors.ts';
import { LIMITS } from '../../shared/contract/fields.ts';
import { dispatch } from '../../shared/queues/dispatch.ts';
import { cancel } from '../../shared/requests/ending.ts';
import { Refusal } from '../../shared/requests/lifecycle.ts';
import type { Change, SignatureRequest } from '../../shared/requests/model.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { loadRequestWithTrail, type StoredRequest } from '../../shared/store/requests.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';

/** What an operator sees of a request and may do with it. */

const noRequest = (id: string) => new UsageError(`There is no request ${id}.`);

async function find(id: string, { table }: Operator): Promise<StoredRequest> {
  const request = await loadRequestWithTrail(table, id);
  if (!request) throw noRequest(id);
  return request;
}

/** Changes a request by one of its rules, and sends what follows from it on its way. */
export async function change(
  id: string,
  decide: (request: SignatureRequest, now: Date) => Change,
  { table, now, clients, output }: Operator,
): Promise<SignatureRequest> {
  try {
    const changed = await changeRequest(table, id, decide, now);
    if (!changed) throw noRequest(id);
    const queues = { event: output('EventsQueueUrl'), seal: output('SealQueueUrl') };
    await dispatch(new SQSClient(clients), queues, changed.outbox);
    return changed.request;
  } catch (error) {
    if (error instanceof Refusal) throw new Failure(ERRORS[error.code][1]);
    throw error;
  }
}

/** Everything but what opens something: no link, no code, no words of a message. */
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
    options: {},
    run: async ({ id }, operator) => shown(await find(id, operator)),
  }),
  command({
    name: 'request verify-audit',
    summary: 'Recompute the chain of a request’s audit trail, and say where it breaks',
    args: ['id'],
    options: {},
    run: async ({ id }, operator) => {
      const { state, events } = await find(id, operator);
      const kept = { sequence: state.auditSequence, head: state.auditHead };
      const { intact, events: count, head, brokenAt } = verify(id, events, kept);
      return { request_id: id, intact, events: count, head, broken_at: brokenAt };
    },
  }),
  command({
    name: 'request cancel',
    summary: 'Cancel a request, as its owner could',
    args: ['id'],
    options: { reason: { kind: 'text', value: 'TEXT', help: 'Kept in the audit trail' } },
    run: async ({ id, reason }, operator) => {
      if (reason && reason.length > LIMITS.reasonLength)
        throw new UsageError(`--reason takes at most ${LIMITS.reasonLength} characters.`);
      const by = { actor: 'operator', reason: reason ?? null } as const;
      const { state } = await change(id, (request, now) => cancel(request, by, now), operator);
      return { request_id: id, status: state.status, cancelled_at: state.cancelledAt };
    },
  }),
];
