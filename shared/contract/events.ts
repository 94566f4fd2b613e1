import * as z from 'zod';
import { boolean, int, nullableString, string } from '../runtime/schemas.ts';
import { locale, signerStatus, stamp, uuid } from './fields.ts';
import { REQUEST_HEAD, REQUEST_TIMES } from './resources.ts';

/** Sent by `POST …/test`. It belongs to no request, so endpoints cannot subscribe to it. */
export const TEST_EVENT_TYPE = 'webhook_endpoint.test';
export const testEventData = z.strictObject({ webhook_endpoint_id: string });

/** A payload may carry several ids, so the request's is named `signature_request_id`. */
const requestData = { signature_request_id: uuid, ...REQUEST_HEAD, signer_count: int, ...REQUEST_TIMES };

const signerData = {
  signer_id: uuid,
  email: string,
  name: string,
  status: signerStatus,
  locale,
  position: int,
};
const actingSigner = { signer_id: uuid, signer_email: string, signer_name: string };

const completed = z.strictObject({
  signature_request_id: uuid,
  status: z.literal('signed'),
  signed_at: stamp,
  document_hash: string,
  download_url: z.url(),
});

/** Every event type with the `data` of its envelope. Subscriptions, docs and metrics derive from this list. */
export const EVENT_DATA = {
  'signature_request.created': z.strictObject({
    ...requestData,
    signers: z.array(z.strictObject(signerData)),
  }),
  'signature_request.sent': z.strictObject({
    ...requestData,
    signers: z.array(z.strictObject({ ...signerData, email_sent: boolean, email_error: nullableString })),
  }),
  'signature_request.opened': z.strictObject({ ...requestData, ...actingSigner }),
  'signer.signed': z.strictObject({
    signature_request_id: uuid,
    ...actingSigner,
    signed_at: stamp,
    remaining_pending_signers: int,
  }),
  'signature_request.completed': completed,
  'signature_request.signed': completed,
  'signature_request.declined': z.strictObject({
    ...requestData,
    ...actingSigner,
    decline_reason: nullableString,
  }),
  'signature_request.cancelled': z.strictObject({ ...requestData, reason: nullableString }),
  'signature_request.expired': z.strictObject(requestData),
} as const;

export type EventType = keyof typeof EVENT_DATA;

export const EVENT_TYPES = Object.keys(EVENT_DATA) as [EventType, ...EventType[]];

export type EventData<T extends EventType> = z.output<(typeof EVENT_DATA)[T]>;

export const envelope = z.strictObject({
  id: string.regex(/^evt_[0-9a-f-]{36}$/),
  type: string,
  created_at: stamp,
  data: z.record(string, z.unknown()),
});
