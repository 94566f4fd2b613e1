/** The control port: inbox, clock, schedules, queues, calls and faults. Only for people and tests on this machine. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import type { CertificateAuthority } from '../certificate-authority/authority.ts';
import type { LocalClock } from '../clock.ts';
import type { Container } from '../containers/container.ts';
import type { Functions } from '../functions/functions.ts';
import { type LoopbackServer, listen, readBody } from '../listen.ts';
import { orUndefined } from '../or-undefined.ts';
import type { Fault, Services } from '../ports.ts';
import type { Scheduler } from '../schedules/scheduler.ts';
import { ServiceError } from '../services/service.ts';
import type { TimestampAuthority } from '../timestamp-authority/authority.ts';
import { inboxPage, mailPage } from './inbox-page.ts';

interface ControlledParts {
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

const call = {
  service: z.string().min(1),
  operation: z.string().min(1),
  function: z.exactOptional(z.string()),
  /** Fires at the nth matching call from now. */
  after: z.int().min(1),
};
const faultSchema = z.discriminatedUnion('effect', [
  z.object({ ...call, effect: z.enum(['kill', 'kill-after']) }),
  z.object({ ...call, effect: z.literal('error'), error_code: z.string().min(1) }),
  z.object({ ...call, effect: z.literal('delay'), ms: z.number().min(0) }),
]);
const returnSchema = z.object({ type: z.enum(['bounce', 'complaint']) });
const moveSchema = z.object({
  advance_seconds: z.number().min(0, 'the clock only moves forward').max(MAX_ADVANCE_SECONDS),
});
const inboxSchema = z.object({
  to: z.exactOptional(z.string()),
  before: z.exactOptional(z.string()),
  limit: z.exactOptional(z.coerce.number().pipe(z.int().min(1))),
});

const invalid = (message: string) => new ServiceError('invalid_request', message);
const notFound = (message: string) => new ServiceError('not_found', message, 404);

function read<T>(schema: z.ZodType<T>, given: unknown): T {
  const { data, error } = schema.safeParse(given);
  if (!error) return data;
  throw invalid(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ServiceError('invalid_json', 'The body must be a JSON object.');
  }
}

/** By method and path. */
function routes(controlled: ControlledParts): Record<string, Handler> {
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
      [...containers.values()]
        .map(({ plan }) => plan)
        .find(({ id, name }) => fault.function === id || fault.function === name);
    if (!found) throw invalid(`No function, or more than one, matches ${fault.function}.`);
    return { ...fault, function: found.name };
  };
  return {
    'GET /': () => html(inboxPage(services.inbox({ limit: MAILS_ON_PAGE }), controlled)),
    'GET /inbox/{id}': ({ id = '' }) => {
      const mail = services.mail(id);
      if (!mail) throw notFound('There is no such mail.');
      return html(mailPage(mail));
    },
    'GET /inbox': (_match, _body, query) =>
      json(
        services
          .inbox(read(inboxSchema, Object.fromEntries(query)))
          .map((mail) => ({ ...mail, to: mail.to.join(', ') })),
      ),
    'POST /inbox/{id}/bounce': ({ id = '' }, body) => {
      const published = services.returnMail(id, read(returnSchema, parse(body)).type);
      if (published === undefined) throw notFound('There is no such mail.');
      return json({ ok: true, published });
    },
    'GET /clock': () => json(clockReport()),
    'POST /clock': (_, body) => {
      clock.advance(read(moveSchema, parse(body)).advance_seconds * 1000);
      return json(clockReport());
    },
    'GET /schedules': () => json(scheduler.list()),
    'POST /schedules/{name}/run': async ({ name = '' }) => {
      const outcome = await scheduler.run(name);
      if (!outcome) throw notFound(`There is no schedule ${name}.`);
      return json(outcome);
    },
    'GET /queues': () => json(services.queues()),
    'GET /calls': () => json(services.calls()),
    'DELETE /calls': () => {
      services.clearCalls();
      return json({ ok: true });
    },
    'GET /faults': () => json(services.faults()),
    'POST /faults': (_, body) => {
      const fault = withFullName(read(faultSchema, parse(body)));
      services.addFault(fault);
      return json(fault);
    },
    'DELETE /faults': () => {
      services.clearFaults();
      return json({ ok: true });
    },
    'GET /outputs': () =>
      json({
        base_url: controlled.baseUrl,
        apis: Object.fromEntries(controlled.apiUrls),
        outputs: controlled.outputs,
      }),
    'POST /timestamp': (_, body) => ({ type: 'application/timestamp-reply', body: timestamps.answer(body) }),
    'GET /ca/issuer': () => ({ type: 'application/pkix-cert', body: authority.certificate }),
    'GET /ca/list': () => ({ type: 'application/pkix-crl', body: authority.revocationList() }),
    'POST /ca/ocsp': (_, body) => ({ type: 'application/ocsp-response', body: authority.answerOcsp(body) }),
  };
}

/** Refuses requests from pages of other sites, DNS rebinding included. */
function assertFromThisMachine(request: IncomingMessage): void {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  const local = ['localhost', '127.0.0.1', '[::1]'];
  const origin = request.headers.origin;
  const foreign = origin !== undefined && !local.includes(URL.parse(origin)?.hostname ?? '');
  if (!local.includes(host) || foreign) {
    throw new ServiceError('forbidden', 'The control port is for this machine only.', 403);
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
  const table = Object.entries(routes(controlled)).map(([route, handler]) => {
    const [method, pattern = ''] = route.split(' ');
    return { method, pattern, handler };
  });
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    assertFromThisMachine(request);
    const [given = '/', search] = (request.url ?? '/').split('?');
    const path = orUndefined(() => decodeURIComponent(given));
    if (path === undefined) throw new ServiceError('invalid_path', 'The path has an invalid percent escape.');
    const onPath = table.flatMap(({ method, pattern, handler }) => {
      const match = matchPath(pattern, path);
      return match ? [{ method, handler, match }] : [];
    });
    if (onPath.length === 0) throw notFound(`The control port has no path ${path}.`);
    const route = onPath.find(({ method }) => method === request.method);
    if (!route) {
      const methods = onPath.map(({ method }) => method).join(', ');
      throw new ServiceError('method_not_allowed', `${path} allows ${methods}.`, 405);
    }
    const body = await readBody(request, MAX_BODY_BYTES);
    if (!body) throw new ServiceError('too_large', 'The body is larger than 1 MB.', 413);
    return route.handler(route.match, body, new URLSearchParams(search));
  };
  return listen((request, response) => {
    answer(request).then(
      (reply) => send(response, 200, reply),
      (error: unknown) => {
        const known = error instanceof ServiceError ? error : new ServiceError('failed', String(error), 500);
        send(response, known.status, json({ error: known.code, message: known.message }));
      },
    );
  }, port);
}
