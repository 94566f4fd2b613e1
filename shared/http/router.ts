import type { Context } from 'aws-lambda';
import { ApiError } from '../contract/api-error.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { log } from '../runtime/log.ts';
import type { HttpEvent, HttpResult } from './call.ts';
import { refusal, requestIdOf } from './serve.ts';

/** Endpoints that share a function. The gateway leaves to it which of them a call is for. */

type Handler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: Handler;
}

/** The parameters of a path that fits the endpoint's; undefined if it does not. */
function parametersOf({ path }: Endpoint, given: string): Record<string, string> | undefined {
  const parts = path.split('/');
  const values = given.split('/');
  if (parts.length !== values.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [place, part] of parts.entries()) {
    const value = values[place] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name ? value === '' : part !== value) return undefined;
    if (name) parameters[name] = value;
  }
  return parameters;
}

function refused(code: ErrorCode, requestId: string, more: Record<string, string> = {}): HttpResult {
  log.info('Request refused', { error: code, request_id: requestId });
  const { headers, ...result } = refusal(new ApiError(code), requestId, undefined);
  return {
    ...result,
    headers: { ...headers, 'X-Request-Id': requestId, 'Cache-Control': 'no-store', ...more },
  };
}

export function routed(routes: readonly Route[]): Handler {
  return (event, context) => {
    const onPath = routes.flatMap(({ endpoint, handler }) => {
      const pathParameters = parametersOf(endpoint, event.path);
      return pathParameters ? [{ method: endpoint.method, handler, pathParameters }] : [];
    });
    const found = onPath.find(({ method }) => method === event.httpMethod);
    if (found) return found.handler({ ...event, pathParameters: found.pathParameters }, context);
    const requestId = requestIdOf(event, context);
    if (onPath.length === 0) return Promise.resolve(refused('not_found', requestId));
    const allow = onPath.map(({ method }) => method).sort();
    return Promise.resolve(refused('method_not_allowed', requestId, { Allow: allow.join(', ') }));
  };
}
