// Runs in CloudFront for every request, before anything is looked up, fetched or cached. Its language is that of
// cloudfront-js-2.0: ECMAScript 5.1 with const, let, arrow functions and template literals, without destructuring.
import cf from 'cloudfront';

// The stack writes here whether it has an ingest for bodies that the gateway cannot take.
const HAS_INGEST = false;
// And the addresses of the documentation's pages.
const DOCS = [];

// A signing link's token is no part of what is fetched or cached.
const PAGES = [
  { link: /^\/sign\/[^/]+\/?$/, file: '/sign/index.html' },
  { link: /^\/verify\/?$/, file: '/verify/index.html' },
  // The dashboard itself says that it has no such page, and leads to one that it has.
  { link: /^\/app(\/(?!assets\/).*)?$/, file: '/app/index.html' },
];
const FILES = /^\/((sign|verify|docs|app)\/assets\/.+|docs\/search\.json$)/;

const CREATE = '/api/v1/signatures';
// A function takes 6 MiB, its event's other fields included.
const MOST_BY_GATEWAY = 5.5 * 1024 * 1024;
const MOST_BY_INGEST = 15 * 1024 * 1024;

// The form of an API key, as in `shared/accounts/api-key.ts`.
const API_KEY = /^Bearer +esk_(live|test)_[A-Za-z0-9_-]{43} *$/i;
const SESSION_COOKIE = '__Host-app';

const NOT_FOUND = {
  statusCode: 404,
  statusDescription: 'Not Found',
  headers: { 'content-type': { value: 'text/plain; charset=utf-8' }, 'cache-control': { value: 'no-store' } },
  body: 'There is nothing at this address.',
};

// Senders type only the name of the service.
const TO_DASHBOARD = {
  statusCode: 302,
  statusDescription: 'Found',
  headers: { location: { value: '/app' }, 'cache-control': { value: 'no-store' } },
};

const UNAUTHORIZED = {
  statusCode: 401,
  statusDescription: 'Unauthorized',
  error: 'unauthorized',
  message:
    'The Authorization header contains no API key; send Authorization: Bearer <API key>. A key is esk_live_ or esk_test_, followed by 43 characters.',
};
const TOO_LARGE = {
  statusCode: 413,
  statusDescription: 'Content Too Large',
  error: 'document_too_large',
  message: 'The body is larger than any request can be. A PDF can have 10 MB (10,485,760 bytes).',
};
const USE_UPLOADS = {
  statusCode: 413,
  statusDescription: 'Content Too Large',
  error: 'document_too_large',
  message: 'The body is too large for this endpoint. Send documents of this size by POST /api/v1/uploads.',
};

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name.
function handler(event) {
  const request = event.request;
  if (request.uri.startsWith('/api/')) return toApi(event);
  if (request.uri === '/') return TO_DASHBOARD;
  const file = pageOf(request.uri);
  if (file) {
    request.uri = file;
    request.querystring = {};
    return request;
  }
  return FILES.test(request.uri) ? request : NOT_FOUND;
}

// The file of a page; undefined for any other address.
function pageOf(uri) {
  const address = uri.replace(/\/$/, '');
  if (DOCS.includes(address)) return `${address}/index.html`;
  const page = PAGES.find((each) => each.link.test(uri));
  return page ? page.file : undefined;
}

function toApi(event) {
  const request = event.request;
  // As the gateway reads the path: a slash more must not hide a create.
  request.uri = request.uri.replace(/\/+(?=\/|$)/g, '');
  // Over whatever the client may have sent under these names.
  request.headers['x-viewer-address'] = { value: event.viewer.ip };
  request.headers['x-viewer-network'] = { value: networkOf(event.viewer.ip) };
  const length = request.headers['content-length'];
  const bytes = length ? Number(length.value) : undefined;
  const isCreate = request.method === 'POST' && request.uri === CREATE;
  const refusal = isCreate ? refusalOfCreate(request, bytes) : refusalOfOther(bytes);
  return refusal ? refused(refusal, event.context) : request;
}

// The address by which the firewall counts. With IPv6 anyone has billions of addresses; those of one household or office
// share the first half.
function networkOf(ip) {
  if (!ip.includes(':')) return ip;
  const halves = ip.split('::');
  const head = groupsOf(halves[0]);
  const tail = groupsOf(halves[1]);
  while (head.length + tail.length < 8) head.push('0');
  return `${head.concat(tail).slice(0, 4).join(':')}::`;
}

function groupsOf(text) {
  return text ? text.split(':') : [];
}

// An error of the contract. A custom domain has the same documentation, but only the distribution's own is known here.
function refused(refusal, context) {
  return {
    statusCode: refusal.statusCode,
    statusDescription: refusal.statusDescription,
    headers: {
      'content-type': { value: 'application/json' },
      'cache-control': { value: 'no-store' },
      'x-request-id': { value: context.requestId },
    },
    body: JSON.stringify({
      error: refusal.error,
      message: refusal.message,
      request_id: context.requestId,
      docs: `https://${context.distributionDomainName}/docs/errors#${refusal.error}`,
    }),
  };
}

// The gateway itself answers plain text to a body of more than 10 MB.
function refusalOfOther(bytes) {
  return bytes > MOST_BY_GATEWAY ? USE_UPLOADS : undefined;
}

// Only a create may have a large body, so it must name the caller before the body is accepted.
function refusalOfCreate(request, bytes) {
  const hasKey = API_KEY.test(textOf(request.headers.authorization));
  if (!hasKey && !hasSession(request)) return UNAUTHORIZED;
  // The ingest accepts only API keys. The dashboard sends large documents to the uploads.
  const mayIngest = HAS_INGEST && hasKey;
  if (bytes > MOST_BY_INGEST && mayIngest) return TOO_LARGE;
  if (bytes > MOST_BY_GATEWAY && !mayIngest) return USE_UPLOADS;
  // A body that does not say how long it is may be a large one.
  if (mayIngest && !(bytes <= MOST_BY_GATEWAY)) cf.selectRequestOriginById('ingest');
  return undefined;
}

// The headers show that the dashboard's own script made the call: other sites cannot set them.
function hasSession(request) {
  const headers = request.headers;
  const isSignedIn = textOf(request.cookies[SESSION_COOKIE]) !== '';
  return isSignedIn && textOf(headers['x-owner']) !== '' && textOf(headers['x-requested-with']) !== '';
}

function textOf(field) {
  return field ? field.value : '';
}
