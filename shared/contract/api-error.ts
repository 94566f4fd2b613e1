import { ERRORS, type ErrorCode } from './errors.ts';

interface Extra {
  /** When the same call may be tried again; answered as `Retry-After`. */
  retryAt?: string;
  /** The one field, parameter or header that is at fault, as a JSON pointer. */
  field?: string;
  /** Further members of the answer, next to `error` and `message`. */
  fields?: Record<string, unknown>;
}

/** The one error that callers see. Rules and functions throw it; `http/serve.ts` turns it into an answer. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAt: string | undefined;
  readonly fields: Record<string, unknown>;

  constructor(code: ErrorCode, message: string = ERRORS[code][1], { retryAt, field, fields }: Extra = {}) {
    super(message);
    this.code = code;
    this.status = ERRORS[code][0];
    this.retryAt = retryAt;
    this.fields = { ...(field !== undefined && { field }), ...fields };
  }
}

/** For an id in the path: unknown, or of another owner, which nobody else learns. */
export const notFound = (parameter: string): ApiError =>
  new ApiError('not_found', `Nothing with this \`${parameter}\` exists, or it belongs to another owner.`, {
    field: `/${parameter}`,
  });
