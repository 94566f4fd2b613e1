import { SignatureRequestsError } from '../../../client/src/errors.ts';

/** After any other error the service may have done it all the same, or another tab may be doing it. */
export const isRefusal = (thrown: unknown) =>
  thrown instanceof SignatureRequestsError &&
  thrown.status !== undefined &&
  thrown.status < 500 &&
  thrown.code !== 'idempotency_in_progress';
