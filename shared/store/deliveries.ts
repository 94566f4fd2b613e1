import { after, DAY, MINUTE, SECOND } from '../runtime/time.ts';
import { BY_OWNER, deliveryKey, due, endpointListing, type Mode } from './keys.ts';
import { ConditionFailed, type Item, isNew, type Table, type Write } from './table.ts';

/** Attempts to deliver. One item for each event and endpoint, written before the attempt: who writes it makes the attempt. */

const KEPT_FOR = 30 * DAY;
/** An attempt takes seconds; one without an outcome after this long was interrupted. */
const LOST_AFTER = MINUTE;

export interface Claim {
  eventId: string;
  eventType: string;
  endpointId: string;
  /** Null for a test event. */
  requestId: string | null;
  ownerId: string;
  mode: Mode;
  attemptedAt: string;
}

export interface DeliveryOutcome {
  outcome: 'delivered' | 'failed' | 'unknown';
  httpStatus: number | null;
  durationMs: number | null;
  error: string | null;
}

export type Delivery = Claim & DeliveryOutcome;

const lostAt = (claim: Claim) => after(claim.attemptedAt, LOST_AFTER);

/** Writes the claim, or gives the one that is there already. Until its outcome is known it is due to be looked at. */
export async function claimDelivery(
  table: Table,
  claim: Claim,
): Promise<(Claim & Partial<DeliveryOutcome>) | undefined> {
  const { eventId, endpointId, attemptedAt } = claim;
  try {
    await table.put(
      {
        ...deliveryKey(eventId, endpointId),
        ...claim,
        ...due('DELIVERY', lostAt(claim), `${eventId}#${endpointId}`),
        ttl: Math.ceil(Date.parse(after(attemptedAt, KEPT_FOR)) / SECOND),
      },
      isNew,
    );
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailed && error.current) return error.current as Item & Claim;
    throw error;
  }
}

/** Gives an attempt its outcome, once, and puts it into its endpoint's list. */
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

export const isLost = (claim: Claim & Partial<DeliveryOutcome>, now: Date): boolean =>
  claim.outcome === undefined && lostAt(claim) <= now.toISOString();

/** Where a page ended. */
export interface DeliveryPosition {
  attemptedAt: string;
  eventId: string;
}

/** One page of an endpoint's attempts of the last 30 days, newest first. */
export async function listDeliveries(
  table: Table,
  endpointId: string,
  now: Date,
  limit: number,
  startAfter: DeliveryPosition | undefined,
): Promise<{ deliveries: Delivery[]; next: DeliveryPosition | null }> {
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
  const deliveries = items.slice(0, limit) as (Item & Delivery)[];
  const last = deliveries.at(-1);
  const more = items.length > limit && last;
  return { deliveries, next: more ? { attemptedAt: last.attemptedAt, eventId: last.eventId } : null };
}
