import * as z from 'zod';
import { MODES } from '../contract/fields.ts';
import { orNull } from '../requests/model.ts';
import { after, DAY, MINUTE, SECOND } from '../runtime/time.ts';
import { type Item, parseItem } from './items.ts';
import { BY_OWNER, deliveryKey, due, endpointListing } from './keys.ts';
import { ConditionFailed, isNew, type Table, type Write } from './table.ts';

/** Delivery attempts: one item for each event and endpoint. The worker that writes the item makes the attempt. */

const KEPT_FOR = 30 * DAY;
/** Attempts take seconds; one without an outcome by then was interrupted. */
const LOST_AFTER = MINUTE;

const claim = z.object({
  eventId: z.string(),
  eventType: z.string(),
  endpointId: z.string(),
  /** Null for a test event. */
  requestId: orNull(z.string()),
  ownerId: z.string(),
  mode: z.enum(MODES),
  attemptedAt: z.string(),
});

const deliveryOutcome = z.object({
  outcome: z.enum(['delivered', 'failed', 'unknown']),
  httpStatus: orNull(z.int()),
  durationMs: orNull(z.int()),
  error: orNull(z.string()),
});

const attempt = z.object({ ...claim.shape, outcome: deliveryOutcome.shape.outcome.optional() });

/** The attributes that the list index holds. */
const listedDelivery = z.object({
  ...claim.pick({ eventId: true, eventType: true, requestId: true, attemptedAt: true }).shape,
  ...deliveryOutcome.shape,
});

export type Claim = z.output<typeof claim>;
export type DeliveryOutcome = z.output<typeof deliveryOutcome>;
/** A claim, with its outcome once that is known. */
export type Attempt = z.output<typeof attempt>;
export type ListedDelivery = z.output<typeof listedDelivery>;

export const LISTED_DELIVERY_ATTRIBUTES = Object.keys(listedDelivery.shape);

const lostAt = ({ attemptedAt }: Claim) => after(attemptedAt, LOST_AFTER);

/** Writes the claim, or returns the existing one. It is in the due index until its outcome is recorded. */
export async function claimDelivery(table: Table, newClaim: Claim): Promise<Attempt | undefined> {
  const { eventId, endpointId, attemptedAt } = newClaim;
  try {
    await table.put(
      {
        ...deliveryKey(eventId, endpointId),
        ...newClaim,
        ...due('DELIVERY', lostAt(newClaim), `${eventId}#${endpointId}`),
        ttl: Math.ceil(Date.parse(after(attemptedAt, KEPT_FOR)) / SECOND),
      },
      isNew,
    );
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailed && error.current) return parseItem(attempt, error.current);
    throw error;
  }
}

/** Records the outcome of an attempt once, and lists the attempt under its endpoint. */
export const outcomeWrite = (
  { eventId, endpointId, attemptedAt }: Claim,
  outcome: DeliveryOutcome,
): Write => ({
  update: deliveryKey(eventId, endpointId),
  set: {
    ...outcome,
    owner_pk: endpointListing(endpointId),
    created_sk: `${attemptedAt}#${eventId}`,
    due_pk: undefined,
    due_sk: undefined,
  },
  condition: { expression: 'attribute_exists(#pk) AND attribute_not_exists(#outcome)' },
});

export const isLost = (candidate: Attempt, now: Date): boolean =>
  candidate.outcome === undefined && lostAt(candidate) <= now.toISOString();

/** The attempt behind an entry of the due index. */
export async function findAttempt(table: Table, { pk, sk }: Item): Promise<Attempt | undefined> {
  const item = await table.get({ pk: String(pk), sk: String(sk) }, { consistent: true });
  return item && parseItem(attempt, item);
}

/** The position of a page's last item. */
export const deliveryPosition = claim.pick({ attemptedAt: true, eventId: true });
export type DeliveryPosition = z.output<typeof deliveryPosition>;

/** One page of an endpoint's attempts of the last 30 days, newest first. */
export async function listDeliveries(
  table: Table,
  endpointId: string,
  now: Date,
  limit: number,
  startAfter: DeliveryPosition | undefined,
): Promise<{ deliveries: ListedDelivery[]; next: DeliveryPosition | null }> {
  const pk = endpointListing(endpointId);
  const { items } = await table.query({
    index: BY_OWNER,
    pk,
    sk: { from: after(now, -KEPT_FOR), to: '9999' },
    limit: limit + 1,
    newestFirst: true,
    ...(startAfter && {
      startAfter: {
        ...deliveryKey(startAfter.eventId, endpointId),
        [BY_OWNER.pk]: pk,
        [BY_OWNER.sk]: `${startAfter.attemptedAt}#${startAfter.eventId}`,
      },
    }),
  });
  const deliveries = items.slice(0, limit).map((item) => parseItem(listedDelivery, item));
  const last = deliveries.at(-1);
  const more = items.length > limit && last;
  return { deliveries, next: more ? { attemptedAt: last.attemptedAt, eventId: last.eventId } : null };
}
