import { appErrorBody, errorBody, signingErrorBody } from '../resources.ts';
import { named } from './described.ts';
import { BASE_URL } from './samples.ts';

const FAULT_WORDS = {
  error: ['The code of the error. Branch on this one.', 'invalid_signer_email'],
  message: [
    'What is wrong and what to do, for people. Its wording may change.',
    'signers[0].email must be an e-mail address.',
  ],
  field: ['The field, parameter or header that is at fault, as a JSON pointer.', '/signers/0/email'],
} as const;

const ERROR_FIELDS = {
  ...FAULT_WORDS,
  errors: [
    'All that is wrong with the call, at most 50. The first is the one of the outer fields.',
    named('Fault', errorBody.shape.errors.unwrap().element, 'One thing that is wrong.', FAULT_WORDS),
  ],
  request_id: [
    'The id of the call, as in `X-Request-Id`. Give it to the operator if something fails.',
    'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  ],
  purged_at: ['With `document_purged`: when the PDF was deleted.', '2026-11-28T10:25:03.480Z', 'alternative'],
} as const;

export const ERROR = named('Error', errorBody, 'The answer to a call that failed.', {
  ...ERROR_FIELDS,
  docs: [
    'The address of what there is to know about the code: why it happens and what to do.',
    `${BASE_URL}/docs/errors#invalid_signer_email`,
  ],
});

const ATTEMPTS_LEFT = [
  'With `wrong_code`: how many wrong codes may still be entered.',
  4,
  'alternative',
] as const;

export const SIGNING_ERROR = named('Error', signingErrorBody, 'The answer to a call that failed.', {
  ...ERROR_FIELDS,
  locale: ['With a link that has ended: the signer’s language.', 'en', 'alternative'],
  attempts_left: ATTEMPTS_LEFT,
  locked_until: [
    'With `locked`: until when. Null if only a resend by the sender lifts it.',
    '2026-11-21T10:40:00.000Z',
    'alternative',
  ],
});

export const APP_ERROR = named('Error', appErrorBody, 'The answer to a call that failed.', {
  ...ERROR_FIELDS,
  attempts_left: ATTEMPTS_LEFT,
  locked_until: ['With `locked`: always null, since a new code lifts it.', null, 'alternative'],
});
