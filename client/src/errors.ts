import type { ServiceErrorCode, SignatureRequest } from './types.ts';

/** Codes of errors that the client itself reports. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'no_answer'
  | 'unexpected_answer'
  | 'upload_failed'
  | 'path_unsupported'
  | 'document_altered'
  | 'stamp_failed'
  | 'not_sealed_in_time'
  | 'webhook_not_genuine';

/** Also any string, because later versions of the service may add codes. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

export interface Fault {
  error: ErrorCode;
  message: string;
  field?: string;
}

interface Details {
  status?: number;
  field?: string | undefined;
  errors?: readonly Fault[] | undefined;
  requestId?: string | undefined;
  docs?: string | undefined;
  retryAfterMs?: number | undefined;
  details?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/**
 * Thrown by all calls, with three exceptions: an abort by your signal throws its reason, a file that cannot be read throws the
 * system's error, and an argument that cannot work, such as a `file` of a wrong type, throws a TypeError.
 */
export class SignatureRequestsError extends Error {
  override readonly name: string = 'SignatureRequestsError';
  readonly code: ErrorCode;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  /** The field at fault, as a JSON pointer such as `/signers/0/email`. */
  readonly field: string | undefined;
  /** All faults of the body; empty if the service named only one. */
  readonly errors: readonly Fault[];
  /** Give it to the operator of the service. */
  readonly requestId: string | undefined;
  readonly docs: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** All members of the response body, such as `attempts_left` for a wrong code. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details);
    this.code = code;
    this.status = details.status;
    this.field = details.field;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
    this.docs = details.docs;
    this.retryAfterMs = details.retryAfterMs;
    this.details = details.details ?? {};
  }
}

/** The request ended without a sealed document. */
export class RequestEndedError extends SignatureRequestsError {
  override readonly name = 'RequestEndedError';
  declare readonly code: 'request_cancelled' | 'request_declined' | 'request_expired' | 'stamp_failed';
  readonly request: SignatureRequest;

  constructor(code: RequestEndedError['code'], request: SignatureRequest) {
    super(code, `The request ${request.id} is ${request.status}; it has no sealed document.`);
    this.request = request;
  }
}

/** The error in a response. */
export async function errorOf(response: Response): Promise<SignatureRequestsError> {
  const { status, headers } = response;
  const body = parsed(await response.text());
  const shared = {
    status,
    requestId: body?.request_id ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  };
  if (!body)
    return new SignatureRequestsError(
      'unexpected_answer',
      unexpected(status, headers.get('location')),
      shared,
    );
  return new SignatureRequestsError(body.error, body.message, { ...body, ...shared, details: { ...body } });
}

function unexpected(status: number, leadsTo: string | null): string {
  const redirect = leadsTo ? `, and leads to ${leadsTo}` : '';
  const question = status < 429 ? ' Is `baseUrl` the address of the service?' : '';
  return `The answer was ${status} without an error${redirect}.${question}`;
}

type ErrorBody = Fault & Pick<Details, 'errors' | 'docs'> & { request_id?: string };

function parsed(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body?.error === 'string' && typeof body.message === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The header holds seconds or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
