import * as z from 'zod';
import { locale, requestStatus, signerStatus, stamp, uuid } from './fields.ts';

export const EVENT_TYPES = [
  'signature_request.created',
  'signature_request.sent',
  'signature_request.opened',
  'signer.signed',
  'signature_request.completed',
  'signature_request.signed',
  'signature_request.declined',
  'signature_request.cancelled',
  'signature_request.expired',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What `POST …/test` sends; it is no event of a request and cannot be subscribed to. */
export const TEST_EVENT_TYPE = 'webhook_endpoint.test';

const requestData = {
  signature_request_id: uuid,
  status: requestStatus,
  title: z.string(),
  signer_count: z.int(),
  created_at: stamp,
  sent_at: stamp.nullable(),
  signed_at: stamp.nullable(),
  cancelled_at: stamp.nullable(),
  expires_at: stamp,
};

const signerData = {
  signer_id: uuid,
  email: z.string(),
  name: z.string(),
  status: signerStatus,
  locale,
  position: z.int(),
};
const actingSigner = { signer_id: uuid, signer_email: z.string(), signer_name: z.string() };

const completed = z.strictObject({
  signature_request_id: uuid,
  status: z.literal('signed'),
  signed_at: stamp,
  document_hash: z.string(),
  download_url: z.url(),
});

/** The `data` of each event's envelope. */
export const EVENT_DATA = {
  'signature_request.created': z.strictObject({
    ...requestData,
    signers: z.array(z.strictObject(signerData)),
  }),
  'signature_request.sent': z.strictObject({
    ...requestData,
    signers: z.array(
      z.strictObject({ ...signerData, email_sent: z.boolean(), email_error: z.string().nullable() }),
    ),
  }),
  'signature_request.opened': z.strictObject({ ...requestData, ...actingSigner }),
  'signer.signed': z.strictObject({
    signature_request_id: uuid,
    ...actingSigner,
    signed_at: stamp,
    remaining_pending_signers: z.int(),
  }),
  'signature_request.completed': completed,
  'signature_request.signed': completed,
  'signature_request.declined': z.strictObject({
    ...requestData,
    ...actingSigner,
    decline_reason: z.string().nullable(),
  }),
  'signature_request.cancelled': z.strictObject({ ...requestData, reason: z.string().nullable() }),
  'signature_request.expired': z.strictObject(requestData),
} as const satisfies Record<EventType, z.ZodType>;

export type EventData<T extends EventType> = z.output<(typeof EVENT_DATA)[T]>;

export const envelope = z.strictObject({
  id: z.string().regex(/^evt_[0-9a-f-]{36}$/),
  type: z.string(),
  created_at: stamp,
  data: z.record(z.string(), z.unknown()),
});
