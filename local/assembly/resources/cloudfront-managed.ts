/** CloudFront's managed policies by their published ids. */
import type { ForwardingPlan, NameSelection, ResponseHeadersPlan } from '../plan.ts';

const NONE: NameSelection = { mode: 'none', names: [] };
const ALL: NameSelection = { mode: 'all', names: [] };
const listed = (...names: string[]): NameSelection => ({ mode: 'listed', names });

const NOTHING: ForwardingPlan = {
  headers: NONE,
  cookies: NONE,
  queryStrings: NONE,
  gzip: false,
  brotli: false,
};
const EVERYTHING: ForwardingPlan = { ...NOTHING, headers: ALL, cookies: ALL, queryStrings: ALL };

export const MANAGED_CACHE_POLICIES: Record<string, ForwardingPlan> = {
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': NOTHING,
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': { ...NOTHING, gzip: true, brotli: true },
  // CachingOptimizedForUncompressedObjects
  'b2884449-e4de-46a7-ac36-70bc7f1ddd6d': NOTHING,
};

export const MANAGED_ORIGIN_REQUEST_POLICIES: Record<string, ForwardingPlan> = {
  // AllViewer
  '216adef6-5c7f-47e4-b989-5492eafa07d3': EVERYTHING,
  // AllViewerExceptHostHeader
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': { ...EVERYTHING, headers: { mode: 'allExcept', names: ['host'] } },
  // AllViewerAndCloudFrontHeaders-2022-06
  '33f36d7e-f396-46d9-90e0-52428a34d9dc': {
    ...EVERYTHING,
    headers: {
      mode: 'allAndListed',
      names: [
        'CloudFront-Viewer-Address',
        'CloudFront-Forwarded-Proto',
        'CloudFront-Viewer-Country',
        'CloudFront-Viewer-Http-Version',
      ],
    },
  },
  // CORS-S3Origin
  '88a5eaf4-2fd4-4709-b370-b4c650ea3fcf': {
    ...NOTHING,
    headers: listed('Origin', 'Access-Control-Request-Headers', 'Access-Control-Request-Method'),
  },
  // CORS-CustomOrigin
  '59781a5b-3903-41f3-afcb-af62929ccde1': { ...NOTHING, headers: listed('Origin') },
  // UserAgentRefererHeaders
  'acba4595-bd28-49b8-b9fe-13317c0390fa': { ...NOTHING, headers: listed('User-Agent', 'Referer') },
};

const SECURITY: ResponseHeadersPlan['set'] = [
  { name: 'X-XSS-Protection', value: '1; mode=block', override: false },
  { name: 'X-Frame-Options', value: 'SAMEORIGIN', override: false },
  { name: 'Referrer-Policy', value: 'strict-origin-when-cross-origin', override: false },
  { name: 'X-Content-Type-Options', value: 'nosniff', override: true },
  { name: 'Strict-Transport-Security', value: 'max-age=31536000', override: false },
];

export const MANAGED_RESPONSE_HEADERS_POLICIES: Record<string, ResponseHeadersPlan> = {
  // SecurityHeadersPolicy
  '67f7725c-6f97-4210-82d7-5512b31e9d03': { set: SECURITY, remove: [], cors: undefined },
};
