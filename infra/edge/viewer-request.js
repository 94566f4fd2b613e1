// Runs in CloudFront for every request, before anything is looked up, fetched or cached. JavaScript as CloudFront
// Functions know it (cloudfront-js-2.0). The path is known to be within one of the distribution's behaviours.

// The page of a signing link, whose token is no part of what is fetched or cached.
const SIGNING_LINK = /^\/sign\/[^/]+\/?$/;
const PAGE = '/sign/index.html';
const FILES = /^\/sign\/assets\/.+/;

const NOT_FOUND = {
  statusCode: 404,
  statusDescription: 'Not Found',
  headers: { 'content-type': { value: 'text/plain; charset=utf-8' }, 'cache-control': { value: 'no-store' } },
  body: 'There is nothing at this address.',
};

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by this name.
function handler(event) {
  const request = event.request;
  if (request.uri.startsWith('/api/')) {
    // Over whatever the client may have sent under this name.
    request.headers['x-viewer-address'] = { value: event.viewer.ip };
    return request;
  }
  if (SIGNING_LINK.test(request.uri)) {
    request.uri = PAGE;
    request.querystring = {};
    return request;
  }
  return FILES.test(request.uri) ? request : NOT_FOUND;
}
