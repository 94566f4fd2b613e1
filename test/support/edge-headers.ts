import { API_POLICY, appPolicy, DOCS_POLICY, PAGE_POLICY, VERIFY_POLICY } from '../../infra/edge/policies.ts';

/** Headers for browsers on every answer of the distribution. */
export const SECURITY = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
};

export const HEADERS = {
  api: {
    ...SECURITY,
    'content-security-policy': API_POLICY,
    'cache-control': 'no-store',
    'www-authenticate': 'Bearer',
  },
  page: { ...SECURITY, 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' },
  verify: { ...SECURITY, 'content-security-policy': VERIFY_POLICY, 'cache-control': 'no-cache' },
  docs: { ...SECURITY, 'content-security-policy': DOCS_POLICY, 'cache-control': 'no-cache' },
  /** A file of the page, named by its hash. */
  asset: {
    ...SECURITY,
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'public, max-age=31536000, immutable',
  },
  /** An address of nothing. */
  nothing: { ...SECURITY, 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-store' },
};

/** The dashboard's name the address that it uploads to. */
export const appHeaders = (uploadAddress: string) => ({
  ...HEADERS.page,
  'content-security-policy': appPolicy(uploadAddress),
});

/** They would name what stands behind the distribution, or let it be called around it. */
export const REVEALING = [
  'x-amz-apigw-id',
  'x-amzn-trace-id',
  'x-amzn-remapped-date',
  'x-amzn-remapped-www-authenticate',
  'x-powered-by',
  'x-origin-secret',
];
