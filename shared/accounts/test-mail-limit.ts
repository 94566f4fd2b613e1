import * as z from 'zod';
import { ApiError } from '../contract/api-error.ts';
import { LIMITS } from '../contract/limits.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { string } from '../runtime/schemas.ts';
import { after, DAY, epochSeconds } from '../runtime/time.ts';
import { type OwnerMode, testMailsKey } from '../store/keys.ts';
import { findOwner, notificationAddress, type Owner } from '../store/owners.ts';
import { retryOnConflict } from '../store/retry-on-conflict.ts';
import { holds, isNew, type Table } from '../store/table.ts';

interface Sender extends OwnerMode {
  subscription: Owner['subscription'];
}

const storedDay = z.object({ addresses: z.array(string) });

const midnightAfter = (now: Date): string => after(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`, DAY);

/**
 * Counts the addresses that are about to be mailed, or refuses: test mode is free, and would otherwise mail anybody in
 * bulk. Each write is conditioned on what was read, so concurrent calls cannot exceed the limit together. An address
 * counts once a day, so a repeated call or a resend takes no further place.
 */
export async function countTestMails(
  table: Table,
  { ownerId, mode, subscription }: Sender,
  addresses: readonly string[],
  now: Date,
): Promise<void> {
  if (mode === 'live' || subscription === 'active') return;
  const key = testMailsKey(ownerId, now.toISOString().slice(0, 10));
  const hashes = addresses.map((address) => sha256Hex(`${ownerId} ${address}`));
  const endsAt = midnightAfter(now);
  await retryOnConflict(async () => {
    const day = await table.find(storedDay, key);
    const seen = day?.addresses ?? [];
    const all = [...new Set([...seen, ...hashes])];
    if (all.length === seen.length) return;
    if (all.length > LIMITS.testAddressesPerDay) throw limitReached(endsAt);
    await table.put(
      { ...key, addresses: all, ttl: epochSeconds(endsAt) },
      day ? holds({ addresses: seen }) : isNew,
    );
  });
}

/**
 * As `countTestMails`, for a mail of a stored request. Requested codes count too, since the owner knows the links and
 * can request them.
 */
export async function countTestMailOf(
  table: Table,
  { ownerId, mode }: OwnerMode,
  address: string,
  now: Date,
): Promise<void> {
  if (mode === 'live') return;
  const { subscription = 'none' } = (await findOwner(table, ownerId)) ?? {};
  await countTestMails(table, { ownerId, mode, subscription }, [address], now);
}

/** Counts a new address of notices, which test requests mail too: an owner could otherwise have ever new ones mailed. */
export async function countNotificationAddress(
  table: Table,
  owner: Owner,
  address: string,
  now: Date,
): Promise<void> {
  if (address === notificationAddress(owner)) return;
  const { id: ownerId, subscription } = owner;
  await countTestMails(table, { ownerId, mode: 'test', subscription }, [address], now);
}

const limitReached = (retryAt: string) =>
  new ApiError(
    'too_many_requests',
    `Without an active subscription, test requests are mailed to at most ${LIMITS.testAddressesPerDay} different addresses a day (UTC).`,
    { retryAt },
  );
