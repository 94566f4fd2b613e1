import type { AuditEvent } from '../shared/requests/chain.ts';
import { eventsWhile } from '../shared/requests/link-holders.ts';
import type { RequestState, SignerState } from '../shared/requests/model.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import { isRecord } from '../shared/runtime/value-paths.ts';
import { accountEventsAfter } from '../shared/store/account-log.ts';
import { listAppSessions } from '../shared/store/app-sessions.ts';
import { damageIn } from '../shared/store/items.ts';
import { findMember, organizationsOf } from '../shared/store/members.ts';
import { evidenceKey, originalKey, renewedFiles, sealedKey } from '../shared/store/objects.ts';
import { listOwners, notificationAddress, type Owner } from '../shared/store/owners.ts';
import { loadRequestWithTrail, type StoredRequest } from '../shared/store/requests.ts';
import {
  findFormerRequests,
  findSignerRequests,
  type SignerRequest,
} from '../shared/store/signer-requests.ts';
import type { Table } from '../shared/store/table.ts';
import type { Operator } from './operator.ts';
import { Progress } from './progress.ts';

/** Exports the data held about a person. Lists every member by name, so that a new one (perhaps a secret) cannot slip in. */

export async function exportPersonalData(email: string, operator: Operator) {
  const { table, now, output, terminal } = operator;
  const requests = [];
  const { current, former } = await requestsOf(email, table);
  const found = [...current, ...former];
  using progress = new Progress('Reading requests', found.length);
  for (const { requestId, signerId } of found) {
    const request = await loadRequestWithTrail(table, requestId).catch((error) => {
      terminal.badNews();
      terminal.note(
        `${damageIn(error)} Its request is missing here; mend it in the table, then export again.`,
      );
    });
    const signer = request?.signers.find(({ id }) => id === signerId);
    if (request && signer) requests.push(exported(email, request, signer, output('DocumentsBucket')));
    progress.add();
  }
  return {
    email,
    exported_at: now().toISOString(),
    accounts: await exportAccounts(email, operator),
    requests,
  };
}

/** The signers who have an address, and others who had it before a correction, each with their request. */
export async function requestsOf(
  email: string,
  table: Table,
): Promise<{ current: SignerRequest[]; former: SignerRequest[] }> {
  const current = await findSignerRequests(table, email);
  const signers = new Set(current.map(({ signerId }) => signerId));
  const former = await findFormerRequests(table, email);
  return { current, former: former.filter(({ signerId }) => !signers.has(signerId)) };
}

const isUserAt =
  (email: string) =>
  ({ type, name }: Owner) =>
    type === 'user' && name === email;
const accountJson = ({ id, subscription, createdAt }: Owner) => ({
  user_id: id,
  subscription,
  created_at: createdAt,
});

/** The accounts of the users of an address; these are not a signer's data. */
export const accountsOf = async (email: string, { table }: Operator) =>
  (await listOwners(table)).filter(isUserAt(email)).map(accountJson);

/** With what their sessions and the logs of accounts hold about them. */
async function exportAccounts(email: string, { table, now }: Operator) {
  const owners = await listOwners(table);
  const accounts = [];
  for (const user of owners.filter(isUserAt(email))) {
    const sessions = await listAppSessions(table, user.id, now());
    accounts.push({
      ...accountJson(user),
      locale: user.locale ?? null,
      notices_to: notificationAddress(user),
      memberships: await membershipsOf(user, owners, table),
      sessions: sessions.map(({ createdAt, expiresAt, userAgent }) => ({
        created_at: createdAt,
        expires_at: expiresAt,
        user_agent: userAgent,
      })),
      acts: await actsOf(user, owners, table),
    });
  }
  return accounts;
}

async function membershipsOf(user: Owner, owners: readonly Owner[], table: Table) {
  const memberships = [];
  for (const organizationId of await organizationsOf(table, user.id)) {
    const member = await findMember(table, organizationId, user.id);
    const name = owners.find(({ id }) => id === organizationId)?.name ?? null;
    if (member)
      memberships.push({
        organization_id: organizationId,
        name,
        role: member.role,
        added_at: member.addedAt,
      });
  }
  return memberships;
}

/**
 * Searches every account: the log of an organization keeps the acts of members who left. Leaves out the object of an
 * act, which may be another person.
 */
async function actsOf(user: Owner, owners: readonly Owner[], table: Table) {
  const acts: {
    at: string;
    type: string;
    owner_id: string;
    ip_address: string | null;
    user_agent: string | null;
  }[] = [];
  await inParallel(owners, async ({ id }) => {
    for (const { userId, at, type, ipAddress, userAgent } of await accountEventsAfter(table, id, EVER)) {
      if (userId === user.id)
        acts.push({ at, type, owner_id: id, ip_address: ipAddress, user_agent: userAgent });
    }
  });
  return acts.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const EVER = new Date(0).toISOString();

function exported(email: string, request: StoredRequest, signer: SignerState, bucket: string) {
  const isCurrent = signer.email === email || signer.erasedAt !== null;
  const events = signer.erasedAt === null ? eventsWhile(email, signer, request.events) : request.events;
  return {
    ...requestJson(request),
    /** Null if the sender has corrected the address: the signer may be another person. */
    signer: isCurrent ? signerJson(signer) : null,
    mails: events
      .filter(
        ({ type, signerId }) =>
          signerId === signer.id && /_(sent|resent|failed|bounced|complained)$/.test(type),
      )
      .map(({ type, at, details }) => ({ type, at, error: details.error ?? null })),
    events: events.flatMap((event) => eventJson(event, signer.id)),
    files: filesJson(request.state, isCurrent ? signer.signature : null, bucket),
  };
}

/** The address of a user who sent the request is another person’s. */
const requestJson = ({ state, content }: StoredRequest) => ({
  request_id: state.id,
  sender_id: state.ownerId,
  sender_name: state.ownerType === 'organization' ? state.ownerName : null,
  title: state.title,
  message: content.message,
  filename: content.filename,
  document_sha256: content.documentSha256,
  document_hash: state.documentHash,
  status: state.status,
  test: state.mode === 'test',
  created_at: state.createdAt,
  sent_at: state.sentAt,
  ended_at: state.endedAt,
  expires_at: state.expiresAt,
});

const signerJson = (signer: SignerState) => ({
  signer_id: signer.id,
  email: signer.email,
  name: signer.name,
  name_as_invited: signer.nameAsInvited,
  name_as_signed: signer.nameAsSigned,
  locale: signer.locale,
  status: signer.status,
  sent_at: signer.sentAt,
  opened_at: signer.openedAt,
  viewed_at: signer.viewedAt,
  signed_at: signer.signedAt,
  declined_at: signer.declinedAt,
  invalidated_at: signer.invalidatedAt,
  erased_at: signer.erasedAt,
  decline_reason: signer.declineReason,
  ip_address: signer.ipAddress,
  user_agent: signer.userAgent,
  representing_as_invited: signer.representingAsInvited,
  representing_as_signed: signer.representingAsSigned,
  representing_role: signer.representingRole,
  representing_entity_id: signer.representingEntityId,
  codes_requested_at: signer.codeRequests,
  wrong_codes_at: signer.wrongCodes,
  reminders_sent: signer.remindersSent,
  signature: signer.signature && {
    type: signer.signature.type,
    text: signer.signature.type === 'typed' ? signer.signature.value : null,
    drawing_sha256: signer.signature.drawingSha256,
    consent_version: signer.signature.consentVersion,
    consent_locale: signer.signature.consentLocale,
    document_sha256: signer.signature.documentSha256,
  },
});

/** An event of this signer; of the one that lists everyone invited, this signer's entry. */
function eventJson(event: AuditEvent, signerId: string) {
  const { sequence, type, at, actor, ipAddress, userAgent, details } = event;
  const invited: unknown[] = Array.isArray(details.invited) ? details.invited : [];
  const own = invited.filter((each) => isRecord(each) && each.signer_id === signerId);
  const isOwn = event.signerId === signerId;
  if (!isOwn && own.length === 0) return [];
  return [
    {
      sequence,
      type,
      at,
      actor,
      ip_address: isOwn ? ipAddress : null,
      user_agent: isOwn ? userAgent : null,
      details: isOwn ? details : { invited: own },
    },
  ];
}

function filesJson(state: RequestState, signature: SignerState['signature'], bucket: string) {
  const { id, seal, evidenceHash, purgeAt, purgedAt } = state;
  if (purgedAt) return { removed_at: purgedAt };
  return {
    bucket,
    original: originalKey(id),
    sealed: seal ? sealedKey(id) : null,
    evidence: evidenceHash ? evidenceKey(id) : null,
    /** Copies with newer timestamps, of an archive at B-LTA. */
    renewed: renewedFiles(state),
    drawing: signature?.type === 'drawn' ? signature.value : null,
    /** Null while the request runs, and in an archive. */
    removed_on: purgeAt,
  };
}
