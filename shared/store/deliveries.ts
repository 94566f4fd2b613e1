import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { MODES } from '../contract/fields.ts';
import { DELIVERY_OUTCOMES } from '../contract/webhook-endpoints.ts';
import { int, orNull, string, stringOrNull } from '../runtime/schemas.ts';
import { after, DAY, epochSeconds, MINUTE } from '../runtime/time.ts';
import { type Item, parseItem } from './items.ts';
import { BY_OWNER, deliveryKey, due, endpointListing, MANUAL_DELIVERY } from './keys.ts';
import { ConditionFailed, exists, isNew, type Table, tryWrite, type Write } from './table.ts';

/**
 * Delivery attempts: one item for each event and endpoint, and one for each time that a client asked for it again. The
 * worker that writes the item makes the attempt.
 */

const KEPT_FOR = 30 * DAY;
/** Attempts take seconds; one without an outcome by then was interrupted. */
const LOST_AFTER = MINUTE;

const claim = z.object({
  eventId: string,
  eventType: string,
  endpointId: string,
  /** Null for a test event. */
  requestId: stringOrNull,
  ownerId: string,
  mode: z.enum(MODES),
  attemptedAt: string,
  /** The request's erasures when the body was made; none if absent. */
  erasures: int.optional(),
  /** Of an attempt that a client asked for. */
  manualId: string.optional(),
});

const deliveryOutcome = z.object({
  outcome: z.enum(DELIVERY_OUTCOMES),
  httpStatus: orNull(int),
  durationMs: orNull(int),
  error: stringOrNull,
});

const attempt = z.object({ ...claim.shape, outcome: deliveryOutcome.shape.outcome.optional() });

/** The body that was sent, and the beginning of the answer. A client can ask for another delivery of the first one's body. */
const bodies = z.object({ body: stringOrNull, answer: stringOrNull });
export type DeliveryBodies = z.output<typeof bodies>;

const keptDelivery = z.object({ ...attempt.shape, ...bodies.shape });

/** The attributes that the list index holds. */
const listedDelivery = z.object({
  ...claim.pick({ eventId: true, eventType: true, requestId: true, attemptedAt: true }).shape,
  ...deliveryOutcome.shape,
});

export type Claim = z.output<typeof claim>;
/** The index of the list does not hold the answer. */
export type DeliveryOutcome = z.output<typeof deliveryOutcome> & { answer?: string | null | undefined };
/** A claim, with its outcome once that is known. */
type Attempt = z.output<typeof attempt>;
export type ListedDelivery = z.output<typeof listedDelivery> & Pick<Claim, 'manualId'>;

export const LISTED_DELIVERY_ATTRIBUTES = Object.keys(listedDelivery.shape);

const keyOf = ({ eventId, endpointId, manualId }: Claim) => deliveryKey(eventId, endpointId, manualId);

const lostAt = ({ attemptedAt }: Claim) => after(attemptedAt, LOST_AFTER);

/** Writes the claim, or returns the existing one. It is in the due index until its outcome is recorded. */
export async function claimDelivery(
  table: Table,
  newClaim: Claim,
  body?: string | undefined,
): Promise<Attempt | undefined> {
  const { eventId, endpointId, attemptedAt } = newClaim;
  // If the answer to the write is lost, the SDK repeats it, and the repetition meets the item of this very claim.
  const claimId = randomUUID();
  try {
    await table.put(
      {
        ...keyOf(newClaim),
        ...newClaim,
        claimId,
        body,
        ...due('DELIVERY', lostAt(newClaim), `${eventId}#${endpointId}`),
        ttl: epochSeconds(after(attemptedAt, KEPT_FOR)),
      },
      isNew,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !error.current) throw error;
    return error.current.claimId === claimId ? undefined : parseItem(attempt, error.current);
  }
}

/**
 * Records the outcome of an attempt once, and lists the attempt under its endpoint. Drops body and answer if a signer
 * was erased since the body was made: that erasure may have missed the attempt.
 */
export const outcomeWrite = (claim: Claim, outcome: DeliveryOutcome, erasures = 0): Write => ({
  update: keyOf(claim),
  set: {
    ...outcome,
    ...(erasures > (claim.erasures ?? 0) && { body: undefined, answer: undefined }),
    owner_pk: endpointListing(claim.endpointId),
    created_sk: `${claim.attemptedAt}#${claim.eventId}`,
    due_pk: undefined,
    due_sk: undefined,
  },
  condition: { expression: 'attribute_exists(#pk) AND attribute_not_exists(#outcome)' },
});

export const isLost = (candidate: Attempt, now: Date): boolean =>
  candidate.outcome === undefined && lostAt(candidate) <= now.toISOString();

/** The attempt behind an entry of the due index. */
export const findDeliveryAttempt = (table: Table, { pk, sk }: Item): Promise<Attempt | undefined> =>
  table.find(attempt, { pk: String(pk), sk: String(sk) });

/** The first attempt of an event, with its body until that is erased. */
export const findDelivery = (table: Table, eventId: string, endpointId: string) =>
  table.find(keptDelivery, deliveryKey(eventId, endpointId));

/** The bodies of listed attempts, in their order. */
export async function deliveryBodies(
  table: Table,
  endpointId: string,
  listed: readonly Pick<ListedDelivery, 'eventId' | 'manualId'>[],
): Promise<DeliveryBodies[]> {
  const keys = listed.map(({ eventId, manualId }) => deliveryKey(eventId, endpointId, manualId));
  const items = new Map((await table.getAll(keys)).map((item) => [`${item.pk} ${item.sk}`, item]));
  return keys.map(({ pk, sk }) => bodies.parse(items.get(`${pk} ${sk}`) ?? {}));
}

/** Removes the bodies of all attempts of an event, which hold values of signers. Nobody can ask for the event again. */
export async function forgetBody(table: Table, eventId: string, endpointId: string): Promise<void> {
  const { pk } = deliveryKey(eventId, endpointId);
  for (const { sk } of await table.queryAll({ pk, consistent: true })) {
    // One whose 30 days end now may be gone.
    await tryWrite(table.update({ pk, sk: String(sk) }, { body: undefined, answer: undefined }, exists));
  }
}

/** The position of a page's last item. */
export const deliveryPosition = claim.pick({ attemptedAt: true, eventId: true, manualId: true });
type DeliveryPosition = z.output<typeof deliveryPosition>;

/** The index lacks the attribute, but every index has the table's key. */
const manualIdOf = ({ sk }: Item): string | undefined =>
  String(sk).startsWith(MANUAL_DELIVERY) ? String(sk).slice(MANUAL_DELIVERY.length) : undefined;

/** One page of an endpoint's attempts of the last 30 days, newest first. */
export async function listDeliveries(
  table: Table,
  endpointId: string,
  now: Date,
  limit: number,
  startAfter: DeliveryPosition | undefined,
): Promise<{ deliveries: ListedDelivery[]; next: DeliveryPosition | null }> {
  const from = after(now, -KEPT_FOR);
  // DynamoDB refuses a start outside of the range. Everything after it is too old as well.
  if (startAfter && startAfter.attemptedAt < from) return { deliveries: [], next: null };
  const pk = endpointListing(endpointId);
  const { items } = await table.query({
    index: BY_OWNER,
    pk,
    sk: { from, to: '9999' },
    limit: limit + 1,
    newestFirst: true,
    startAfter: startAfter && {
      ...deliveryKey(startAfter.eventId, endpointId, startAfter.manualId),
      [BY_OWNER.pk]: pk,
      [BY_OWNER.sk]: `${startAfter.attemptedAt}#${startAfter.eventId}`,
    },
  });
  const deliveries = items
    .slice(0, limit)
    .map((item) => ({ ...parseItem(listedDelivery, item), manualId: manualIdOf(item) }));
  const last = deliveries.at(-1);
  const more = items.length > limit && last;
  return { deliveries, next: more ? deliveryPosition.parse(last) : null };
}
