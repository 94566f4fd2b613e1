import { apiKeyKey, BY_OWNER, type Mode, OWNERS_LISTING, ownerKey, ownerPartition } from './keys.ts';
import { untilNotOvertaken } from './overtaken.ts';
import { type Item, isNew, type Table, type Write } from './table.ts';

/** Who owns requests: an organization, or a user alone. */
export interface Owner {
  id: string;
  type: 'organization' | 'user';
  /** A user's is the e-mail address. */
  name: string;
  subscription: 'active' | 'inactive' | 'none';
  archive: boolean;
  reminders: boolean;
  /** The single address of before there were endpoints, with its secret as KMS made it. */
  webhookUrl: string | null;
  webhookSecretCiphertext: string | null;
  createdAt: string;
  /** Counts every change of the owner and of its keys; each is conditioned on the one before. */
  version: number;
}

export interface OwnersKey {
  keyId: string;
  mode: Mode;
  createdAt: string;
  revokedAt: string | null;
}

export interface Account {
  owner: Owner;
  keys: OwnersKey[];
}

export type OwnerChanges = Partial<
  Pick<Owner, 'subscription' | 'archive' | 'reminders' | 'webhookUrl' | 'webhookSecretCiphertext'>
>;

/** What each key holds a copy of, so that a call is authenticated by one read. */
export const standingOf = ({ id, type, name, subscription, archive, reminders }: Owner) => ({
  ownerId: id,
  ownerType: type,
  ownerName: name,
  subscription,
  archive,
  reminders,
});

export async function addOwner(table: Table, owner: Owner): Promise<void> {
  const listing = { [BY_OWNER.pk]: OWNERS_LISTING, [BY_OWNER.sk]: `${owner.createdAt}#${owner.id}` };
  await table.put({ ...ownerKey(owner.id), ...owner, ...listing }, isNew);
}

/**
 * An owner with its keys, as of now. The owner is read first: its version then vouches that the keys, read after it,
 * are still those it had.
 */
export async function loadAccount(table: Table, ownerId: string): Promise<Account | undefined> {
  const owner = await table.get(ownerKey(ownerId), { consistent: true });
  if (!owner) return undefined;
  const keys = await table.queryAll({
    pk: ownerPartition(ownerId),
    sk: { prefix: 'KEY#' },
    consistent: true,
  });
  return { owner: owner as Item & Owner, keys: keys as (Item & OwnersKey)[] };
}

/** The first write of every change to an owner or its keys: two at once cannot both have read the truth. */
export const ownerWrite = ({ id, version }: Owner, changes: OwnerChanges = {}): Write => ({
  update: ownerKey(id),
  set: { ...changes, version: version + 1 },
  condition: { expression: '#version = :version', values: { version } },
});

/** Changes an owner and the copies that its keys hold, all at once. Undefined where there is no such owner of the kind. */
export const changeOwner = (
  table: Table,
  ownerId: string,
  type: Owner['type'],
  changes: OwnerChanges,
): Promise<Owner | undefined> =>
  untilNotOvertaken(async () => {
    const account = await loadAccount(table, ownerId);
    if (account?.owner.type !== type) return undefined;
    const owner = { ...account.owner, ...changes };
    await table.transact([
      ownerWrite(account.owner, changes),
      ...account.keys
        .filter((key) => !key.revokedAt)
        .map(({ keyId }): Write => ({ update: apiKeyKey(keyId), set: standingOf(owner) })),
    ]);
    return owner;
  });

const AT_ONCE = 25;

/** Every owner, oldest first. The list's index holds no more than their ids. */
export async function listOwners(table: Table): Promise<Owner[]> {
  const listed = await table.queryAll({ index: BY_OWNER, pk: OWNERS_LISTING });
  const owners: Owner[] = [];
  for (let start = 0; start < listed.length; start += AT_ONCE) {
    const batch = listed.slice(start, start + AT_ONCE);
    const items = await Promise.all(batch.map(({ id }) => table.get(ownerKey(String(id)))));
    owners.push(...items.flatMap((item) => (item ? [item as Item & Owner] : [])));
  }
  return owners;
}
