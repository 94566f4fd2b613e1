import { LIMITS } from '../limits.ts';
import * as webhooks from '../webhook-endpoints.ts';
import { documentedAs, named } from './described.ts';
import { pageWords } from './resources.ts';
import { EVENT_ID, REQUEST_ID, WEBHOOK_ENDPOINT_ID } from './samples.ts';
import { pagingWords } from './signatures.ts';
import { WEBHOOKS } from './tags.ts';

const documented = documentedAs(WEBHOOKS);

const params = { id: ['The webhook endpoint’s id.', WEBHOOK_ENDPOINT_ID] } as const;
const EVENT_TYPES_WORDS = 'The events to send. Empty means all, those of the future too.';

const INPUT = {
  url: [
    'Where events are posted: https, on a public address. On a development stack `http://localhost` too. It comes back as a URI: characters that URIs lack are encoded.',
    'https://client.example.com/hooks/signatures',
  ],
  event_types: [EVENT_TYPES_WORDS, ['signature_request.completed']],
  description: ['Your own note.', 'Production'],
} as const;

const ENDPOINT_WORDS = {
  id: ['The webhook endpoint’s id.', WEBHOOK_ENDPOINT_ID],
  url: ['Where events are posted.', 'https://client.example.com/hooks/signatures'],
  event_types: [EVENT_TYPES_WORDS, ['signature_request.completed']],
  description: ['Your own note.', 'Production'],
  disabled_at: ['When the endpoint was paused. Null while events are sent.', null],
  created_at: ['When the endpoint was registered.', '2026-11-21T09:00:00.000Z'],
  updated_at: ['When it was last changed.', '2026-11-21T09:00:00.000Z'],
} as const;

const WEBHOOK_ENDPOINT = named(
  'WebhookEndpoint',
  webhooks.webhookEndpoint,
  'An address in your system that events are posted to.',
  ENDPOINT_WORDS,
);

const DELIVERY = named(
  'WebhookDelivery',
  webhooks.listWebhookDeliveries.answer.shape.data.element,
  'One attempt to post an event.',
  {
    event_id: ['The `id` of the event.', EVENT_ID],
    event_type: ['The `type` of the event.', 'signature_request.completed'],
    signature_request_id: ['The request that the event is about. Null for a test event.', REQUEST_ID],
    attempted_at: ['When it was posted.', '2026-11-21T10:25:04.000Z'],
    outcome: [
      '`delivered` if your system answered 200, `failed` if it did not, `unknown` if the attempt ended before its outcome was recorded.',
      'delivered',
    ],
    http_status: ['What your system answered. Null without an answer.', 200],
    duration_ms: ['How long the attempt took, in milliseconds.', 143],
    error: ['Why it failed, as one of the codes in the guide to webhooks. Null if it did not.', null],
    manual: ['Whether you asked for this attempt, after the first one.', false],
    request_body: [
      'With `include=bodies`: what was sent. Null once the data of one of the event’s signers was erased.',
      `{"id":"${EVENT_ID}","type":"signature_request.completed"}`,
    ],
    response_body: [
      'With `include=bodies`: the first 1,024 bytes of what your system answered, as text. Null without an answer, once the data of one of the event’s signers was erased, and for attempts from before answers were kept.',
      'ok',
    ],
  },
);

export const WEBHOOK_ENDPOINTS = {
  'list-webhook-endpoints': documented(webhooks.listWebhookEndpoints, {
    description: `All endpoints of the key’s owner and mode, at most ${LIMITS.webhookEndpoints}, without their secrets.`,
    returns: 'The endpoints.',
    answer: named(
      'WebhookEndpointList',
      webhooks.listWebhookEndpoints.answer,
      'The webhook endpoints of an owner.',
      { data: ['The endpoints.', WEBHOOK_ENDPOINT] },
    ),
  }),
  'create-webhook-endpoint': documented(webhooks.createWebhookEndpoint, {
    description:
      'Registers an address for events. The answer holds the `secret` with which you verify that a call is genuine; it is never shown again. ' +
      'If it is lost, delete the endpoint and create a new one.',
    returns: 'The endpoint, with its secret.',
    body: named(
      'CreateWebhookEndpoint',
      webhooks.createWebhookEndpoint.body,
      'A new webhook endpoint.',
      INPUT,
    ),
    answer: named(
      'CreatedWebhookEndpoint',
      webhooks.createWebhookEndpoint.answer,
      'A webhook endpoint just registered, with its secret.',
      {
        ...ENDPOINT_WORDS,
        secret: [
          'The key of the signatures. Shown only here: store it now.',
          'whsec_AnExampleThatIsNotASecretButHas43Characters=',
        ],
      },
    ),
  }),
  'get-webhook-endpoint': documented(webhooks.getWebhookEndpoint, {
    description: 'One endpoint, without its secret.',
    returns: 'The endpoint.',
    params,
    answer: WEBHOOK_ENDPOINT,
  }),
  'update-webhook-endpoint': documented(webhooks.updateWebhookEndpoint, {
    description:
      'Changes the fields that you send and leaves the others. Events that occur while an endpoint is paused are not sent later.',
    returns: 'The changed endpoint.',
    params,
    body: named(
      'UpdateWebhookEndpoint',
      webhooks.updateWebhookEndpoint.body,
      'What to change of a webhook endpoint.',
      { ...INPUT, disabled: ['True pauses the endpoint, false resumes it.', true] },
    ),
    answer: WEBHOOK_ENDPOINT,
  }),
  'delete-webhook-endpoint': documented(webhooks.deleteWebhookEndpoint, {
    description:
      'Stops all deliveries at once, those that wait included, and removes the endpoint with its secret.',
    returns: 'The endpoint is removed.',
    params,
    answer: named(
      'DeletedWebhookEndpoint',
      webhooks.deleteWebhookEndpoint.answer,
      'A webhook endpoint just removed.',
      { ok: ['Always true.', true], id: ['The endpoint’s id.', WEBHOOK_ENDPOINT_ID] },
    ),
  }),
  'test-webhook-endpoint': documented(webhooks.testWebhookEndpoint, {
    description:
      'Posts an event of type `webhook_endpoint.test`, signed like every other. Its outcome appears in the deliveries.',
    returns: 'The test event is on its way.',
    params,
    answer: named('WebhookTest', webhooks.testWebhookEndpoint.answer, 'A test event on its way.', {
      ok: ['Always true.', true],
      event_id: ['The `id` of the test event.', EVENT_ID],
    }),
  }),
  'list-webhook-deliveries': documented(webhooks.listWebhookDeliveries, {
    description:
      'The attempts of the last 30 days, newest first. An attempt appears when its outcome is known.',
    returns: 'A page of attempts.',
    params,
    query: {
      ...pagingWords,
      include: [
        `\`bodies\` adds what was sent and what your system answered; a page then holds at most ${LIMITS.deliveriesWithBodies} attempts.`,
        'bodies',
      ],
    },
    answer: named(
      'WebhookDeliveryList',
      webhooks.listWebhookDeliveries.answer,
      'A page of attempts to post events.',
      { data: ['The attempts.', DELIVERY], ...pageWords },
    ),
  }),
  'redeliver-webhook': documented(webhooks.redeliverWebhook, {
    description:
      'Posts an event of the last 30 days to the endpoint once more, with the same `id` and body and a new signature. Its outcome appears in the deliveries, with `manual: true`.',
    returns: 'The event is on its way.',
    params: { ...params, event_id: ['The event’s id, from the deliveries.', EVENT_ID] },
    answer: named('WebhookRedelivery', webhooks.redeliverWebhook.answer, 'An event on its way once more.', {
      ok: ['Always true.', true],
      event_id: ['The `id` of the event.', EVENT_ID],
    }),
  }),
} as const;
