import type { Mode } from '../contract/fields.ts';
import { sha256Hex } from '../runtime/hash.ts';

/** Every key of the table; see docs/data-model.md. */
export interface Key {
  pk: string;
  sk: string;
}

const keyOf = (pk: string, sk: string): Key => ({ pk, sk });
const digits = (value: number, width: number) => String(value).padStart(width, '0');

export const requestPartition = (id: string) => `REQ#${id}`;
export const STATE_PREFIX = 'R#';
export const AUDIT_PREFIX = 'A#';
export const metaKey = (id: string): Key => keyOf(requestPartition(id), 'R#META');
export const contentKey = (id: string): Key => keyOf(requestPartition(id), 'R#CONTENT');
export const signerKey = (id: string, position: number): Key =>
  keyOf(requestPartition(id), `R#SIGNER#${digits(position, 2)}`);
/** Beyond six digits a `~`, which sorts after them, keeps the order. */
export const auditKey = (id: string, sequence: number): Key =>
  keyOf(requestPartition(id), `A#${sequence < 1_000_000 ? digits(sequence, 6) : `~${digits(sequence, 12)}`}`);
export const tokenKey = (token: string): Key => keyOf(`TOKEN#${sha256Hex(token)}`, 'TOKEN');
export const copyKey = (token: string): Key => keyOf(`COPY#${sha256Hex(token)}`, 'COPY');

/** An owner's requests of one mode: live and test never mix. */
export interface OwnerMode {
  ownerId: string;
  mode: Mode;
}

interface Listed extends OwnerMode {
  createdAt: string;
  id: string;
}

/** Look-up of a signer's requests by the hash of the address. */
export const signerPartition = (email: string) => `SIGNER#${sha256Hex(email)}`;
export const signerRequestKey = (email: string, request: Listed): Key => ({
  pk: signerPartition(email),
  // An owner's list by signer is a range of this, in the order of creation.
  sk: `${request.ownerId}#${request.mode}#${request.createdAt}#${request.id}`,
});
/** Look-up of the requests in which a signer had this address until a correction. They are in no list. */
export const formerSignerPartition = (email: string) => `FORMER#${sha256Hex(email)}`;
export const formerSignerKey = (email: string, requestId: string, signerId: string): Key =>
  keyOf(formerSignerPartition(email), `${requestId}#${signerId}`);

/** Look-up of an owner's requests by reference and by title. */
export const referencePartition = (owner: OwnerMode, reference: string) =>
  `REFERENCE#${owner.ownerId}#${owner.mode}#${sha256Hex(reference)}`;
export const titlePartition = (owner: OwnerMode) => `TITLE#${owner.ownerId}#${owner.mode}`;
export const referenceKey = (request: Listed, reference: string): Key =>
  keyOf(referencePartition(request, reference), `${request.createdAt}#${request.id}`);
export const titleKey = (request: Listed, comparableTitle: string): Key =>
  keyOf(titlePartition(request), `${comparableTitle}#${request.createdAt}#${request.id}`);
export const outboxKey = (id: string): Key => keyOf(`OUTBOX#${id}`, 'OUTBOX');
export const idempotencyKey = (ownerId: string, mode: Mode, key: string): Key =>
  keyOf(`IDEM#${ownerId}#${mode}#${sha256Hex(key)}`, 'IDEM');
/** The addresses that an owner's test requests were mailed to on a day (UTC). */
export const testMailsKey = (ownerId: string, day: string): Key =>
  keyOf(`TESTMAILS#${ownerId}#${day}`, 'TESTMAILS');
export const uploadKey = (id: string): Key => keyOf(`UPLOAD#${id}`, 'UPLOAD');

export const objectClaimKey = (key: string): Key => keyOf(`OBJECT#${key}`, 'CLAIM');

export const ownerPartition = (id: string) => `OWNER#${id}`;
export const ownerKey = (id: string): Key => keyOf(ownerPartition(id), 'OWNER');
/** A brand's logo, under the hash of its bytes. */
export const logoKey = (sha256: string): Key => keyOf(`LOGO#${sha256}`, 'LOGO');
export const ownersKeyKey = (ownerId: string, keyId: string): Key =>
  keyOf(ownerPartition(ownerId), `KEY#${keyId}`);
export const apiKeyKey = (keyId: string): Key => keyOf(`KEY#${keyId}`, 'KEY');
/** Functions that only read may write items of these partitions. */
export const keyUseKey = (keyId: string): Key => keyOf(`KEYUSE#${keyId}`, 'KEYUSE');

/** Look-up of a user by the hash of the address. */
export const addressHash = (email: string): string => sha256Hex(email);
export const userAddressKey = (address: string): Key => keyOf(`ADDRESS#${address}`, 'USER');
/** One browser's attempt to sign in, under the hash of its cookie. */
export const attemptKey = (id: string): Key => keyOf(`ATTEMPT#${id}`, 'ATTEMPT');
/** The codes lately asked for with an address. */
export const askedCodesKey = (address: string): Key => keyOf(`CODES#${address}`, 'CODES');
export const userPartition = (userId: string) => `USER#${userId}`;
export const SESSION_PREFIX = 'SESSION#';
export const sessionKey = (userId: string, sessionId: string): Key =>
  keyOf(userPartition(userId), `${SESSION_PREFIX}${sessionId}`);
/** A member of an organization, and what leads from the user to it. */
export const memberKey = (ownerId: string, userId: string): Key =>
  keyOf(ownerPartition(ownerId), `MEMBER#${userId}`);
export const MEMBER_OF_PREFIX = 'MEMBEROF#';
export const memberOfKey = (userId: string, ownerId: string): Key =>
  keyOf(userPartition(userId), `${MEMBER_OF_PREFIX}${ownerId}`);
/** The log of an owner's account, by time. */
export const accountLogPartition = (ownerId: string) => `ACCOUNT#${ownerId}`;
export const accountEventKey = (ownerId: string, at: string, id: string): Key =>
  keyOf(accountLogPartition(ownerId), `${at}#${id}`);

export const hooksPartition = (ownerId: string, mode: Mode) => `HOOKS#${ownerId}#${mode}`;
export const endpointKey = (ownerId: string, mode: Mode, id: string): Key =>
  keyOf(hooksPartition(ownerId, mode), `ENDPOINT#${id}`);
/** Stays once an endpoint was registered: without it, events of the owner are for nobody. */
export const endpointCountKey = (ownerId: string, mode: Mode): Key =>
  keyOf(hooksPartition(ownerId, mode), 'COUNT');
/** Deliveries that a client asked for again stand beside the first one. */
export const deliveryKey = (eventId: string, endpointId: string, manualId?: string): Key =>
  keyOf(
    `DELIVERY#${eventId}#${endpointId}`,
    manualId === undefined ? 'DELIVERY' : MANUAL_DELIVERY + manualId,
  );
/** Before the id of a delivery that a client asked for. */
export const MANUAL_DELIVERY = 'MANUAL#';
export const jobKey = (name: string): Key => keyOf(`JOB#${name}`, 'JOB');
/** The reason that a request’s seal waits. */
export const sealFaultKey = (requestId: string): Key => keyOf(`SEALFAULT#${requestId}`, 'SEALFAULT');
/** Proofs of a certificate, by its SHA-256. */
export const PROOFS_PARTITION = 'PROOFS';
export const proofsKey = (certificateSha256: string): Key => keyOf(PROOFS_PARTITION, certificateSha256);

export const BY_OWNER = { name: 'byOwner', pk: 'owner_pk', sk: 'created_sk' } as const;
export const BY_STATUS = { name: 'byStatus', pk: 'status_pk', sk: 'created_sk' } as const;
export const BY_DUE = { name: 'byDue', pk: 'due_pk', sk: 'due_sk' } as const;

export const ownerListing = (ownerId: string, mode: Mode) => `OWNER#${ownerId}#${mode}`;
export const statusListing = (ownerId: string, mode: Mode, status: string) =>
  `OWNER#${ownerId}#${mode}#${status}`;
export const OWNERS_LISTING = 'OWNERS';
export const endpointListing = (endpointId: string) => `HOOK#${endpointId}`;

export const DUE_SHARDS = 8;
export type DueKind =
  | 'EXPIRE'
  | 'PURGE'
  | 'STAMP'
  | 'STAMP_FAILED'
  | 'REMIND'
  | 'RENEW'
  | 'OUTBOX'
  | 'DELIVERY'
  | 'ORPHAN';

/** Due items are spread over shards by id and sorted by time, so a job queries each shard for everything up to now. */
export const dueShard = (kind: DueKind, shard: number) => `${kind}#${shard}`;
export const due = (kind: DueKind, time: string, id: string) => ({
  due_pk: dueShard(kind, Number.parseInt(sha256Hex(id).slice(0, 8), 16) % DUE_SHARDS),
  due_sk: `${time}#${id}`,
});
