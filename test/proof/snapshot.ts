import * as z from 'zod';

/** All that can be seen of the service from outside at one moment, and all that its clients were answered. */

const time = z.string();

const event = z.object({
  version: z.int(),
  sequence: z.int(),
  type: z.string(),
  at: time,
  actor: z.string(),
  signerId: z.string().nullable(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  salts: z.record(z.string(), z.string()),
  commitments: z.record(z.string(), z.string()),
  previousHash: z.string(),
  hash: z.string(),
});

const signer = z.object({
  id: z.string(),
  email: z.string(),
  asCreated: z.object({ email: z.string() }).nullable(),
  status: z.string(),
  signature: z.object({ type: z.string(), value: z.string() }).nullable(),
});

export const storedRequest = z.object({
  id: z.string(),
  state: z.object({
    title: z.string(),
    status: z.string(),
    expiresAt: time,
    purgeAt: time.nullable(),
    purgedAt: time.nullable(),
    documentHash: z.string().nullable(),
    evidenceHash: z.string().nullable(),
    auditSequence: z.int(),
    auditHead: z.string(),
  }),
  content: z.object({ documentSha256: z.string() }),
  signers: z.array(signer),
  events: z.array(event),
});

const answer = z.object({
  status: z.string(),
  document_hash: z.string().nullable(),
});
export const requestAnswer = z.object({ ...answer.shape, id: z.string(), title: z.string() });

const storedObject = z.object({
  key: z.string(),
  versions: z.int(),
  sha256: z.string(),
  /** The number of signatures in the PDF. */
  seals: z.int(),
});

/** Of an event's data, what is checked. The rest would fill the memory that the soak watches. */
export const told = z.object({
  signer_id: z.string().optional(),
  remaining_pending_signers: z.int().optional(),
  document_hash: z.string().nullable().optional(),
});

const delivery = z.object({ eventId: z.string(), type: z.string(), requestId: z.string(), data: told });

export const snapshot = z.object({
  /** The time by the service's clock at which it was taken. */
  at: time,
  /** The number of kills, errors, delays and clock jumps before: without any, nothing may be missing or come twice. */
  interruptions: z.int(),
  /** The address of the organization's notices. */
  notify: z.string(),
  /** Each create has a title of its own. `id` is what the client was answered, null without an answer. */
  creates: z.array(z.object({ title: z.string(), id: z.string().nullable(), ending: z.string().nullable() })),
  /** Calls that were answered with success. */
  acts: z.array(
    z.object({ kind: z.string(), requestId: z.string(), signerId: z.string().nullable(), at: time }),
  ),
  requests: z.array(
    z.object({ ...storedRequest.shape, answer, audit: z.object({ intact: z.boolean(), why: z.string() }) }),
  ),
  objects: z.array(storedObject),
  mails: z.array(z.object({ to: z.string(), subject: z.string() })),
  receivers: z.array(
    z.object({ endpointId: z.string(), isSteady: z.boolean(), deliveries: z.array(delivery) }),
  ),
  queues: z.array(z.object({ name: z.string(), waiting: z.int(), deadLetters: z.int() })),
  /** Entries of the index of due work that no time can excuse: outbox, deliveries, claims of objects. */
  due: z.array(z.object({ kind: z.string(), what: z.string() })),
});

export type Snapshot = z.output<typeof snapshot>;
export type SnapshotRequest = Snapshot['requests'][number];
export type TrailEvent = z.output<typeof event>;
export type StoredObject = z.output<typeof storedObject>;
