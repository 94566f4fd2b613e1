import * as z from 'zod';
import type { RequestState, SignerState } from '../requests/model.ts';
import { string } from '../runtime/schemas.ts';
import { parseItem } from './items.ts';
import { type Key, signerPartition, signerRequestKey } from './keys.ts';
import type { Table, Write } from './table.ts';

/** The requests of a signer by e-mail address: a look-up item for each, written with the request. */

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

/** Every request of an address, of all owners. */
export async function findSignerRequests(table: Table, email: string): Promise<SignerRequest[]> {
  const items = await table.queryAll({ pk: signerPartition(email), consistent: true });
  return items.map((item) => parseItem(signerRequest, item));
}

export const forgetSignerRequest = (table: Table, { pk, sk }: Key): Promise<void> => table.delete({ pk, sk });
