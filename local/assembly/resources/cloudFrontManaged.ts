/** The policies that CloudFront itself offers, by their published ids. */
import type { ForwardingPlan, NameSelection, ResponseHeadersPlan } from '../plan.ts';

const none: NameSelection = { mode: 'none', names: [] };
const all: NameSelection = { mode: 'all', names: [] };
const listed = (...names: string[]): NameSelection => ({ mode: 'listed', names });

const nothing: ForwardingPlan = {
  headers: none,
  cookies: none,
  queryStrings: none,
  gzip: false,
  brotli: false,
};
const everything: ForwardingPlan = { ...nothing, headers: all, cookies: all, queryStrings: all };

export const managedCachePolicies: Record<string, ForwardingPlan> = {
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': nothing,
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': { ...nothing, gzip: true, brotli: true },
  // CachingOptimizedForUncompressedObjects
  'b2884449-e4de-46a7-ac36-70bc7f1ddd6d': nothing,
};

export const managedOriginRequestPolicies: Record<string, ForwardingPlan> = {
  // AllViewer
  '216adef6-5c7f-47e4-b989-5492eafa07d3': everything,
  // AllViewerExceptHostHeader
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': { ...everything, headers: { mode: 'allExcept', names: ['host'] } },
  // AllViewerAndCloudFrontHeaders-2022-06
  '33f36d7e-f396-46d9-90e0-52428a34d9dc': {
    ...everything,
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
    ...nothing,
    headers: listed('Origin', 'Access-Control-Request-Headers', 'Access-Control-Request-Method'),
  },
  // CORS-CustomOrigin
  '59781a5b-3903-41f3-afcb-af62929ccde1': { ...nothing, headers: listed('Origin') },
  // UserAgentRefererHeaders
  'acba4595-bd28-49b8-b9fe-13317c0390fa': { ...nothing, headers: listed('User-Agent', 'Referer') },
};

const security: ResponseHeadersPlan['set'] = [
  { name: 'X-XSS-Protection', value: '1; mode=block', override: false },
  { name: 'X-Frame-Options', value: 'SAMEORIGIN', override: false },
  { name: 'Referrer-Policy', value: 'strict-origin-when-cross-origin', override: false },
  { name: 'X-Content-Type-Options', value: 'nosniff', override: true },
  { name: 'Strict-Transport-Security', value: 'max-age=31536000', override: false },
];

export const managedResponseHeadersPolicies: Record<string, ResponseHeadersPlan> = {
  // SecurityHeadersPolicy
  '67f7725c-6f97-4210-82d7-5512b31e9d03': { set: security, remove: [], cors: undefined },
};
