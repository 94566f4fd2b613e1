/** Runs a REST API like API Gateway: routes, limits, integrations and gateway responses. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiPlan, LambdaIntegration, MockIntegration, StagePlan } from '../assembly/plan.ts';
import type { Firewall } from '../firewall/firewall.ts';
import type { Functions } from '../functions/functions.ts';
import type { LambdaFunction } from '../functions/lambda-function.ts';
import { type Listener, readBody } from '../listen.ts';
import type { Clock, Location } from '../ports.ts';
import { ServiceError } from '../services/service.ts';
import { proxyEvent, type StageRequest } from './event.ts';
import { fillTemplate, gatewayResponse, mappedHeaders, PROBLEMS, type Problem } from './gateway-responses.ts';
import { readProxyResult } from './proxy-result.ts';
import { type Route, Routes } from './routes.ts';
import { StreamedAnswer } from './streamed-answer.ts';
import { type Admission, admissionTo } from './throttle.ts';

interface ApiHost extends Location {
  functions: Functions;
  /** The firewall of a stage, by the stage's ARN. */
  firewall(stageArn: string): Firewall;
  clock: Clock;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 10_240;

export class Api {
  readonly #plan: ApiPlan;
  readonly #host: ApiHost;
  readonly #routes: Routes;
  readonly #admissions: Map<string, Admission>;
  readonly #firewalls: Map<string, Firewall>;

  constructor(plan: ApiPlan, host: ApiHost) {
    this.#plan = plan;
    this.#host = host;
    this.#routes = new Routes(plan);
    this.#admissions = new Map(
      [...plan.stages.values()].map((stage) => [stage.name, admissionTo(stage, host.clock)]),
    );
    this.#firewalls = new Map(
      [...plan.stages.keys()].map((name) => [
        name,
        host.firewall(`arn:aws:apigateway:${host.region}::/restapis/${plan.id}/stages/${name}`),
      ]),
    );
  }

  /** Serves `/<stage>/<path>`, like the execute-api address. */
  readonly listener: Listener = async (incoming, response) => {
    const exchange = new Exchange(this.#plan, this.#host.clock, incoming, response);
    if (headerBytes(incoming) > MAX_HEADER_BYTES) return exchange.refuseHeaders();
    const stage = this.#plan.stages.get(exchange.stageName);
    if (!stage) return exchange.refuse(PROBLEMS.unknownStage);
    if (this.#firewalls.get(stage.name)?.(incoming.headers)) return exchange.refuse(PROBLEMS.filtered);
    const body = await readBody(incoming, MAX_BODY_BYTES).catch(() => 'aborted' as const);
    if (body === 'aborted') return;
    if (!body) return exchange.refuseBody();
    const route = this.#routes.match(incoming.method ?? 'GET', exchange.path);
    if (!route) return exchange.refuse(PROBLEMS.unknownRoute);
    if (!this.#admissions.get(stage.name)?.(route.method.httpMethod, route.method.resourcePath)) {
      return exchange.refuse(PROBLEMS.throttled);
    }
    const { integration } = route.method;
    if (integration.type === 'MOCK') {
      if (!takesBody(incoming, integration)) return exchange.refuse(PROBLEMS.otherType);
      return answerMock(exchange, integration);
    }
    const request: StageRequest = {
      requestId: exchange.requestId,
      receivedAt: this.#host.clock.now(),
      httpMethod: incoming.method ?? 'GET',
      path: exchange.path,
      query: exchange.query,
      rawHeaders: incoming.rawHeaders,
      sourceIp: incoming.socket.remoteAddress ?? '',
      body,
    };
    await this.#answerFromFunction(exchange, request, route, integration, stage);
  };

  async #answerFromFunction(
    exchange: Exchange,
    request: StageRequest,
    route: Route,
    integration: LambdaIntegration,
    stage: StagePlan,
  ): Promise<void> {
    const target = this.#host.functions.get(integration.functionName);
    const event = proxyEvent(request, route, this.#plan, stage, this.#host);
    const payload = Buffer.from(JSON.stringify(event));
    try {
      const answer = integration.streamed ? answerStreamed : answerBuffered;
      await answer(exchange, target, payload, integration.timeoutMs);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      exchange.refuse(error.status === 413 ? PROBLEMS.tooLarge : PROBLEMS.misconfigured);
    }
  }
}

async function answerBuffered(
  exchange: Exchange,
  target: LambdaFunction,
  payload: Buffer,
  timeoutMs: number,
): Promise<void> {
  const outcome = await withTimeout(target.invoke(payload, exchange.requestId), timeoutMs);
  if (outcome === 'timed out') return exchange.refuse(PROBLEMS.timedOut);
  const result = outcome.functionError ? undefined : readProxyResult(outcome.payload);
  if (!result) return exchange.refuse(PROBLEMS.malformedAnswer);
  exchange.answer(result.status, result.headers, result.body);
}

async function answerStreamed(
  exchange: Exchange,
  target: LambdaFunction,
  payload: Buffer,
  timeoutMs: number,
): Promise<void> {
  const { response } = exchange;
  const streamed = new StreamedAnswer(response, (status, headers) => exchange.writeHead(status, headers));
  const timer = setTimeout(() => {
    streamed.refused = true;
    if (streamed.started) response.destroy();
    else exchange.refuse(PROBLEMS.timedOut);
  }, timeoutMs);
  const outcome = await target
    .run(payload, exchange.requestId, streamed.onChunk)
    .finally(() => clearTimeout(timer));
  if (response.headersSent && !streamed.started) return;
  if (!streamed.started) exchange.refuse(PROBLEMS.malformedAnswer);
  else if (outcome.ok) response.end();
  else response.destroy();
}

/** The names count too: the quota is of the values, but the gateway's message is Netty's, which counts the whole lines. */
const headerBytes = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length + ': '.length, 0);

function takesBody({ headers }: IncomingMessage, { takes }: MockIntegration): boolean {
  const [mediaType = ''] = (headers['content-type'] ?? 'application/json').split(';');
  return takes.includes(mediaType.trim().toLowerCase());
}

function answerMock(exchange: Exchange, { statusCode, headers, templates }: MockIntegration): void {
  const [contentType = 'application/json', template = ''] = Object.entries(templates)[0] ?? [];
  exchange.answer(
    statusCode,
    [['Content-Type', contentType], ...mappedHeaders(headers, exchange.context)],
    Buffer.from(fillTemplate(template, exchange.context)),
  );
}

/** One request and its answer. */
class Exchange {
  readonly requestId = randomUUID();
  readonly #api: ApiPlan;
  readonly #clock: Clock;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly stageName: string;
  /** Without the stage. */
  readonly path: string;
  readonly query: URLSearchParams;

  constructor(api: ApiPlan, clock: Clock, incoming: IncomingMessage, response: ServerResponse) {
    this.#api = api;
    this.#clock = clock;
    this.incoming = incoming;
    this.response = response;
    const [target = '', ...query] = (incoming.url ?? '/').split('?');
    const [, stageName = '', path = ''] = /^\/([^/]*)(.*)$/.exec(target) ?? [];
    this.stageName = stageName;
    this.path = path || '/';
    this.query = new URLSearchParams(query.join('?'));
  }

  /** The `$context` variables of templates. */
  get context(): Record<string, string> {
    return {
      requestId: this.requestId,
      apiId: this.#api.id,
      stage: this.stageName,
      httpMethod: this.incoming.method ?? '',
      path: `/${this.stageName}${this.path}`,
      'identity.sourceIp': this.incoming.socket.remoteAddress ?? '',
      'identity.userAgent': this.incoming.headers['user-agent'] ?? '',
    };
  }

  refuse(problem: Problem): void {
    if (this.response.headersSent) return;
    const { status, headers, body } = gatewayResponse(problem, this.#api.gatewayResponses, this.context);
    this.answer(status, headers, Buffer.from(body));
    // Drains the request body: a client that is still sending may not read the answer.
    this.incoming.resume();
  }

  refuseHeaders(): void {
    this.#refuseUnread(431, `HTTP header is larger than ${MAX_HEADER_BYTES} bytes.`);
  }

  refuseBody(): void {
    this.#refuseUnread(413, `HTTP content length exceeded ${MAX_BODY_BYTES} bytes.`);
  }

  /** A refusal that no gateway response changes. */
  #refuseUnread(status: number, text: string): void {
    this.answer(status, [['Content-Type', 'text; charset=utf-8']], Buffer.from(text));
    this.incoming.resume();
  }

  answer(status: number, headers: [string, string][], body: Buffer): void {
    const length: [string, string][] =
      status === 204 || status === 304 ? [] : [['Content-Length', String(body.length)]];
    try {
      this.writeHead(status, [
        ...headers.filter(([name]) => name.toLowerCase() !== 'content-length'),
        ...length,
      ]);
      this.response.end(body);
    } catch {
      this.refuse(PROBLEMS.malformedAnswer);
    }
  }

  writeHead(status: number, headers: [string, string][]): void {
    const own: [string, string][] = [
      ['x-amzn-RequestId', this.requestId],
      ['Date', new Date(this.#clock.now()).toUTCString()],
    ];
    const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
    const type: [string, string][] = typed ? [] : [['Content-Type', 'application/json']];
    this.response.writeHead(status, [...headers, ...type, ...own].flat());
  }
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T | 'timed out'> {
  const { promise, resolve } = Promise.withResolvers<'timed out'>();
  const timer = setTimeout(() => resolve('timed out'), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
