import * as z from 'zod';
import type { RequestState, SignerState } from '../requests/model.ts';
import { string } from '../runtime/schemas.ts';
import { formerSignerKey, formerSignerPartition, signerPartition, signerRequestKey } from './keys.ts';
import type { Table, Write } from './table.ts';

/**
 * The requests of a signer by e-mail address: a look-up item for each, written with the request. A correction replaces it by one
 * that is found only for exports and erasures of a person.
 */

const signerRequest = z.object({
  pk: string,
  sk: string,
  requestId: string,
  signerId: string,
});

/** A request that an address is a signer of, with the key of the look-up item. */
export type SignerRequest = z.output<typeof signerRequest>;

export const signerRequestWrite = (
  state: Pick<RequestState, 'ownerId' | 'mode' | 'createdAt' | 'id'>,
  signer: Pick<SignerState, 'id' | 'email'>,
): Write => ({
  put: { ...signerRequestKey(signer.email, state), requestId: state.id, signerId: signer.id },
});

/** `email` is the address before the correction. */
export const formerSignerWrite = (requestId: string, signerId: string, email: string): Write => ({
  put: { ...formerSignerKey(email, requestId, signerId), requestId, signerId },
});

/** Every request of an address, of all owners. */
export const findSignerRequests = (table: Table, email: string): Promise<SignerRequest[]> =>
  table.findAll(signerRequest, { pk: signerPartition(email) });

/** Every request in which a signer had this address before a correction. */
export const findFormerRequests = (table: Table, email: string): Promise<SignerRequest[]> =>
  table.findAll(signerRequest, { pk: formerSignerPartition(email) });
