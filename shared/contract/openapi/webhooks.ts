import { EVENT_WORDS, schemaName } from '../words/events.ts';
import { EVENT_ID, HASH } from '../words/samples.ts';
import { WEBHOOKS } from '../words/tags.ts';
import { type Json, refTo } from './schemas.ts';

const EVENTS = Object.entries(EVENT_WORDS);

/** The headers of a delivery. */
const PARAMETERS: Json[] = Object.entries({
  'X-Service-Signature': [
    'The time of the call and the HMAC-SHA256 of time, dot and raw body, in hex. The key is the whole secret.',
    `t=1795255200,v1=${HASH}`,
  ],
  'webhook-id': ['The event’s id, as Standard Webhooks names it.', EVENT_ID],
  'webhook-timestamp': ['The time of the call in seconds, as Standard Webhooks names it.', '1795255200'],
  'webhook-signature': [
    'The signature of Standard Webhooks.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
}).map(([name, [description, example]]) => ({
  name,
  in: 'header',
  description,
  required: true,
  schema: { type: 'string' },
  example,
}));

/** The call that each event makes to a client's endpoint. */
export const webhooks = (): Json =>
  Object.fromEntries(
    EVENTS.map(([type, { summary, description, deprecated }]) => [
      type,
      {
        post: {
          operationId: `on${schemaName(type)}`,
          summary,
          description,
          tags: [WEBHOOKS],
          ...(deprecated && { deprecated }),
          security: [],
          parameters: PARAMETERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: refTo(schemaName(type)) } },
          },
          responses: {
            200: {
              description:
                'Acknowledges the event. Any other status counts as a failure, and nothing is sent again.',
            },
          },
        },
      },
    ]),
  );

const exampleIn = (schema: Json | undefined) => (schema?.examples as unknown[] | undefined)?.[0];

/** The schema of each event: the envelope with its own type and data. */
export function eventSchemas(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
  const { Event: envelope = {} } = schemas;
  const properties = envelope.properties as Record<string, Json>;
  return Object.fromEntries(
    EVENTS.map(([type, { at, description, data, deprecated }]) => {
      const example = exampleIn(schemas[data.name]);
      return [
        schemaName(type),
        {
          ...envelope,
          description,
          ...(deprecated && { deprecated }),
          properties: {
            ...properties,
            type: { description: 'What happened.', type: 'string', const: type, examples: [type] },
            data: { description: 'What the event is about.', ...refTo(data.name), examples: [example] },
          },
          examples: [{ ...(exampleIn(envelope) as Json), type, created_at: at, data: example }],
        },
      ];
    }),
  );
}
