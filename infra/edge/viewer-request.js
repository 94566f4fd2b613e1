// Runs in CloudFront for every request, before anything is looked up, fetched or cached. JavaScript as CloudFront
// Functions know it (cloudfront-js-2.0).
import cf from 'cloudfront';

// The stack writes here whether it has an ingest for bodies that the gateway cannot take.
const HAS_INGEST = false;

// The page of a signing link, whose token is no part of what is fetched or cached.
const SIGNING_LINK = /^\/sign\/[^/]+\/?$/;
const PAGE = '/sign/index.html';
const FILES = /^\/sign\/assets\/.+/;

const CREATE = '/api/v1/signatures';
// A function takes 6 MiB, its event's other fields included.
const MOST_BY_GATEWAY = 5.5 * 1024 * 1024;
const MOST_BY_INGEST = 15 * 1024 * 1024;

const NOT_FOUND = {
  statusCode: 404,
  statusDescription: 'Not Found',
  headers: { 'content-type': { value: 'text/plain; charset=utf-8' }, 'cache-control': { value: 'no-store' } },
  body: 'There is nothing at this address.',
};

const TOO_LARGE = {
  statusCode: 413,
  statusDescription: 'Content Too Large',
  headers: { 'content-type': { value: 'application/json' }, 'cache-control': { value: 'no-store' } },
  body: JSON.stringify({
    error: 'document_too_large',
    message: HAS_INGEST
      ? 'The body is larger than any request can be. A PDF can have 10 MB (10,485,760 bytes).'
      : 'The body is too large for this way in. Send documents of this size by POST /api/v1/uploads.',
  }),
};

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name.
function handler(event) {
  const request = event.request;
  if (request.uri.startsWith('/api/')) return toApi(request, event.viewer.ip);
  if (SIGNING_LINK.test(request.uri)) {
    request.uri = PAGE;
    request.querystring = {};
    return request;
  }
  return FILES.test(request.uri) ? request : NOT_FOUND;
}

function toApi(request, viewerAddress) {
  // Over whatever the client may have sent under this name.
  request.headers['x-viewer-address'] = { value: viewerAddress };
  if (request.method !== 'POST' || request.uri !== CREATE) return request;
  const length = request.headers['content-length'];
  const bytes = length ? Number(length.value) : undefined;
  if (bytes > (HAS_INGEST ? MOST_BY_INGEST : MOST_BY_GATEWAY)) return TOO_LARGE;
  // A body that does not say how long it is may be a large one.
  if (HAS_INGEST && !(bytes <= MOST_BY_GATEWAY)) cf.selectRequestOriginById('ingest');
  return request;
}
