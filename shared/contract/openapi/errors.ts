import type { Access, Endpoint } from '../endpoint.ts';
import { docsOf, ERRORS, type ErrorCode } from '../errors.ts';
import { ERROR_WORDS } from '../words/errors.ts';
import type { HeaderName } from '../words/headers.ts';
import { BASE_URL } from '../words/samples.ts';
import { type Json, refTo } from './schemas.ts';

const DEAD_LINKS = [
  'not_found',
  'link_expired',
  'link_cancelled',
  'link_declined',
  'link_invalidated',
] as const;

/** Errors that any endpoint with this access may answer. */
const COMMON: Partial<Record<Access, readonly ErrorCode[]>> = {
  api_key: ['unauthorized'],
  signing_link: DEAD_LINKS,
  signing_session: [...DEAD_LINKS, 'verification_required'],
  session_or_copy: [...DEAD_LINKS, 'verification_required'],
  app_session: ['sign_in_required'],
  app_admin: ['sign_in_required', 'admin_required', 'not_found'],
};
const EVERYWHERE: readonly ErrorCode[] = [
  'forbidden',
  'method_not_allowed',
  'too_many_requests',
  'internal_error',
  'service_unavailable',
  'timed_out',
];
const WITH_INPUT: readonly ErrorCode[] = ['invalid_request'];
const WITH_BODY: readonly ErrorCode[] = ['invalid_json', 'unsupported_media_type'];
/** The gateway and the ingest refuse a body that is too large with this code, which has another status elsewhere. */
const BODY_TOO_LARGE: Readonly<Record<number, ErrorCode[]>> = { 413: ['document_too_large'] };

function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const unknown = endpoint.params ? (['not_found'] as const) : [];
  const input = endpoint.body || endpoint.query || endpoint.headers ? WITH_INPUT : [];
  const body = endpoint.body ? WITH_BODY : [];
  return [
    ...new Set([
      ...(COMMON[endpoint.access] ?? []),
      ...unknown,
      ...(endpoint.errors ?? []),
      ...input,
      ...body,
      ...EVERYWHERE,
    ]),
  ];
}

const HEADERS_OF_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

/** The codes of an endpoint's bad answers, by status. */
export function codesByStatus(endpoint: Endpoint): Readonly<Record<string, readonly ErrorCode[]>> {
  const own = Object.groupBy(errorsOf(endpoint), (code) => ERRORS[code][0]);
  return {
    ...own,
    ...(endpoint.body && BODY_TOO_LARGE),
    // The gateway's status if the function is killed.
    502: [...(own[502] ?? []), 'internal_error'],
  };
}

/** The bad answers of an endpoint: a response for each status, with its codes. */
export function refusalsOf(endpoint: Endpoint): Json {
  return Object.fromEntries(
    Object.entries(codesByStatus(endpoint)).map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `- \`${code}\`: ${ERRORS[code][1]}`).join('\n'),
        headers: headerRefs(HEADERS_OF_STATUS[status] ?? []),
        content: {
          'application/json': {
            schema: refTo('Error'),
            examples: Object.fromEntries(
              codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}

/** An example of each code, with all that is to be known about it. Only clients are told where it is documented. */
export const errorExamples = (area: Endpoint['area']): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(ERROR_WORDS).map(([code, { why, remedy }]) => {
      const [, meaning] = ERRORS[code as ErrorCode];
      return [
        code,
        {
          summary: meaning,
          description: `${why} ${remedy}`,
          value: {
            error: code,
            message: meaning,
            ...(area === 'api' && { docs: docsOf(BASE_URL, code as ErrorCode) }),
          },
        },
      ];
    }),
  );
