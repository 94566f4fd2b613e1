import type { Json } from './schemas.ts';

export const API_SECURITY: Json = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `esk_live_…` or `esk_test_…`.' },
};

export const SIGNING_SECURITY: Json = {
  signingLink: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signing-Token',
    description: 'The access token of a signing link.',
  },
  copyLink: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Copy-Token',
    description: 'The token of the link in the mail with the sealed document.',
  },
  signingSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'signing_session',
    description:
      'Set by a verified code. Its real name ends with twelve digits that belong to the link, so that a browser can hold those of several.',
  },
};
