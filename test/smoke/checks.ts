import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { demoPdf } from '../../admin/demo-pdf.ts';
import { health } from '../../shared/contract/health.ts';
import { getSignature, listSignatures, listSigners } from '../../shared/contract/signatures.ts';
import { getRequest } from '../../shared/contract/signing.ts';
import { HEADERS, REVEALING } from '../support/edge-headers.ts';
import {
  type Answer,
  type Created,
  described,
  promised,
  refused,
  type Service,
  Unexpected,
} from './service.ts';

/** The checks of a running service, in order. */

export interface Check {
  /** The statement that holds if the check passes. */
  name: string;
  /** Advice if it fails. */
  lookAt: string;
  /** The name of a check that must pass first. */
  needs?: string;
  /** Rejects if the check fails. May return a remark. */
  run: (service: Service) => Promise<unknown>;
}

export function checksOf(service: Service): Check[] {
  const url = new URL(service.baseUrl);
  return [...EDGE, ...(url.protocol === 'https:' ? transport(url) : []), ...REFUSALS, ...requestChecks()];
}

/** As base64 too large for the gateway, but within the 10 MB limit of a document. */
const LARGE_BYTES = 5 * 1024 * 1024;
const LIST_SECONDS = 10;

const AT_PAGE = 'the deployment of the page (CloudFormation: the stack’s two bucket deployments)';
const AT_HEADERS = 'the distribution’s response headers policies, and anything in front of the distribution';
const logOf = (name: string) => `the log of the function ${name}`;

const EDGE: Check[] = [
  {
    name: 'The service and its database respond',
    lookAt: `the base URL (the stack output BaseUrl), the domain’s DNS records and certificate, then ${logOf('health')}`,
    run: async (service) => {
      promised(health, await service.ask(health.path));
    },
  },
  {
    name: 'API responses have the security headers',
    lookAt: AT_HEADERS,
    run: async (service) => {
      for (const path of [health.path, listSignatures.path])
        expectHeaders(await service.ask(path), HEADERS.api);
    },
  },
  {
    name: 'The page has the security headers',
    lookAt: `${AT_PAGE}, then ${AT_HEADERS}`,
    run: async (service) => expectHeaders(page(await service.ask('/sign/anything')), HEADERS.page),
  },
  {
    name: 'The verify page has its security headers',
    lookAt: `${AT_PAGE}, then ${AT_HEADERS}`,
    run: async (service) => expectHeaders(page(await service.ask('/verify')), HEADERS.verify),
  },
  {
    name: 'The script of the page is served',
    lookAt: AT_PAGE,
    run: async (service) => {
      const { body } = page(await service.ask('/sign/anything'));
      const [script] = /\/sign\/assets\/[\w.-]+\.js/.exec(body.toString()) ?? [];
      if (!script) throw new Unexpected('a script in the page', 'none');
      expectHeaders(typed(await service.ask(script), 200, 'text/javascript'), HEADERS.asset);
    },
  },
];

/** Checks of an https URL. */
function transport(url: URL): Check[] {
  const isCustomDomain = !url.hostname.endsWith('.cloudfront.net');
  return [
    ...(url.port ? [] : [leadsToHttps(`http://${url.host}`)]),
    // CloudFront decides about TLS on its own domain.
    ...(isCustomDomain ? [refusesOldTls(url)] : []),
  ];
}

export const leadsToHttps = (plain: string): Check => ({
  name: 'Plain http is redirected to https and refused for the API',
  lookAt: 'the viewer protocol policies of the distribution’s behaviours',
  run: async (service) => {
    const moved = await service.ask(`${plain}/sign/anything`);
    const location = moved.headers.get('location') ?? 'nowhere';
    if (moved.status !== 301 || !location.startsWith('https://'))
      throw new Unexpected('301 to https', `${described(moved)}, to ${location}`);
    const api = await service.ask(`${plain}${health.path}`);
    if (api.status !== 403) throw new Unexpected('403 for the API', described(api));
  },
});

const refusesOldTls = (url: URL): Check => ({
  name: 'TLS older than 1.2 is refused',
  lookAt: 'the distribution’s security policy (TLSv1.2_2021)',
  run: async () => {
    const version = await negotiatedVersion(url);
    if (version) throw new Unexpected('a refusal', version);
  },
});

/** The TLS version that the server negotiates with a client that supports at most TLS 1.1. */
const negotiatedVersion = ({ hostname, port }: URL): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port || 443),
      ...(isIP(hostname) === 0 && { servername: hostname }),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
      // Nothing is sent, and fetch has verified the certificate.
      rejectUnauthorized: false,
      timeout: 10_000,
    });
    const end = (version?: string) => {
      socket.destroy();
      resolve(version);
    };
    socket.once('secureConnect', () => end(socket.getProtocol() ?? 'an old version'));
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => end());
  });

const REFUSALS: Check[] = [
  {
    name: 'A call without a key is refused',
    lookAt: `${logOf('list-signatures')}, and anything in front of the distribution`,
    run: async (service) => refused(await service.ask(listSignatures.path), 'unauthorized'),
  },
  {
    name: 'A call with a wrong key is refused',
    lookAt: logOf('list-signatures'),
    run: async (service) => {
      const headers = { authorization: `Bearer esk_live_${randomBytes(32).toString('base64url')}` };
      refused(await service.ask(listSignatures.path, { headers }), 'unauthorized');
    },
  },
  {
    name: 'An unknown path is refused with JSON',
    lookAt: 'the gateway responses of the API, and whether its stage has the newest deployment',
    run: async (service) => refused(await service.ask('/api/v1/nothing'), 'not_found'),
  },
  {
    name: 'The key is accepted',
    lookAt: 'the key: complete, of this stack, not revoked (`npm run admin -- key list`)',
    run: async (service) => {
      await service.call(listSignatures, (requests) => requests.list({ limit: 1 }).page());
    },
  },
];

/** Follows a request from creation to cancellation. Creates two more with a large document, which the clean-up cancels. */
function requestChecks(): Check[] {
  const key = 'The key is accepted';
  const create = 'A request is created';
  const cancel = 'The request is cancelled';
  const large = demoPdf(`Smoke test ${'.'.repeat(LARGE_BYTES)}`);
  let request: Created;

  return [
    {
      name: create,
      needs: key,
      lookAt: `the owner’s subscription (\`npm run admin -- org list\`), then ${logOf('create-signature')}`,
      run: async (service) => {
        request = await service.create(demoPdf('Smoke test'));
      },
    },
    {
      name: 'Its invitation is accepted by SES',
      needs: create,
      lookAt: 'the option mailFrom, its identity in SES, and whether the account has left the SES sandbox',
      run: async () => {
        if (request.mailError) throw new Unexpected('a mail', `none (${request.mailError})`);
      },
    },
    {
      name: 'It can be fetched',
      needs: create,
      lookAt: logOf('get-signature'),
      run: async (service) => {
        const { title } = await service.call(getSignature, (requests) => requests.retrieve(request.id));
        if (title !== service.title) throw new Unexpected('its title', 'another');
      },
    },
    {
      name: 'The list contains it',
      needs: create,
      lookAt: `${logOf('list-signatures')}, and the table’s index byOwner`,
      run: async (service) => expectListed(service, request.id),
    },
    {
      name: 'Its signers are listed',
      needs: create,
      lookAt: logOf('list-signers'),
      run: async (service) => {
        const { data } = await service.call(listSigners, async (requests) => ({
          data: await requests.signers(request.id),
        }));
        const emails = data.map(({ email }) => email).join(', ');
        if (emails !== service.signer) throw new Unexpected(service.signer, emails || 'nobody');
      },
    },
    {
      name: 'It has no sealed document before signing',
      needs: create,
      lookAt: logOf('get-document'),
      run: (service) => service.refuses((requests) => requests.download(request.id), 'not_yet_signed'),
    },
    {
      name: 'Its audit trail is a PDF',
      needs: create,
      lookAt: logOf('get-audit-trail'),
      run: async (service) => {
        const trail = await service.download((requests, options) =>
          requests.downloadAuditTrail(request.id, options),
        );
        if (!trail.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Unexpected('a PDF', 'other bytes');
      },
    },
    {
      name: 'The signer’s link returns the page',
      needs: create,
      lookAt: `the domain’s DNS records (links use the stack’s own address), then ${AT_PAGE}`,
      run: async (service) => expectHeaders(page(await service.ask(request.link)), HEADERS.page),
    },
    {
      name: 'The document is not shown without the code',
      needs: create,
      lookAt: logOf('get-request'),
      run: async (service) => {
        const headers = { 'x-signing-token': request.token };
        refused(await service.ask(getRequest.path, { headers }), 'verification_required');
      },
    },
    {
      name: 'A document of 5 MB is accepted inline or redirected to uploads',
      needs: create,
      lookAt: `the ingest (its ECS service and log), then ${logOf('create-signature')}`,
      run: async (service) => {
        const answer = await service.sendInline(large);
        if (answer.status !== 413) return service.created(answer);
        refused(answer, 'document_too_large', 413);
        return 'redirected to uploads: the option largeUploads is off';
      },
    },
    {
      name: 'A document of 5 MB is accepted as an upload',
      needs: create,
      lookAt: `${logOf('create-upload')}, and the staging bucket`,
      run: async (service) => {
        await service.create(large);
      },
    },
    {
      name: cancel,
      needs: create,
      lookAt: logOf('cancel-signature'),
      run: async (service) => {
        const { id } = await service.cancel(request.id);
        if (id !== request.id) throw new Unexpected('its id', 'another');
      },
    },
    {
      name: 'It stays cancelled',
      needs: cancel,
      lookAt: logOf('get-signature'),
      run: async (service) => {
        const { status } = await service.call(getSignature, (requests) => requests.retrieve(request.id));
        if (status !== 'cancelled') throw new Unexpected('cancelled', status);
      },
    },
    {
      name: 'It cannot be cancelled twice',
      needs: cancel,
      lookAt: logOf('cancel-signature'),
      run: (service) => service.refuses((requests) => requests.cancel(request.id), 'request_not_cancellable'),
    },
  ];
}

/** Waits for the request to appear, since indexes are updated with a delay. */
async function expectListed(service: Service, id: string): Promise<void> {
  const end = performance.now() + LIST_SECONDS * 1_000;
  for (;;) {
    const { data } = await service.call(listSignatures, (requests) => requests.list({ limit: 100 }).page());
    if (data.some((listed) => listed.id === id)) return;
    if (performance.now() > end)
      throw new Unexpected('it in the list', `a list without it for ${LIST_SECONDS} seconds`);
    await wait(500);
  }
}

function typed(answer: Answer, status: number, type: string): Answer {
  if (answer.status !== status || answer.headers.get('content-type')?.split(';')[0] !== type)
    throw new Unexpected(`${status} ${type}`, described(answer));
  return answer;
}

const page = (answer: Answer) => typed(answer, 200, 'text/html');

/** Expects all promised headers, and none that reveal what is behind the distribution. */
function expectHeaders({ headers }: Answer, promisedHeaders: Record<string, string>): void {
  const wrong = Object.entries(promisedHeaders).filter(([name, value]) => headers.get(name) !== value);
  const extra = REVEALING.filter((name) => headers.has(name));
  if (wrong.length + extra.length === 0) return;
  const expected = [
    ...wrong.map(([name, value]) => `${name}: ${value}`),
    ...extra.map((name) => `no ${name}`),
  ];
  const actual = [...wrong.map(([name]) => name), ...extra].map(
    (name) => `${name}: ${headers.get(name) ?? 'none'}`,
  );
  throw new Unexpected(expected.join(', '), actual.join(', '));
}
