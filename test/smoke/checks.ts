import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { demoPdf } from '../../functions/admin/demo-pdf.ts';
import { health } from '../../shared/contract/health.ts';
import {
  cancelSignature,
  createUpload,
  getAuditTrail,
  getDocument,
  getSignature,
  listSignatures,
  listSigners,
} from '../../shared/contract/signatures.ts';
import { getRequest } from '../../shared/contract/signing.ts';
import { HEADERS, REVEALING } from '../support/edge-headers.ts';
import { type Answer, described, type Made, promised, refused, type Service, Unexpected } from './service.ts';

/** What must hold of a running service, in the order in which it is asked. */

export interface Check {
  /** What holds where it passes. */
  name: string;
  /** Where to look where it does not. */
  lookAt: string;
  /** The name of the check without which this one cannot say anything. */
  needs?: string;
  /** Rejects where it does not hold. May give a remark, in text. */
  run: (service: Service) => Promise<unknown>;
}

export function checksOf(service: Service): Check[] {
  const url = new URL(service.baseUrl);
  return [...EDGE, ...(url.protocol === 'https:' ? transport(url) : []), ...DOORS, ...requestChecks()];
}

/** More than goes through the gateway as base64, less than the 10 MB that a document may have. */
const LARGE_BYTES = 5 * 1024 * 1024;
const LIST_SECONDS = 10;

const AT_PAGE = 'the deployment of the page (CloudFormation: the stack’s two bucket deployments)';
const AT_HEADERS =
  'the distribution’s response headers policies, and whatever stands before the distribution';
const logOf = (name: string) => `the log of the function ${name}`;

const EDGE: Check[] = [
  {
    name: 'The service answers, through to its database',
    lookAt: `the base URL (the stack’s output BaseUrl), the domain’s records, then ${logOf('health')}`,
    run: async (service) => {
      promised(health, await service.ask(health.path));
    },
  },
  {
    name: 'Answers of the API carry the security headers',
    lookAt: AT_HEADERS,
    run: async (service) => {
      for (const path of [health.path, listSignatures.path]) carries(await service.ask(path), HEADERS.api);
    },
  },
  {
    name: 'The page carries the security headers',
    lookAt: `${AT_PAGE}, then ${AT_HEADERS}`,
    run: async (service) => carries(page(await service.ask('/sign/anything')), HEADERS.page),
  },
  {
    name: 'The page finds its script',
    lookAt: AT_PAGE,
    run: async (service) => {
      const { body } = page(await service.ask('/sign/anything'));
      const [script] = /\/sign\/assets\/[\w.-]+\.js/.exec(body.toString()) ?? [];
      if (!script) throw new Unexpected('a script in the page', 'none');
      carries(typed(await service.ask(script), 200, 'text/javascript'), HEADERS.asset);
    },
  },
];

/** What holds of an address with a certificate. */
function transport(url: URL): Check[] {
  const own = !url.hostname.endsWith('.cloudfront.net');
  return [
    ...(url.port ? [] : [leadsToHttps(`http://${url.host}`)]),
    // What CloudFront’s own name takes is CloudFront’s choice.
    ...(own ? [refusesOldTls(url)] : []),
  ];
}

export const leadsToHttps = (plain: string): Check => ({
  name: 'Plain http leads to https, and reaches no API',
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
    const version = await takenVersion(url);
    if (version) throw new Unexpected('a refusal', version);
  },
});

/** What the server agrees to with a client that knows no TLS after 1.1. */
const takenVersion = ({ hostname, port }: URL): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port || 443),
      ...(isIP(hostname) === 0 && { servername: hostname }),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
      // Nothing is sent; fetch has looked at the certificate.
      rejectUnauthorized: false,
      timeout: 10_000,
    });
    const end = (version?: string) => {
      socket.destroy();
      resolve(version);
    };
    socket.once('secureConnect', () => end(socket.getProtocol() ?? 'an old one'));
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => end());
  });

const DOORS: Check[] = [
  {
    name: 'A call without a key is refused',
    lookAt: `${logOf('list-signatures')}, and what stands before the distribution`,
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
    name: 'A path that leads nowhere is refused as JSON',
    lookAt: 'the gateway responses of the API, and whether the API’s stage has the newest deployment',
    run: async (service) => refused(await service.ask('/api/v1/nothing'), 'not_found'),
  },
  {
    name: 'The key is taken',
    lookAt: 'the key: whole, of this stack, not revoked (`npm run admin -- key list`)',
    run: async (service) => {
      await service.call(listSignatures, { query: '?limit=1' });
    },
  },
];

/** A request from its creation to its end, nothing signed; and two more with a large document, which the end cleans up. */
function requestChecks(): Check[] {
  const key = 'The key is taken';
  const create = 'A request is created';
  const cancel = 'The request is cancelled';
  const large = demoPdf(`Smoke test ${'.'.repeat(LARGE_BYTES)}`);
  let request: Made;

  return [
    {
      name: create,
      needs: key,
      lookAt: `the owner’s subscription (\`npm run admin -- org list\`), then ${logOf('create-signature')}`,
      run: async (service) => {
        request = service.created(await service.sendCreate(inline(demoPdf('Smoke test'))));
      },
    },
    {
      name: 'Its invitation is handed to the mail service',
      needs: create,
      lookAt: 'the option mailFrom, its identity in SES, and whether SES has left the sandbox',
      run: async () => {
        if (request.mailError) throw new Unexpected('a mail', `none (${request.mailError})`);
      },
    },
    {
      name: 'It can be fetched',
      needs: create,
      lookAt: logOf('get-signature'),
      run: async (service) => {
        const { title } = await service.call(getSignature, request);
        if (title !== service.title) throw new Unexpected('its title', 'another');
      },
    },
    {
      name: 'The list shows it',
      needs: create,
      lookAt: `${logOf('list-signatures')}, and the table’s index byOwner`,
      run: async (service) => listShows(service, request.id),
    },
    {
      name: 'Its signers are listed',
      needs: create,
      lookAt: logOf('list-signers'),
      run: async (service) => {
        const { data } = await service.call(listSigners, request);
        const emails = data.map(({ email }) => email).join(', ');
        if (emails !== service.signer) throw new Unexpected(service.signer, emails || 'nobody');
      },
    },
    {
      name: 'There is no sealed document before the signing',
      needs: create,
      lookAt: logOf('get-document'),
      run: async (service) => refused(await service.send(getDocument, request), 'not_yet_signed'),
    },
    {
      name: 'Its audit trail comes as a PDF',
      needs: create,
      lookAt: logOf('get-audit-trail'),
      run: async (service) => {
        const answer = typed(await service.send(getAuditTrail, request), 200, 'application/pdf');
        if (!answer.body.subarray(0, 5).equals(Buffer.from('%PDF-')))
          throw new Unexpected('a PDF', 'other bytes');
      },
    },
    {
      name: 'The signer’s link opens the page',
      needs: create,
      lookAt: `the domain’s records (the link leads to the stack’s own address), then ${AT_PAGE}`,
      run: async (service) => carries(page(await service.ask(request.link)), HEADERS.page),
    },
    {
      name: 'What is to be signed is not shown without the code',
      needs: create,
      lookAt: logOf('get-request'),
      run: async (service) => {
        const headers = { 'x-signing-token': request.token };
        refused(await service.ask(getRequest.path, { headers }), 'verification_required');
      },
    },
    {
      name: 'A document of 5 MB comes in with the call, or is sent to the uploads',
      needs: create,
      lookAt: `the ingest (its ECS service and log), then ${logOf('create-signature')}`,
      run: async (service) => {
        const answer = await service.sendCreate(inline(large));
        if (answer.status !== 413) return service.created(answer);
        refused(answer, 'document_too_large', 413);
        return 'to the uploads: the option largeUploads is off';
      },
    },
    {
      name: 'A document of 5 MB comes in by an upload',
      needs: create,
      lookAt: `${logOf('create-upload')}, and the staging bucket`,
      run: async (service) => {
        const { url, fields, upload_id } = await service.call(createUpload);
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        form.append('file', new Blob([new Uint8Array(large)], { type: 'application/pdf' }));
        const stored = await service.ask(url, { method: 'POST', body: form });
        if (stored.status !== 204) throw new Unexpected('204 from the bucket', described(stored));
        service.created(await service.sendCreate({ filename: 'large.pdf', upload_id }));
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
        const { status } = await service.call(getSignature, request);
        if (status !== 'cancelled') throw new Unexpected('cancelled', status);
      },
    },
    {
      name: 'It cannot be cancelled twice',
      needs: cancel,
      lookAt: logOf('cancel-signature'),
      run: async (service) =>
        refused(await service.send(cancelSignature, { id: request.id, body: {} }), 'request_not_cancellable'),
    },
  ];
}

const inline = (pdf: Buffer) => ({ filename: 'smoke.pdf', content_base64: pdf.toString('base64') });

/** The table's indexes follow it a moment later. */
async function listShows(service: Service, id: string): Promise<void> {
  const end = performance.now() + LIST_SECONDS * 1_000;
  for (;;) {
    const { data } = await service.call(listSignatures, { query: '?limit=100' });
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

/** All that a kind of answer promises a browser, and nothing that names what stands behind the distribution. */
function carries({ headers }: Answer, promise: Record<string, string>): void {
  const wrong = Object.entries(promise).filter(([name, value]) => headers.get(name) !== value);
  const extra = REVEALING.filter((name) => headers.has(name));
  if (wrong.length + extra.length === 0) return;
  const expected = [
    ...wrong.map(([name, value]) => `${name}: ${value}`),
    ...extra.map((name) => `no ${name}`),
  ];
  const came = [...wrong.map(([name]) => name), ...extra].map(
    (name) => `${name}: ${headers.get(name) ?? 'none'}`,
  );
  throw new Unexpected(expected.join(', '), came.join(', '));
}
