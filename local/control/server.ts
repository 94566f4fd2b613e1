/** The control port: inbox, clock, schedules, queues, calls and faults. Only for people and tests on this machine. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CertificateAuthority } from '../certificate-authority/authority.ts';
import type { LocalClock } from '../clock.ts';
import type { Container } from '../containers/container.ts';
import type { Functions } from '../functions/functions.ts';
import { type LoopbackServer, listen, readBody } from '../listen.ts';
import type { Fault, InboxQuery, Services } from '../ports.ts';
import type { Scheduler } from '../schedules/scheduler.ts';
import type { TimestampAuthority } from '../timestamp-authority/authority.ts';
import { inboxPage, mailPage } from './inbox-page.ts';

export interface ControlledParts {
  services: Services;
  clock: LocalClock;
  scheduler: Scheduler;
  functions: Functions;
  containers: ReadonlyMap<string, Container>;
  timestamps: TimestampAuthority;
  authority: CertificateAuthority;
  outputs: Record<string, string>;
  apiUrls: ReadonlyMap<string, string>;
  baseUrl: string;
}

class ControlError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface Reply {
  type: string;
  body: string | Uint8Array;
}

const json = (value: unknown): Reply => ({ type: 'application/json', body: `${JSON.stringify(value)}\n` });
const html = (body: string): Reply => ({ type: 'text/html; charset=utf-8', body });

type Handler = (
  match: Record<string, string>,
  body: Buffer,
  query: URLSearchParams,
) => Reply | Promise<Reply>;

const MAX_BODY_BYTES = 1024 * 1024;
const MAILS_ON_PAGE = 200;
const MAX_ADVANCE_SECONDS = 100 * 366 * 86_400;
const EFFECTS = ['kill', 'kill-after', 'error', 'delay'];

function parseObject(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw new ControlError(400, 'invalid_json', 'The body must be a JSON object.');
}

const invalid = (message: string) => new ControlError(400, 'invalid_request', message);

function faultOf(given: Record<string, unknown>): Fault {
  const { service, operation, function: caller, after, effect, error_code: code, ms } = given;
  if (typeof service !== 'string' || !service)
    throw invalid('service must be the name of an AWS service, for example dynamodb.');
  if (typeof operation !== 'string' || !operation)
    throw invalid('operation must be the name of a call, for example PutItem.');
  if (!Number.isInteger(after) || Number(after) < 1)
    throw invalid('after must be an integer from 1: the fault fires at the nth matching call from now.');
  if (typeof effect !== 'string' || !EFFECTS.includes(effect))
    throw invalid(`effect must be one of ${EFFECTS.join(', ')}.`);
  if (caller !== undefined && typeof caller !== 'string')
    throw invalid('function must be the name of a function.');
  if (effect === 'error' && (typeof code !== 'string' || !code))
    throw invalid('error_code must be the name of an AWS error.');
  if (effect === 'delay' && !(typeof ms === 'number' && ms >= 0))
    throw invalid('ms must be the delay in milliseconds.');
  return {
    service,
    operation,
    after: Number(after),
    effect: effect as Fault['effect'],
    ...(typeof caller === 'string' && { function: caller }),
    ...(typeof code === 'string' && { error_code: code }),
    ...(typeof ms === 'number' && { ms }),
  };
}

function inboxQueryOf(query: URLSearchParams): InboxQuery {
  const [to, before, limit] = ['to', 'before', 'limit'].map((name) => query.get(name) ?? undefined);
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit))
    throw invalid('limit must be a number of mails, from 1.');
  return {
    ...(to !== undefined && { to }),
    ...(before !== undefined && { before }),
    ...(limit !== undefined && { limit: Number(limit) }),
  };
}

function routes(controlled: ControlledParts): [method: string, path: string, handler: Handler][] {
  const { services, clock, scheduler, functions, containers, timestamps, authority } = controlled;
  const clockReport = () => ({
    now: new Date(clock.now()).toISOString(),
    offset_seconds: clock.offsetMs() / 1000,
  });
  /** Functions may be given by a unique part of their name. */
  const withFullName = (fault: Fault): Fault => {
    if (fault.function === undefined) return fault;
    const found =
      functions.find(fault.function) ??
      [...containers.values()].find(({ id, name }) => fault.function === id || fault.function === name);
    if (!found) throw invalid(`No function, or more than one, matches ${fault.function}.`);
    return { ...fault, function: found.name };
  };
  return [
    ['GET', '/', () => html(inboxPage(services.inbox({ limit: MAILS_ON_PAGE }), controlled))],
    [
      'GET',
      '/inbox/{id}',
      ({ id = '' }) => {
        const mail = services.mail(id);
        if (!mail) throw new ControlError(404, 'not_found', 'There is no such mail.');
        return html(mailPage(mail));
      },
    ],
    [
      'GET',
      '/inbox',
      (_match, _body, query) =>
        json(services.inbox(inboxQueryOf(query)).map((mail) => ({ ...mail, to: mail.to.join(', ') }))),
    ],
    [
      'POST',
      '/inbox/{id}/bounce',
      ({ id = '' }, body) => {
        const { type } = parseObject(body);
        if (type !== 'bounce' && type !== 'complaint') throw invalid('type must be bounce or complaint.');
        const published = services.returnMail(id, type);
        if (published === undefined) throw new ControlError(404, 'not_found', 'There is no such mail.');
        return json({ ok: true, published });
      },
    ],
    ['GET', '/clock', () => json(clockReport())],
    [
      'POST',
      '/clock',
      (_, body) => {
        const { advance_seconds: seconds } = parseObject(body);
        const valid = typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_ADVANCE_SECONDS;
        if (!valid)
          throw invalid(
            'advance_seconds must be a number of seconds, 0 or more: the clock only moves forward.',
          );
        clock.advance(seconds * 1000);
        return json(clockReport());
      },
    ],
    ['GET', '/schedules', () => json(scheduler.list())],
    [
      'POST',
      '/schedules/{name}/run',
      async ({ name = '' }) => {
        const outcome = await scheduler.run(name);
        if (!outcome) throw new ControlError(404, 'not_found', `There is no schedule ${name}.`);
        return json(outcome);
      },
    ],
    ['GET', '/queues', () => json(services.queues())],
    ['GET', '/calls', () => json(services.calls())],
    [
      'DELETE',
      '/calls',
      () => {
        services.clearCalls();
        return json({ ok: true });
      },
    ],
    ['GET', '/faults', () => json(services.faults())],
    [
      'POST',
      '/faults',
      (_, body) => {
        const fault = withFullName(faultOf(parseObject(body)));
        services.addFault(fault);
        return json(fault);
      },
    ],
    [
      'DELETE',
      '/faults',
      () => {
        services.clearFaults();
        return json({ ok: true });
      },
    ],
    [
      'GET',
      '/outputs',
      () =>
        json({
          base_url: controlled.baseUrl,
          apis: Object.fromEntries(controlled.apiUrls),
          outputs: controlled.outputs,
        }),
    ],
    [
      'POST',
      '/timestamp',
      (_, body) => ({ type: 'application/timestamp-reply', body: timestamps.answer(body) }),
    ],
    ['GET', '/ca/issuer', () => ({ type: 'application/pkix-cert', body: authority.certificate })],
    ['GET', '/ca/list', () => ({ type: 'application/pkix-crl', body: authority.revocationList() })],
    [
      'POST',
      '/ca/ocsp',
      (_, body) => ({ type: 'application/ocsp-response', body: authority.answerOcsp(body) }),
    ],
  ];
}

/** Refuses requests from pages of other sites, DNS rebinding included. */
function assertFromThisMachine(request: IncomingMessage): void {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  const local = ['localhost', '127.0.0.1', '[::1]'];
  const origin = request.headers.origin;
  const foreign = origin !== undefined && !local.includes(URL.parse(origin)?.hostname ?? '');
  if (!local.includes(host) || foreign) {
    throw new ControlError(403, 'forbidden', 'The control port is for this machine only.');
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ControlError(400, 'invalid_path', 'The path has an invalid percent escape.');
  }
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const found = new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
  return found ? { ...found.groups } : undefined;
}

function send(response: ServerResponse, status: number, { type, body }: Reply): void {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'content-type': type };
  response.writeHead(status, headers).end(body);
}

export function startControl(controlled: ControlledParts, port: number): Promise<LoopbackServer> {
  const table = routes(controlled);
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    assertFromThisMachine(request);
    const [given = '/', search] = (request.url ?? '/').split('?');
    const path = decoded(given);
    const onPath = table.flatMap(([method, pattern, handler]) => {
      const match = matchPath(pattern, path);
      return match ? [{ method, handler, match }] : [];
    });
    if (onPath.length === 0)
      throw new ControlError(404, 'not_found', `The control port has no path ${path}.`);
    const route = onPath.find(({ method }) => method === request.method);
    if (!route) {
      const methods = onPath.map(({ method }) => method).join(', ');
      throw new ControlError(405, 'method_not_allowed', `${path} allows ${methods}.`);
    }
    const body = await readBody(request, MAX_BODY_BYTES);
    if (!body) throw new ControlError(413, 'too_large', 'The body is larger than 1 MB.');
    return route.handler(route.match, body, new URLSearchParams(search));
  };
  return listen((request, response) => {
    answer(request).then(
      (reply) => send(response, 200, reply),
      (error: unknown) => {
        const known = error instanceof ControlError ? error : new ControlError(500, 'failed', String(error));
        send(response, known.status, json({ error: known.code, message: known.message }));
      },
    );
  }, port);
}
