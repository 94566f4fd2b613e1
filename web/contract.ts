import type * as z from 'zod';
import type { AnswerOf } from '../shared/contract/endpoint.ts';
import type { LIMITS } from '../shared/contract/fields.ts';
import type { decline, openLink, requestView, sendCode, sign } from '../shared/contract/signing.ts';

/** The signer API's shapes. Types only: the schemas and zod stay out of the browser. */
export type Standing = AnswerOf<typeof openLink>;
export type CodeSent = AnswerOf<typeof sendCode>;
export type RequestView = z.infer<typeof requestView>;
export type SignBody = z.input<typeof sign.body>;
export type Signed = AnswerOf<typeof sign>;
export type Declined = AnswerOf<typeof decline>;

/** Written out again, since the module that holds them loads zod; a number that drifts does not compile. */
export const NAME_LENGTH: (typeof LIMITS)['nameLength'] = 200;
export const REASON_LENGTH: (typeof LIMITS)['reasonLength'] = 500;
export const IMAGE_BASE64_LENGTH: (typeof LIMITS)['signatureImageBase64Length'] = 400_000;
export const ENTITY_ID_LENGTH = 100;
