import { LIMITS } from '../limits.ts';
import { HASH } from './samples.ts';

/** The headers of answers. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the call. Give it to the operator if something fails.',
    schema: { type: 'string' },
    example: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  },
  'Ignored-Fields': {
    description: `The first ${LIMITS.ignoredFields} fields of the body that the service does not know, so that a misspelt name shows.`,
    schema: { type: 'string' },
    example: '/expires_in_day',
  },
  'Idempotent-Replayed': {
    description: 'True if this is the answer of an earlier call with the same `Idempotency-Key`.',
    schema: { type: 'string' },
    example: 'true',
  },
  'Audit-Trail-Truncated': {
    description: 'True if earlier entries of the audit trail are missing from the answer, or may be.',
    schema: { type: 'string' },
    example: 'true',
  },
  'Retry-After': {
    description: 'After how many seconds the same call can be tried again.',
    schema: { type: 'integer' },
    example: 30,
  },
  ETag: {
    description: 'Changes with the content. Of a file, its SHA-256 in hexadecimal.',
    schema: { type: 'string' },
    example: `"${HASH}"`,
  },
  Allow: {
    description: 'The methods that the path has.',
    schema: { type: 'string' },
    example: 'GET, POST',
  },
} as const;

/** Of an answer that is not sent again to a client that has it. */
export const IF_CHANGED = {
  answerHeaders: ['ETag'],
  also: { 304: 'Nothing has changed since the answer with that `ETag`.' },
  headers: { 'if-none-match': ['The `ETag` of an earlier answer.', `"${HASH}"`] },
} as const;

export type HeaderName = keyof typeof HEADERS;
