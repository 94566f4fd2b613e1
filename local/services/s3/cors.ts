/** Cross-origin rules of a bucket: the answers to a browser's preflight, and the headers of answers to its pages. */
import type { CorsRule } from '../../ports.ts';
import { type Answer, type RequestHead, ServiceError } from '../service.ts';

const badRequest = (message: string) => new ServiceError('BadRequest', message, 400);
const forbidden = (message: string) => new ServiceError('AccessForbidden', message, 403);

const ruleFor = (rules: readonly CorsRule[], method: string | undefined) =>
  rules.find(({ methods }) => method !== undefined && methods.includes(method));

const headersOf = ({ methods, maxAgeSeconds }: CorsRule) => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': methods.join(', '),
  ...(maxAgeSeconds !== undefined && { 'access-control-max-age': String(maxAgeSeconds) }),
  vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
});

/** The answer to a preflight, which is never signed. No rule lets in a header of a page's own. */
export function preflightAnswer({ headers }: RequestHead, rules: readonly CorsRule[]): Answer {
  if (!headers.origin) throw badRequest('Insufficient information. Origin request header needed.');
  const method = headers['access-control-request-method'];
  if (!method) throw badRequest('Invalid Access-Control-Request-Method: null');
  if (rules.length === 0) throw forbidden('CORSResponse: CORS is not enabled for this bucket.');
  const rule = ruleFor(rules, method);
  if (!rule || headers['access-control-request-headers'])
    throw forbidden('CORSResponse: This CORS request is not allowed.');
  return { status: 200, headers: { ...headersOf(rule), 'content-length': 0 } };
}

/** The headers that let a page read an answer, an error too. */
export function crossOriginHeaders(
  { method, headers }: RequestHead,
  rules: readonly CorsRule[],
): Record<string, string> {
  const rule = headers.origin === undefined ? undefined : ruleFor(rules, method);
  return rule ? headersOf(rule) : {};
}
