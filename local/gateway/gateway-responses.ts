/** API Gateway's own answers: the template's gateway responses, or AWS's defaults. */
import type { GatewayResponsePlan } from '../assembly/plan.ts';

export interface Problem {
  type: string;
  status: number;
  message: string;
}

export const PROBLEMS = {
  unknownRoute: {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    status: 403,
    message: 'Missing Authentication Token',
  },
  unknownStage: { type: 'ACCESS_DENIED', status: 403, message: 'Forbidden' },
  filtered: { type: 'WAF_FILTERED', status: 403, message: 'Forbidden' },
  tooLarge: { type: 'REQUEST_TOO_LARGE', status: 413, message: 'Request Too Long' },
  otherType: { type: 'UNSUPPORTED_MEDIA_TYPE', status: 415, message: 'Unsupported Media Type' },
  throttled: { type: 'THROTTLED', status: 429, message: 'Too Many Requests' },
  timedOut: { type: 'INTEGRATION_TIMEOUT', status: 504, message: 'Endpoint request timed out' },
  misconfigured: { type: 'API_CONFIGURATION_ERROR', status: 500, message: 'Internal server error' },
  /** The function failed, or its answer is not a proxy answer. */
  malformedAnswer: { type: 'DEFAULT_5XX', status: 502, message: 'Internal server error' },
} satisfies Record<string, Problem>;

const JSON_TYPE = 'application/json';

export function gatewayResponse(
  problem: Problem,
  plans: Map<string, GatewayResponsePlan>,
  context: Record<string, string>,
): { status: number; headers: [string, string][]; body: string } {
  const plan = plans.get(problem.type) ?? plans.get(problem.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  const variables = {
    ...context,
    'error.message': problem.message,
    'error.messageString': JSON.stringify(problem.message),
    'error.responseType': problem.type,
  };
  const templates = plan?.templates ?? {};
  const [first = JSON_TYPE] = Object.keys(templates);
  const contentType = JSON_TYPE in templates ? JSON_TYPE : first;
  const template = templates[contentType] ?? '{"message":$context.error.messageString}';
  return {
    status: plan?.statusCode ?? problem.status,
    headers: [
      ['Content-Type', contentType],
      ...mappedHeaders(plan?.headers ?? {}, variables),
      ['x-amzn-ErrorType', errorType(problem)],
    ],
    body: fillTemplate(template, variables),
  };
}

/** Replaces `$context.name`. Unknown variables become empty, as in API Gateway. */
export function fillTemplate(template: string, context: Record<string, string>): string {
  return template.replaceAll(
    /\$context\.([A-Za-z]+(?:\.[A-Za-z]+)*)/g,
    (_whole, name: string) => context[name] ?? '',
  );
}

/** A mapped header value is a text in single quotes or the name of a context variable. */
export function mappedHeaders(
  headers: Record<string, string>,
  context: Record<string, string>,
): [string, string][] {
  return Object.entries(headers).map(([name, expression]) => {
    const [, literal] = /^'(.*)'$/s.exec(expression) ?? [];
    return [name, literal ?? context[expression.replace(/^context\./, '')] ?? ''];
  });
}

function errorType({ type }: Problem): string {
  const words = type.toLowerCase().split('_');
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Exception`;
}
