import { SignatureRequestsError } from '../../../client/src/errors.ts';

/** After any other error the call may have succeeded, or another tab may be making it. */
export const isRefusal = (thrown: unknown) =>
  thrown instanceof SignatureRequestsError &&
  thrown.status !== undefined &&
  thrown.status < 500 &&
  thrown.code !== 'idempotency_in_progress';
