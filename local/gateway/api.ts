/** A REST API as API Gateway runs it: routes, limits, integrations, its own answers. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiPlan, LambdaIntegration, MockIntegration, StagePlan } from '../assembly/plan.ts';
import type { Functions } from '../functions/functions.ts';
import { InvokeRefused, type LambdaFunction } from '../functions/lambdaFunction.ts';
import type { Listener } from '../listen.ts';
import type { Clock } from '../ports.ts';
import { matchesWildcards } from '../wildcards.ts';
import { proxyEvent, type StageRequest } from './event.ts';
import { fillTemplate, gatewayResponse, mappedHeaders, type Problem, problems } from './gatewayResponses.ts';
import { readProxyResult } from './proxyResult.ts';
import { type Route, Routes } from './routes.ts';
import { StreamedAnswer } from './streamedAnswer.ts';
import { Throttles } from './throttle.ts';

export interface ApiSurroundings {
  functions: Functions;
  clock: Clock;
  region: string;
  account: string;
}

const maxBodyBytes = 10 * 1024 * 1024;

export class Api {
  readonly #plan: ApiPlan;
  readonly #surroundings: ApiSurroundings;
  readonly #routes: Routes;
  readonly #throttles: Map<string, Throttles>;

  constructor(plan: ApiPlan, surroundings: ApiSurroundings) {
    this.#plan = plan;
    this.#surroundings = surroundings;
    this.#routes = new Routes(plan);
    this.#throttles = new Map(
      [...plan.stages.values()].map((stage) => [stage.name, new Throttles(stage, surroundings.clock)]),
    );
  }

  /** Serves `/<stage>/<path>`, as the execute-api address does. */
  readonly listener: Listener = (incoming, response) => this.#serve(incoming, response);

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [target = '', ...query] = (incoming.url ?? '/').split('?');
    const [, stageName = '', path = ''] = /^\/([^/]*)(.*)$/.exec(target) ?? [];
    const exchange = new Exchange(
      this.#plan,
      this.#surroundings.clock,
      incoming,
      response,
      path || '/',
      stageName,
    );
    const stage = this.#plan.stages.get(stageName);
    if (!stage) return exchange.refuse(problems.unknownStage);
    const body = await readBody(incoming);
    if (body === 'aborted') return;
    if (body === 'too large') return exchange.refuse(problems.tooLarge);
    const route = this.#routes.match(incoming.method ?? 'GET', exchange.path);
    if (!route) return exchange.refuse(problems.unknownRoute);
    if (!this.#throttles.get(stageName)?.take(route.method.httpMethod, route.method.resourcePath)) {
      return exchange.refuse(problems.throttled);
    }
    const { integration } = route.method;
    if (integration.type === 'MOCK') return answerMock(exchange, integration);
    const request: StageRequest = {
      requestId: exchange.requestId,
      receivedAt: this.#surroundings.clock.now(),
      httpMethod: incoming.method ?? 'GET',
      path: exchange.path,
      query: new URLSearchParams(query.join('?')),
      rawHeaders: incoming.rawHeaders,
      sourceIp: (incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
      body,
    };
    await this.#answerFromFunction(exchange, request, route, integration, stage);
  }

  async #answerFromFunction(
    exchange: Exchange,
    request: StageRequest,
    route: Route,
    integration: LambdaIntegration,
    stage: StagePlan,
  ): Promise<void> {
    const target = this.#surroundings.functions.get(integration.functionName);
    if (
      !this.#mayInvoke(
        target,
        `${stage.name}/${route.method.httpMethod.replace('ANY', '*')}${route.method.resourcePath}`,
      )
    ) {
      return exchange.refuse(problems.misconfigured);
    }
    const event = proxyEvent(request, route, this.#plan, stage, this.#surroundings);
    const payload = Buffer.from(JSON.stringify(event));
    try {
      if (integration.streamed) await answerStreamed(exchange, target, payload, integration.timeoutMs);
      else await this.#answerBuffered(exchange, target, payload, integration.timeoutMs);
    } catch (error) {
      if (!(error instanceof InvokeRefused)) throw error;
      exchange.refuse(error.httpStatus === 413 ? problems.tooLarge : problems.misconfigured);
    }
  }

  async #answerBuffered(
    exchange: Exchange,
    target: LambdaFunction,
    payload: Buffer,
    timeoutMs: number,
  ): Promise<void> {
    const outcome = await withTimeout(target.invoke(payload, exchange.requestId), timeoutMs);
    if (outcome === 'timed out') return exchange.refuse(problems.timedOut);
    const accept = exchange.incoming.headers.accept;
    const result = outcome.functionError
      ? undefined
      : readProxyResult(outcome.payload, accept, this.#plan.binaryMediaTypes);
    if (!result) return exchange.refuse(problems.badAnswer);
    exchange.answer(result.status, result.headers, result.body);
  }

  /** The function must let this API invoke it, as AWS::Lambda::Permission says. */
  #mayInvoke(target: LambdaFunction, methodPath: string): boolean {
    const { region, account } = this.#surroundings;
    const source = `arn:aws:execute-api:${region}:${account}:${this.#plan.id}/${methodPath}`;
    return target.plan.permissions.some(
      ({ principal, sourceArn }) =>
        principal === 'apigateway.amazonaws.com' &&
        matchesWildcards(withoutParameters(sourceArn ?? '*', '*'), withoutParameters(source, 'x')),
    );
  }
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
    if (streamed.started) return;
    streamed.refuse();
    exchange.refuse(problems.timedOut);
  }, timeoutMs);
  const outcome = await target
    .run(payload, exchange.requestId, streamed.take)
    .finally(() => clearTimeout(timer));
  if (response.headersSent && !streamed.started) return;
  if (!streamed.started) exchange.refuse(problems.badAnswer);
  else if (outcome.ok) response.end();
  else response.destroy();
}

function answerMock(exchange: Exchange, integration: MockIntegration): void {
  const wanted =
    /"?statusCode"?\s*:\s*(\d+)/.exec(fillTemplate(integration.requestTemplate, exchange.context))?.[1] ??
    '200';
  const chosen =
    integration.responses.find(
      ({ selectionPattern: pattern }) => pattern && new RegExp(`^(?:${pattern})$`).test(wanted),
    ) ?? integration.responses.find(({ selectionPattern: pattern }) => !pattern);
  if (!chosen) {
    exchange.refuse(problems.misconfigured);
    return;
  }
  const [contentType = 'application/json', template = ''] = Object.entries(chosen.templates)[0] ?? [];
  const headers = mappedHeaders(chosen.headers, exchange.context);
  exchange.answer(
    chosen.statusCode,
    [['Content-Type', contentType], ...headers],
    Buffer.from(fillTemplate(template, exchange.context)),
  );
}

/** One request and its answer. */
class Exchange {
  readonly requestId = randomUUID();
  readonly #api: ApiPlan;
  readonly #clock: Clock;
  readonly #stageName: string;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;

  constructor(
    api: ApiPlan,
    clock: Clock,
    incoming: IncomingMessage,
    response: ServerResponse,
    path: string,
    stageName: string,
  ) {
    this.#api = api;
    this.#clock = clock;
    this.#stageName = stageName;
    this.incoming = incoming;
    this.response = response;
    this.path = path;
  }

  /** The variables of templates, without `$context.` */
  get context(): Record<string, string> {
    return {
      requestId: this.requestId,
      apiId: this.#api.id,
      stage: this.#stageName,
      httpMethod: this.incoming.method ?? '',
      path: `/${this.#stageName}${this.path}`,
      'identity.sourceIp': this.incoming.socket.remoteAddress ?? '',
      'identity.userAgent': this.incoming.headers['user-agent'] ?? '',
    };
  }

  refuse(problem: Problem): void {
    if (this.response.headersSent) return;
    const { status, headers, body } = gatewayResponse(problem, this.#api.gatewayResponses, this.context);
    this.answer(status, headers, Buffer.from(body));
    // What is still on its way is read and dropped, so that the client gets to see the answer.
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
      this.refuse(problems.badAnswer);
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

/** The ARN of a method with something in the place of its path parameters. */
function withoutParameters(methodArn: string, replacement: string): string {
  return methodArn.replaceAll(/\{[^}]*\}/g, replacement);
}

/** Reads at most what API Gateway takes. */
function readBody(incoming: IncomingMessage): Promise<Buffer | 'too large' | 'aborted'> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) return Promise.resolve('too large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) resolve('too large');
      else chunks.push(chunk);
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('error', () => resolve('aborted'));
    incoming.on('close', () => resolve('aborted'));
  });
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T | 'timed out'> {
  const { promise, resolve } = Promise.withResolvers<'timed out'>();
  const timer = setTimeout(() => resolve('timed out'), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
