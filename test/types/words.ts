import { cancelSignature, getSignature, listSigners } from '../../shared/contract/signatures.ts';
import { documentedAs, named } from '../../shared/contract/words/described.ts';
import { EVENT_WORDS } from '../../shared/contract/words/events.ts';

/**
 * Checked by the compiler (`npm run types`), never run: each line below `@ts-expect-error` must not compile, and the
 * compiler complains where it does.
 */

const { answer, body } = cancelSignature;
const id = ['The id.', 'x'] as const;
const status = ['Always `cancelled`.', 'cancelled'] as const;
const cancelled_at = ['When.', '2026-11-21T10:00:00.000Z'] as const;
const whole = named('Cancelled', answer, '', { id, status, cancelled_at });
const reason = named('Cancel', body, '', { reason: ['Why.', 'No need.'] });

export const objects = [
  // @ts-expect-error A field lacks its words.
  named('Cancelled', answer, '', { id, status }),
  // @ts-expect-error A field lacks its example.
  named('Cancelled', answer, '', { id, status, cancelled_at: ['When.'] }),
  // @ts-expect-error The example is a value that the field never has.
  named('Cancelled', answer, '', { id, status: ['Always.', 'signed'], cancelled_at }),
  // @ts-expect-error There is no such field.
  named('Cancelled', answer, '', { id, status, cancelled_at, by: ['Who.', 'x'] }),
  // @ts-expect-error The objects in a field have words of their own.
  named('SignerList', listSigners.answer, '', { data: ['The signers.', []] }),
  // @ts-expect-error These are the words of another object.
  named('SignerList', listSigners.answer, '', { data: ['The signers.', whole] }),
];

const documented = documentedAs('');
const operation = { description: '', returns: '' };
const params = { id } as const;

export const endpoints = [
  documented(cancelSignature, { ...operation, params, body: reason, answer: whole }),
  // @ts-expect-error A path parameter lacks its words.
  documented(cancelSignature, { ...operation, body: reason, answer: whole }),
  // @ts-expect-error The body lacks its words.
  documented(cancelSignature, { ...operation, params, answer: whole }),
  // @ts-expect-error The answer lacks its words.
  documented(cancelSignature, { ...operation, params, body: reason }),
  // @ts-expect-error These are the words of another answer.
  documented(getSignature, { ...operation, params, answer: whole }),
  // @ts-expect-error The endpoint lacks its description.
  documented(cancelSignature, { ...operation, description: undefined, params, body: reason, answer: whole }),
];

const { 'signer.signed': _, ...events } = EVENT_WORDS;
// @ts-expect-error An event lacks its words.
export const missing: typeof EVENT_WORDS = events;
