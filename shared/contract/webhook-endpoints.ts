import * as z from 'zod';
import { boolean, int, nullableString, string } from '../runtime/schemas.ts';
import { endpoint } from './endpoint.ts';
import { EVENT_TYPES } from './events.ts';
import {
  atMost,
  flag,
  jsonObject,
  notFound,
  oneOf,
  pageOf,
  paging,
  refuse,
  stamp,
  uuid,
  wellFormed,
} from './fields.ts';
import { LIMITS } from './limits.ts';

/** `unknown`: an attempt that ended before its outcome was recorded. */
export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'unknown'] as const;

/** Which addresses may be called depends on the configuration too; see `addressUnder` in `shared/webhooks/`. */
export const webhookUrl = z
  .string({ error: refuse('invalid_url', 'must be an https address') })
  .max(...atMost('invalid_url', LIMITS.webhookUrlLength))
  .refine(...wellFormed('invalid_url'));

export const eventType = oneOf('invalid_event_types', EVENT_TYPES);

const eventTypes = z.array(eventType, {
  error: refuse('invalid_event_types', 'must be a list of event types'),
});

const description = z
  .string({ error: refuse('invalid_description', 'must be text or null') })
  .max(...atMost('invalid_description', LIMITS.webhookDescriptionLength))
  .refine(...wellFormed('invalid_description'))
  .nullable();

const ENDPOINT_ID = /^we_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const EVENT_ID = /^evt_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const idInPath = (pattern: RegExp) => z.string().toLowerCase().regex(pattern, notFound);

const endpointPath = z.object({ id: idInPath(ENDPOINT_ID) });
const deliveryPath = z.object({ ...endpointPath.shape, event_id: idInPath(EVENT_ID) });

export const webhookEndpoint = z.strictObject({
  id: string.regex(ENDPOINT_ID),
  url: z.url(),
  event_types: z.array(eventType),
  description: nullableString,
  disabled_at: stamp.nullable(),
  created_at: stamp,
  updated_at: stamp,
});

const base = { area: 'api', access: 'api_key', adminsOnly: true, status: 200 } as const;

export const listWebhookEndpoints = endpoint({
  ...base,
  name: 'list-webhook-endpoints',
  method: 'GET',
  path: '/api/v1/webhook-endpoints',
  summary: 'List the owner’s webhook endpoints',
  answer: z.strictObject({ data: z.array(webhookEndpoint) }),
});

export const createWebhookEndpoint = endpoint({
  ...base,
  name: 'create-webhook-endpoint',
  method: 'POST',
  path: '/api/v1/webhook-endpoints',
  summary: 'Register a webhook endpoint; the answer holds its secret, once',
  body: z.object(
    { url: webhookUrl, event_types: eventTypes.optional(), description: description.optional() },
    jsonObject,
  ),
  status: 201,
  answer: z.strictObject({ ...webhookEndpoint.shape, secret: string }),
  errors: ['invalid_url', 'invalid_event_types', 'invalid_description', 'too_many_endpoints'],
});

export const getWebhookEndpoint = endpoint({
  ...base,
  name: 'get-webhook-endpoint',
  method: 'GET',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Get a webhook endpoint',
  params: endpointPath,
  answer: webhookEndpoint,
});

export const updateWebhookEndpoint = endpoint({
  ...base,
  name: 'update-webhook-endpoint',
  method: 'PATCH',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Change a webhook endpoint; only the given fields change',
  params: endpointPath,
  body: z.object(
    {
      url: webhookUrl.optional(),
      event_types: eventTypes.optional(),
      description: description.optional(),
      disabled: flag.optional(),
    },
    jsonObject,
  ),
  answer: webhookEndpoint,
  errors: ['invalid_url', 'invalid_event_types', 'invalid_description'],
});

export const deleteWebhookEndpoint = endpoint({
  ...base,
  name: 'delete-webhook-endpoint',
  method: 'DELETE',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Remove a webhook endpoint and its secret for good',
  params: endpointPath,
  answer: z.strictObject({ ok: boolean, id: string }),
});

export const testWebhookEndpoint = endpoint({
  ...base,
  name: 'test-webhook-endpoint',
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/test',
  summary: 'Send the endpoint a signed test event',
  params: endpointPath,
  answer: z.strictObject({ ok: boolean, event_id: string }),
  errors: ['endpoint_paused'],
});

export const listWebhookDeliveries = endpoint({
  ...base,
  name: 'list-webhook-deliveries',
  method: 'GET',
  path: '/api/v1/webhook-endpoints/{id}/deliveries',
  summary: 'List the attempts of the last 30 days, newest first',
  params: endpointPath,
  query: z.object({
    ...paging,
    include: z.literal('bodies', { error: refuse('invalid_request', 'must be bodies') }).optional(),
  }),
  answer: pageOf(
    z.strictObject({
      event_id: string,
      event_type: string,
      signature_request_id: uuid.nullable(),
      attempted_at: stamp,
      outcome: z.enum(DELIVERY_OUTCOMES),
      http_status: int.nullable(),
      duration_ms: int.nullable(),
      error: nullableString,
      manual: boolean,
      request_body: string.nullable().optional(),
      response_body: string.nullable().optional(),
    }),
  ),
  errors: ['invalid_request', 'invalid_limit', 'invalid_cursor'],
});

export const redeliverWebhook = endpoint({
  ...base,
  name: 'redeliver-webhook',
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/deliveries/{event_id}/redeliver',
  summary: 'Deliver an event of the last 30 days to the endpoint once more',
  params: deliveryPath,
  answer: z.strictObject({ ok: boolean, event_id: string }),
  errors: ['endpoint_paused', 'conflict', 'event_not_kept'],
});
