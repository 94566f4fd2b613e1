import type * as z from 'zod';
import type { AnswerOf } from '../../shared/contract/endpoint.ts';
import type { LIMITS, TYPED_STYLES as STYLES, TypedStyle } from '../../shared/contract/fields.ts';
import type {
  decline,
  getCopy,
  openLink,
  requestView,
  sendCode,
  sign,
} from '../../shared/contract/signing.ts';

/** The signer API's types. The schemas and zod stay out of the browser bundle. */
export type LinkStatus = AnswerOf<typeof openLink>;
export type CodeSent = AnswerOf<typeof sendCode>;
export type RequestView = z.infer<typeof requestView>;
export type SignBody = z.input<typeof sign.body>;
export type { TypedStyle };
export type Signed = AnswerOf<typeof sign>;
export type Declined = AnswerOf<typeof decline>;
export type Copy = AnswerOf<typeof getCopy>;

/** Copies, because the original module loads zod. The types make a wrong copy a compile error. */
export const TYPED_STYLES: typeof STYLES = ['italic', 'serif', 'sans'];
export const NAME_LENGTH: (typeof LIMITS)['nameLength'] = 200;
export const REASON_LENGTH: (typeof LIMITS)['reasonLength'] = 500;
export const IMAGE_BASE64_LENGTH: (typeof LIMITS)['signatureImageBase64Length'] = 400_000;
export const ENTITY_ID_LENGTH = 100;
