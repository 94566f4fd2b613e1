import { LISTED_DELIVERY_ATTRIBUTES } from './deliveries.ts';
import { BY_DUE, BY_OWNER, BY_STATUS } from './keys.ts';

/**
 * The attributes that the two listings project. Lists of requests take `createdAt` and `id`, and the rest from the table; lists of
 * deliveries take everything from here.
 */
const LISTED_ATTRIBUTES = [
  'id',
  'status',
  'title',
  'signerCount',
  'createdAt',
  'sentAt',
  'signedAt',
  'cancelledAt',
  'expiresAt',
  'mode',
  ...LISTED_DELIVERY_ATTRIBUTES,
];

/** The table's indexes. A deployed index cannot be changed: to project other attributes, add an index. */
export const INDEXES = [
  { ...BY_OWNER, attributes: LISTED_ATTRIBUTES },
  { ...BY_STATUS, attributes: LISTED_ATTRIBUTES },
  { ...BY_DUE, attributes: ['id', 'position', 'kind'] },
];
