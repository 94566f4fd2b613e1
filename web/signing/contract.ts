import type * as z from 'zod';
import type { AnswerOf } from '../../shared/contract/endpoint.ts';
import type { TYPED_STYLES as STYLES, TypedStyle } from '../../shared/contract/fields.ts';
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

/** A copy, because the original module loads zod. The type makes a wrong copy a compile error. */
export const TYPED_STYLES: typeof STYLES = ['italic', 'serif', 'sans'];
