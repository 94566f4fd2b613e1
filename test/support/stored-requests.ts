import type { NewRequest } from '../../shared/requests/creating.ts';
import type { Change, SignatureRequest } from '../../shared/requests/model.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { creationWrites } from '../../shared/store/requests.ts';
import type { Table } from '../../shared/store/table.ts';
import { invitationsMailed, NOON, newRequest } from './requests.ts';

/** A stored request whose invitations are not mailed yet. */
export async function storedNew(
  table: Table,
  signers = 1,
  overrides: Partial<NewRequest> = {},
): Promise<SignatureRequest> {
  const { request, change } = newRequest(signers, overrides);
  const { state, writes } = creationWrites(change, request.content, NOON);
  await table.transact(writes);
  return { ...request, state };
}

/** A stored request whose invitations are mailed. */
export async function storedRequest(
  table: Table,
  signers = 1,
  overrides: Partial<NewRequest> = {},
): Promise<SignatureRequest> {
  const { state } = await storedNew(table, signers, overrides);
  return changed(table, state.id, (current) => invitationsMailed(current));
}

/** Applies a rule to a stored request. */
export async function changed(
  table: Table,
  requestId: string,
  rule: (request: SignatureRequest, now: Date) => Change | undefined,
  now = NOON,
): Promise<SignatureRequest> {
  const done = await changeRequest({ table, now: () => now }, requestId, rule);
  if (!done) throw new Error(`There is no request ${requestId}.`);
  return done.request;
}
