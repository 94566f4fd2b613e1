import { createHash } from 'node:crypto';

/** Every key and index of the table, in one place; `docs/data-model.md` draws it. */
export interface Key {
  pk: string;
  sk: string;
}

export type Mode = 'live' | 'test';

const digits = (value: number, width: number) => String(value).padStart(width, '0');
export const sha256Hex = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex');

export const requestPartition = (id: string) => `REQ#${id}`;
export const STATE_PREFIX = 'R#';
export const AUDIT_PREFIX = 'A#';
export const metaKey = (id: string): Key => ({ pk: requestPartition(id), sk: 'R#META' });
export const contentKey = (id: string): Key => ({ pk: requestPartition(id), sk: 'R#CONTENT' });
export const signerKey = (id: string, position: number): Key => ({
  pk: requestPartition(id),
  sk: `R#SIGNER#${digits(position, 2)}`,
});
export const auditKey = (id: string, sequence: number): Key => ({
  pk: requestPartition(id),
  sk: `A#${digits(sequence, 6)}`,
});
export const tokenKey = (token: string): Key => ({ pk: `TOKEN#${sha256Hex(token)}`, sk: 'TOKEN' });
export const outboxKey = (id: string): Key => ({ pk: `OUTBOX#${id}`, sk: 'OUTBOX' });
export const idempotencyKey = (ownerId: string, mode: Mode, key: string): Key => ({
  pk: `IDEM#${ownerId}#${mode}#${sha256Hex(key)}`,
  sk: 'IDEM',
});
export const uploadKey = (id: string): Key => ({ pk: `UPLOAD#${id}`, sk: 'UPLOAD' });

export const ownerPartition = (id: string) => `OWNER#${id}`;
export const ownerKey = (id: string): Key => ({ pk: ownerPartition(id), sk: 'OWNER' });
export const ownersKeyKey = (ownerId: string, keyId: string): Key => ({
  pk: ownerPartition(ownerId),
  sk: `KEY#${keyId}`,
});
export const apiKeyKey = (keyId: string): Key => ({ pk: `KEY#${keyId}`, sk: 'KEY' });

export const hooksPartition = (ownerId: string, mode: Mode) => `HOOKS#${ownerId}#${mode}`;
export const endpointKey = (ownerId: string, mode: Mode, id: string): Key => ({
  pk: hooksPartition(ownerId, mode),
  sk: `ENDPOINT#${id}`,
});
export const endpointCountKey = (ownerId: string, mode: Mode): Key => ({
  pk: hooksPartition(ownerId, mode),
  sk: 'COUNT',
});
export const deliveryKey = (eventId: string, endpointId: string): Key => ({
  pk: `DELIVERY#${eventId}#${endpointId}`,
  sk: 'DELIVERY',
});
export const jobKey = (name: string): Key => ({ pk: `JOB#${name}`, sk: 'JOB' });

export const BY_OWNER = { name: 'byOwner', pk: 'owner_pk', sk: 'created_sk' } as const;
export const BY_STATUS = { name: 'byStatus', pk: 'status_pk', sk: 'created_sk' } as const;
export const BY_DUE = { name: 'byDue', pk: 'due_pk', sk: 'due_sk' } as const;

export const ownerListing = (ownerId: string, mode: Mode) => `OWNER#${ownerId}#${mode}`;
export const statusListing = (ownerId: string, mode: Mode, status: string) =>
  `OWNER#${ownerId}#${mode}#${status}`;
export const OWNERS_LISTING = 'OWNERS';
export const endpointListing = (endpointId: string) => `HOOK#${endpointId}`;

export const DUE_SHARDS = 8;
export type DueKind = 'EXPIRE' | 'PURGE' | 'STAMP' | 'STAMP_FAILED' | 'REMIND' | 'OUTBOX' | 'DELIVERY';

/** What is due is spread over shards by its id, and ordered by time in each: a job asks every shard for "up to now". */
export const dueShard = (kind: DueKind, shard: number) => `${kind}#${shard}`;
export const due = (kind: DueKind, time: string, id: string) => ({
  due_pk: dueShard(kind, Number.parseInt(sha256Hex(id).slice(0, 8), 16) % DUE_SHARDS),
  due_sk: `${time}#${id}`,
});
