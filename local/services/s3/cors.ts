/** Cross-origin rules of a bucket: the answers to a browser's preflight, and the headers of answers to its pages. */
import type { CorsRule } from '../../ports.ts';
import { matchesWildcards } from '../../wildcards.ts';
import { type Answer, type RequestHead, ServiceError } from '../service.ts';

const badRequest = (message: string) => new ServiceError('BadRequest', message, 400);
const forbidden = (message: string) => new ServiceError('AccessForbidden', message, 403);

const header = ({ headers }: RequestHead, name: string): string | undefined => headers[name]?.toString();
const namesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);

/** The first rule that allows it decides, as on S3. */
const ruleFor = (rules: readonly CorsRule[], origin: string, method: string, names: readonly string[]) =>
  rules.find(
    (rule) =>
      rule.methods.includes(method) &&
      rule.origins.some((pattern) => matchesWildcards(pattern, origin)) &&
      names.every((name) => rule.headers.some((pattern) => matchesWildcards(pattern.toLowerCase(), name))),
  );

function headersOf(rule: CorsRule, origin: string, names: readonly string[]): Record<string, string> {
  const isOpen = rule.origins.includes('*');
  return {
    'access-control-allow-origin': isOpen ? '*' : origin,
    'access-control-allow-methods': rule.methods.join(', '),
    ...(names.length > 0 && { 'access-control-allow-headers': names.join(', ') }),
    ...(rule.expose.length > 0 && { 'access-control-expose-headers': rule.expose.join(', ') }),
    ...(rule.maxAgeSeconds !== undefined && { 'access-control-max-age': String(rule.maxAgeSeconds) }),
    ...(!isOpen && { 'access-control-allow-credentials': 'true' }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

/** The answer to a preflight, which is never signed. */
export function preflightAnswer(head: RequestHead, rules: readonly CorsRule[]): Answer {
  const origin = header(head, 'origin');
  if (!origin) throw badRequest('Insufficient information. Origin request header needed.');
  const method = header(head, 'access-control-request-method');
  if (!method) throw badRequest('Invalid Access-Control-Request-Method: null');
  if (rules.length === 0) throw forbidden('CORSResponse: CORS is not enabled for this bucket.');
  const names = namesIn(header(head, 'access-control-request-headers'));
  const rule = ruleFor(rules, origin, method, names);
  if (!rule) throw forbidden('CORSResponse: This CORS request is not allowed.');
  return { status: 200, headers: { ...headersOf(rule, origin, names), 'content-length': 0 } };
}

/** The headers that let a page read an answer, an error too. */
export function crossOriginHeaders(head: RequestHead, rules: readonly CorsRule[]): Record<string, string> {
  const origin = header(head, 'origin');
  const rule = origin === undefined ? undefined : ruleFor(rules, origin, head.method, []);
  return rule && origin !== undefined ? headersOf(rule, origin, []) : {};
}
