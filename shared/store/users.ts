import * as z from 'zod';
import { string } from '../runtime/schemas.ts';
import { addressHash, userAddressKey } from './keys.ts';
import { findOwner, newOwnerWrite, type Owner } from './owners.ts';
import { isNew, type Table, type Write } from './table.ts';

/** Users sign in and own requests of their own: an owner of type user, found by the hash of the address. */

const userAddress = z.object({ userId: string });

/** No two users have one address. */
export const addressWrite = ({ id, name }: Pick<Owner, 'id' | 'name'>): Write => ({
  put: { ...userAddressKey(addressHash(name)), userId: id },
  condition: isNew,
});

/** They fail if the address has a user already; its look-up is the first write. */
export const newUserWrites = (user: Owner): Write[] => [addressWrite(user), newOwnerWrite(user)];

export const addUser = (table: Table, user: Owner): Promise<void> => table.transact(newUserWrites(user));

/** The user of an address, given by its hash. */
export async function findUserByAddress(table: Table, address: string): Promise<Owner | undefined> {
  const found = await table.find(userAddress, userAddressKey(address));
  return found && findUser(table, found.userId);
}

export async function findUser(table: Table, userId: string): Promise<Owner | undefined> {
  const owner = await findOwner(table, userId);
  return owner?.type === 'user' ? owner : undefined;
}
