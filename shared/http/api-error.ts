import { ERRORS, type ErrorCode } from '../contract/errors.ts';

interface Extra {
  headers?: Record<string, string>;
  /** Fields beside `error` and `message`, where the contract names them. */
  fields?: Record<string, unknown>;
}

/** A refusal the caller is told of. Thrown anywhere, answered in one place (`error-answers.ts`). */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly fields: Record<string, unknown>;

  constructor(code: ErrorCode, message: string = ERRORS[code][1], { headers = {}, fields = {} }: Extra = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code][0];
    this.headers = headers;
    this.fields = fields;
  }
}

export const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) });
