/** A failed authentication has other names in the JSON services of AWS than in its XML services (S3 has its own). */
import { type AuthenticationFailure, type AuthenticationFailureKind, ServiceError } from './service.ts';

type Codes = Record<AuthenticationFailureKind, string>;

const JSON_CODES: Codes = {
  missing: 'MissingAuthenticationTokenException',
  malformed: 'IncompleteSignatureException',
  'unknown-key': 'UnrecognizedClientException',
  mismatch: 'InvalidSignatureException',
  skewed: 'InvalidSignatureException',
};

const XML_CODES: Codes = {
  missing: 'MissingAuthenticationToken',
  malformed: 'IncompleteSignature',
  'unknown-key': 'InvalidClientTokenId',
  mismatch: 'SignatureDoesNotMatch',
  skewed: 'SignatureDoesNotMatch',
};

export const jsonAuthenticationError = ({ kind, message }: AuthenticationFailure, status: number) =>
  new ServiceError(JSON_CODES[kind], message, status);

export const xmlAuthenticationError = ({ kind, message }: AuthenticationFailure) =>
  new ServiceError(XML_CODES[kind], message, 403);
