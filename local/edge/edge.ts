/** A CloudFront distribution: behaviours by path, functions, origins, policies. Nothing is cached. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { BehaviourPlan, DistributionPlan } from '../assembly/plan.ts';
import { drain, type Listener } from '../listen.ts';
import type { Clock } from '../ports.ts';
import { matchesWildcards } from '../wildcards.ts';
import { compress } from './compression.ts';
import { EdgeFunction } from './edge-function.ts';
import {
  type EdgeRequest,
  type EdgeResponse,
  endToEnd,
  type Fields,
  field,
  textResponse,
  withField,
  without,
} from './messages.ts';
import { type Origin, OriginFailure } from './origins.ts';
import { applyResponseHeaders, forwardedHeaders, forwardedQuery, withoutForged } from './policies.ts';
import { fromViewerCookies, withViewerCookies } from './viewer-cookies.ts';

/** `origins` are by id. `headersFor` returns the custom headers of an origin. */
export function edgeListener(
  plan: DistributionPlan,
  origins: ReadonlyMap<string, Origin>,
  headersFor: (originId: string) => Record<string, string>,
  clock: Pick<Clock, 'now'>,
): Listener {
  const functions = new Map<string, EdgeFunction>();
  for (const { viewerRequest: code } of [plan.defaultBehaviour, ...plan.behaviours]) {
    if (code !== undefined && !functions.has(code)) functions.set(code, new EdgeFunction(code));
  }

  const behaviourFor = (path: string): BehaviourPlan =>
    plan.behaviours.find(({ pattern }) => matchesWildcards(pattern.replace(/^(?!\/|\*)/, '/'), path)) ??
    plan.defaultBehaviour;

  /** Replaces the distribution's domain on AWS, the only one that a function knows. */
  const atThisAddress = (response: EdgeResponse, request: EdgeRequest): EdgeResponse => {
    if (!Buffer.isBuffer(response.body)) return response;
    const here = `http://${field(request.fields, 'host') ?? 'localhost'}`;
    const body = response.body.toString('latin1').replaceAll(`https://${plan.domain}`, here);
    return { ...response, body: Buffer.from(body, 'latin1') };
  };

  const fetchFrom = (originId: string, request: EdgeRequest, behaviour: BehaviourPlan) => {
    const origin = origins.get(originId);
    if (!origin) throw new OriginFailure(502, `The distribution has no origin ${originId}.`);
    let fields = forwardedHeaders(request, behaviour);
    for (const [name, value] of Object.entries(headersFor(originId))) fields = withField(fields, name, value);
    return origin({
      ...request,
      query: forwardedQuery(request.query, behaviour),
      fields: without(fields, 'expect'),
    });
  };

  const answerTo = async (
    request: EdgeRequest,
    behaviour: BehaviourPlan,
    requestId: string,
  ): Promise<EdgeResponse> => {
    if (isTooLong(request)) return errorPage(413, 'The request or its URL is too long.');
    if (!behaviour.allowedMethods.includes(request.method))
      return errorPage(403, 'This distribution does not allow the method.');
    try {
      const viewerRequest = { ...request, fields: withoutForged(request.fields) };
      const run = functions.get(behaviour.viewerRequest ?? '');
      const decision = run
        ? await run.onRequest(viewerRequest, plan, requestId)
        : { request: viewerRequest, originId: undefined };
      if ('response' in decision) return atThisAddress(decision.response, request);
      return await fetchFrom(decision.originId ?? behaviour.originId, decision.request, behaviour);
    } catch (error) {
      return failurePage(error);
    }
  };

  return async (incoming, outgoing) => {
    const requestId = randomUUID();
    const request = readRequest(incoming);
    const behaviour = behaviourFor(request.path);
    const answer = isGetWithBody(incoming)
      ? errorPage(403, 'A GET has no body.')
      : await answerTo(request, behaviour, requestId);
    const date = new Date(clock.now()).toUTCString();
    const dated = withField(applyResponseHeaders(answer.fields, behaviour.responseHeaders), 'Date', date);
    const fields = withViewerCookies(dated, request.fields);
    const response = compress({ ...answer, fields }, behaviour, request.fields);
    if (!incoming.complete) await drain(incoming);
    writeResponse(response, request, outgoing, requestId);
  };
}

/** CloudFront's limits in bytes of a URL and of a request without its body. */
const MAX_URL = 8_192;
const MAX_REQUEST = 32_768;

function isTooLong({ path, query, fields }: EdgeRequest): boolean {
  const url = path.length + (query === '' ? 0 : 1 + query.length);
  const lines = fields.map(([name, value]) => name.length + value.length + 4);
  return url > MAX_URL || lines.reduce((sum, line) => sum + line, url) > MAX_REQUEST;
}

const isGetWithBody = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

function readRequest(incoming: IncomingMessage): EdgeRequest {
  const [path = '/', ...query] = (incoming.url ?? '/').split('?');
  return {
    method: incoming.method ?? 'GET',
    path,
    query: query.join('?'),
    fields: fromViewerCookies(endToEnd(incoming.rawHeaders)),
    viewerIp: incoming.socket.remoteAddress ?? '',
    body: incoming,
  };
}

function writeResponse(
  response: EdgeResponse,
  request: EdgeRequest,
  outgoing: ServerResponse,
  requestId: string,
): void {
  const own: Fields = [
    ['Via', '1.1 local.cloudfront.net (CloudFront)'],
    ['X-Cache', response.status < 400 ? 'Miss from cloudfront' : 'Error from cloudfront'],
    ['X-Amz-Cf-Id', requestId],
  ];
  outgoing.writeHead(response.status, [...response.fields, ...own].flat());
  if (Buffer.isBuffer(response.body)) outgoing.end(request.method === 'HEAD' ? undefined : response.body);
  // The viewer left before the answer.
  else if (outgoing.destroyed) response.body.destroy();
  // If the origin's answer breaks off, so does the viewer's: the viewer can tell that it is incomplete.
  else pipeline(response.body, outgoing, () => undefined);
}

function failurePage(error: unknown): EdgeResponse {
  if (error instanceof OriginFailure) return errorPage(error.status, error.message);
  return errorPage(503, `The CloudFront function failed: ${error instanceof Error ? error.message : error}`);
}

const errorPage = (status: number, message: string): EdgeResponse =>
  textResponse(
    status,
    'text/html',
    `<!DOCTYPE html><html><head><title>ERROR</title></head><body><h1>${status} ERROR</h1><p>${message}</p></body></html>\n`,
  );
