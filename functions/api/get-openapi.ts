import document from '../../docs/openapi.json' with { type: 'json' };
import { getOpenApi } from '../../shared/contract/get-openapi.ts';
import { serve } from '../../shared/http/serve.ts';
import { sha256Hex } from '../../shared/runtime/hash.ts';

const ETAG = `"${sha256Hex(JSON.stringify(document))}"`;

/** Needs no authentication: it says nothing about any owner. It changes only with a deployment. */
export const handler = serve(getOpenApi, {
  identify: async () => undefined,
  headers: { 'Cache-Control': 'public, max-age=3600', ETag: ETAG },
  handle: async ({ headers, json, notModified }) =>
    headers['if-none-match']?.includes(ETAG) ? notModified() : json(document),
});
