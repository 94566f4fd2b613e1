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

export class Edge {
  readonly #plan: DistributionPlan;
  readonly #origins: ReadonlyMap<string, Origin>;
  readonly #headersFor: (originId: string) => Record<string, string>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #functions = new Map<string, EdgeFunction>();

  /** `origins` are by id. `headersFor` returns the custom headers of an origin. */
  constructor(
    plan: DistributionPlan,
    origins: ReadonlyMap<string, Origin>,
    headersFor: (originId: string) => Record<string, string>,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#plan = plan;
    this.#origins = origins;
    this.#headersFor = headersFor;
    this.#clock = clock;
    for (const { viewerRequest: code } of [plan.defaultBehaviour, ...plan.behaviours]) {
      if (code !== undefined && !this.#functions.has(code)) this.#functions.set(code, new EdgeFunction(code));
    }
  }

  readonly listener: Listener = async (incoming, outgoing) => {
    const requestId = randomUUID();
    const request = readRequest(incoming);
    const behaviour = this.#behaviourFor(request.path);
    const answer = isGetWithBody(incoming)
      ? errorPage(403, 'A GET has no body.')
      : await this.#answer(request, behaviour, requestId);
    const date = new Date(this.#clock.now()).toUTCString();
    const dated = withField(applyResponseHeaders(answer.fields, behaviour.responseHeaders), 'Date', date);
    const fields = withViewerCookies(dated, request.fields);
    const response = compress({ ...answer, fields }, behaviour, request.fields);
    if (!incoming.complete) await drain(incoming);
    writeResponse(response, request, outgoing, requestId);
  };

  #behaviourFor(path: string): BehaviourPlan {
    const found = this.#plan.behaviours.find(({ pattern }) =>
      matchesWildcards(pattern.replace(/^(?!\/|\*)/, '/'), path),
    );
    return found ?? this.#plan.defaultBehaviour;
  }

  async #answer(request: EdgeRequest, behaviour: BehaviourPlan, requestId: string): Promise<EdgeResponse> {
    try {
      if (isTooLong(request)) return errorPage(413, 'The request or its URL is too long.');
      if (!behaviour.allowedMethods.includes(request.method))
        return errorPage(403, 'This distribution does not allow the method.');
      const viewerRequest = { ...request, fields: withoutForged(request.fields) };
      const run = this.#functions.get(behaviour.viewerRequest ?? '');
      const decision = run
        ? await run.onRequest(viewerRequest, this.#plan, requestId)
        : { request: viewerRequest, originId: undefined };
      if ('response' in decision) return this.#atThisAddress(decision.response, request);
      return await this.#fetch(decision.request, behaviour, decision.originId ?? behaviour.originId);
    } catch (error) {
      if (error instanceof OriginFailure) return errorPage(error.status, error.message);
      return errorPage(
        503,
        `The CloudFront function failed: ${error instanceof Error ? error.message : error}`,
      );
    }
  }

  /** Replaces the distribution's domain on AWS, the only one that a function knows. */
  #atThisAddress(response: EdgeResponse, request: EdgeRequest): EdgeResponse {
    if (!Buffer.isBuffer(response.body)) return response;
    const here = `http://${field(request.fields, 'host') ?? 'localhost'}`;
    const body = response.body.toString('latin1').replaceAll(`https://${this.#plan.domain}`, here);
    return { ...response, body: Buffer.from(body, 'latin1') };
  }

  #fetch(request: EdgeRequest, behaviour: BehaviourPlan, originId: string): Promise<EdgeResponse> {
    const origin = this.#origins.get(originId);
    if (!origin) throw new OriginFailure(502, `The distribution has no origin ${originId}.`);
    let fields = forwardedHeaders(request, behaviour);
    for (const [name, value] of Object.entries(this.#headersFor(originId)))
      fields = withField(fields, name, value);
    return origin({
      ...request,
      query: forwardedQuery(request.query, behaviour),
      fields: without(fields, 'expect'),
    });
  }
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
  const { remoteAddress = '' } = incoming.socket;
  return {
    method: incoming.method ?? 'GET',
    path,
    query: query.join('?'),
    fields: fromViewerCookies(endToEnd(incoming.rawHeaders)),
    viewerIp: remoteAddress.replace(/^::ffff:/, ''),
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

const errorPage = (status: number, message: string): EdgeResponse =>
  textResponse(
    status,
    'text/html',
    `<!DOCTYPE html><html><head><title>ERROR</title></head><body><h1>${status} ERROR</h1><p>${message}</p></body></html>\n`,
  );
