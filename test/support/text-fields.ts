import * as z from 'zod';
import { ENDPOINTS } from '../../shared/contract/endpoints.ts';

type Json = Record<string, unknown>;

/** Kinds of input that a field takes: free text, one line, or neither: an address, or what is decoded or compared. */
type Kind = 'text' | 'line' | 'opaque';

/** Every field of a body that takes any text. A test fails while one of the contract's is missing here. */
export const TEXT_FIELDS: Readonly<Record<string, Kind>> = {
  'create-signature title': 'line',
  'create-signature message': 'text',
  'create-signature signers[].email': 'opaque',
  'create-signature signers[].name': 'line',
  'create-signature signer_email': 'opaque',
  'create-signature signer_name': 'line',
  'create-signature reference': 'line',
  'create-signature return_url': 'text',
  'create-signature document.filename': 'line',
  'create-signature document.content_base64': 'opaque',
  'cancel-signature reason': 'text',
  'correct-signer email': 'opaque',
  'correct-signer name': 'line',
  'create-webhook-endpoint url': 'text',
  'create-webhook-endpoint description': 'text',
  'update-webhook-endpoint url': 'text',
  'update-webhook-endpoint description': 'text',
  'sign consent_version': 'opaque',
  'sign name': 'line',
  'sign signature.text': 'line',
  'sign signature.png_base64': 'opaque',
  'sign representing.name': 'line',
  'sign representing.role': 'line',
  'sign representing.entity_id': 'line',
  'decline reason': 'text',
  'request-sign-in email': 'opaque',
  'add-member email': 'opaque',
  'create-api-key name': 'line',
  ...Object.fromEntries(
    ['display_name', 'accent', 'reply_to', 'imprint_url', 'privacy_url', 'support_url', 'time_zone'].map(
      (name) => [`update-brand ${name}`, 'opaque' as const],
    ),
  ),
  'update-notices notify': 'opaque',
};

/** The fields of the contract's bodies whose values have no format, in its order. */
export const fieldsOfContract = (): string[] =>
  ENDPOINTS.flatMap(({ name, body }) =>
    body === undefined
      ? []
      : [...new Set(textsIn(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Json))].map(
          (path) => `${name} ${path}`,
        ),
  );

function textsIn(schema: Json, path = ''): string[] {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const choices = [schema.anyOf, schema.oneOf].flatMap((list) => (list ?? []) as Json[]);
  const isFree = !['enum', 'const', 'format', 'pattern'].some((limit) => limit in schema);
  return [
    ...([schema.type].flat().includes('string') && isFree ? [path] : []),
    ...members.flatMap(([name, member]) => textsIn(member, path === '' ? name : `${path}.${name}`)),
    ...(schema.type === 'array' ? textsIn(schema.items as Json, `${path}[]`) : []),
    ...choices.flatMap((choice) => textsIn(choice, path)),
  ];
}
