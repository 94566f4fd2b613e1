import * as z from 'zod';
import { MODES, OWNER_TYPES, SUBSCRIPTIONS } from '../contract/fields.ts';
import { boolean, int, orNull, string, stringOrNull } from '../runtime/schemas.ts';
import { sleep } from '../runtime/time.ts';
import { LOCALES } from '../texts/languages.ts';
import { timeouts } from './hanging.ts';
import { apiKeyKey, BY_OWNER, OWNERS_LISTING, ownerKey, ownerPartition } from './keys.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { changedFields, holds, isNew, type Table, type Write } from './table.ts';

/** An owner's look on the page and in mails. Members that are null are neutral. */
export const brandSchema = z.object({
  name: stringOrNull,
  logo: orNull(z.object({ sha256: string, width: int, height: int })),
  /** As #rrggbb. */
  accent: stringOrNull,
  replyTo: stringOrNull,
  imprintUrl: stringOrNull,
  privacyUrl: stringOrNull,
  supportUrl: stringOrNull,
  timeZone: stringOrNull,
});
export type Brand = z.output<typeof brandSchema>;

export const ownerSchema = z.object({
  id: string,
  type: z.enum(OWNER_TYPES),
  /** For a user, the e-mail address. */
  name: string,
  subscription: z.enum(SUBSCRIPTIONS),
  archive: boolean,
  reminders: boolean,
  /** Address for notices to the sender; null: none. Left out: a user's own address; an organization has none. */
  notify: string.nullable().optional(),
  /** Whether signers are told of endings other than the seal. */
  signerNotices: boolean.default(true),
  /** The language that a user has chosen; left out until then. */
  locale: z.enum(LOCALES).optional(),
  brand: brandSchema.optional(),
  /** The single webhook address from before there were endpoints, with its secret encrypted by KMS. */
  webhookUrl: stringOrNull,
  webhookSecretCiphertext: stringOrNull,
  timeouts,
  createdAt: string,
  /** Of all its keys, revoked ones too; left out until one is made. */
  keyCount: int.optional(),
  /** The user who became a member last; left out until one does. */
  newestMember: string.optional(),
  /** Increases with every change of the owner or its keys; each change is conditioned on the version it read. */
  version: int,
});

const ownersKey = z.object({
  keyId: string,
  mode: z.enum(MODES),
  /** Null for keys from before they had names; a name is optional. */
  name: stringOrNull,
  prefix: stringOrNull,
  createdAt: string,
  revokedAt: stringOrNull,
});

/** The owner of requests: an organization or a user. */
export type Owner = z.output<typeof ownerSchema>;
export type OwnersKey = z.output<typeof ownersKey>;

export interface Account {
  owner: Owner;
  keys: OwnersKey[];
}

export type OwnerChanges = Partial<Omit<Owner, 'id' | 'type' | 'createdAt' | 'version'>>;

/** The address of notices to the sender; null if there is none. */
export const notificationAddress = ({ type, name, notify }: Owner): string | null =>
  notify === undefined ? (type === 'user' ? name : null) : notify;

/** Of a request that a user made on the dashboard, notices go to that user. */
export const senderAddress = (owner: Owner | undefined, createdBy: { email: string } | null): string | null =>
  createdBy?.email ?? (owner ? notificationAddress(owner) : null);

/** The copy in each of an owner's keys, so that authentication takes one read. */
export const ownerSnapshot = ({ id, type, name, subscription, archive, reminders, brand }: Owner) => ({
  ownerId: id,
  ownerType: type,
  ownerName: name,
  subscription,
  archive,
  reminders,
  brand: brand ?? null,
});

export const newOwnerWrite = (owner: Owner): Write => ({
  put: {
    ...ownerKey(owner.id),
    ...owner,
    [BY_OWNER.pk]: OWNERS_LISTING,
    [BY_OWNER.sk]: `${owner.createdAt}#${owner.id}`,
  },
  condition: isNew,
});

/** A transaction, since the SDK repeats a call whose answer was lost: a plain write would then meet its own owner. */
export const addOwner = (table: Table, owner: Owner): Promise<void> => table.transact([newOwnerWrite(owner)]);

export const findOwner = (table: Table, id: string): Promise<Owner | undefined> =>
  table.find(ownerSchema, ownerKey(id));

/** The brand of the owner of a request, as it is now; undefined without one. */
export const findBrand = async (table: Table, { ownerId }: { ownerId: string }): Promise<Brand | undefined> =>
  (await findOwner(table, ownerId))?.brand;

/**
 * Reads an owner, then its keys. Changes are conditioned on the owner's version, so keys that changed in between make
 * the write fail. The read may see the owner as a new key left it, and not yet that key.
 */
export async function loadAccount(table: Table, ownerId: string): Promise<Account | undefined> {
  const owner = await findOwner(table, ownerId);
  if (!owner) return undefined;
  const read = () => table.findAll(ownersKey, { pk: ownerPartition(ownerId), sk: { prefix: 'KEY#' } });
  let keys = await read();
  for (let pause = FIRST_PAUSE; keys.length < (owner.keyCount ?? 0) && pause <= LONGEST_PAUSE; pause *= 2) {
    await sleep(pause);
    keys = await read();
  }
  return { owner, keys };
}

/** A transaction shows in part for some milliseconds. */
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 320;

/**
 * Throws if the caller may no longer change the owner. Called after the owner is read: each change of its members
 * changes its version too, so the permission still holds when the change is written.
 */
export type Permit = () => Promise<unknown>;

export interface ChangeOptions {
  /** Further writes of the same transaction. */
  extraWrites?: Write[];
  permit?: Permit | undefined;
}

/** The first write of every change to an owner, its keys or its members. It fails if another change came in between. */
export const ownerWrite = ({ id, version }: Owner, changes: OwnerChanges = {}): Write => ({
  update: ownerKey(id),
  set: { ...changes, version: version + 1 },
  condition: holds({ version }),
});

/** Changes an owner and the copies in its keys in one transaction; undefined if no such owner of this type exists. */
export const changeOwner = (
  table: Table,
  ownerId: string,
  type: Owner['type'],
  changes: OwnerChanges,
): Promise<Owner | undefined> =>
  changeOwnerBy(table, ownerId, (owner) => (owner.type === type ? changes : undefined));

/**
 * As `changeOwner`, with changes that follow from what is stored. `extraWrites` belong to the same transaction; nothing is
 * written if nothing changes.
 */
export const changeOwnerBy = (
  table: Table,
  ownerId: string,
  decide: (owner: Owner) => OwnerChanges | undefined,
  { extraWrites = [], permit }: ChangeOptions = {},
): Promise<Owner | undefined> =>
  retryOnConflict(async () => {
    const account = await loadAccount(table, ownerId);
    await permit?.();
    const changes = account && decide(account.owner);
    if (!changes) return undefined;
    const owner = { ...account.owner, ...changes };
    // The dashboard repeats a call whose answer was lost.
    if (Object.keys(changedFields(account.owner, owner)).length === 0) return owner;
    await table.transact([
      ownerWrite(account.owner, changes),
      ...extraWrites,
      ...account.keys
        .filter((key) => !key.revokedAt)
        .map(({ keyId }): Write => ({ update: apiKeyKey(keyId), set: ownerSnapshot(owner) })),
    ]);
    return owner;
  });

/** Reads every owner, oldest first. The index holds only their ids. */
export async function listOwners(table: Table): Promise<Owner[]> {
  const listed = await table.queryAll({ index: BY_OWNER, pk: OWNERS_LISTING });
  return table.findEach(
    ownerSchema,
    listed.map(({ id }) => ownerKey(String(id))),
  );
}
