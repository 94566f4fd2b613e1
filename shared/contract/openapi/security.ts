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

export const APP_SECURITY: Json = {
  requestedWith: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Requested-With',
    description: 'Always `app`. Other sites cannot send it, so a cookie alone does nothing.',
  },
  attempt: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-app-attempt',
    description: 'Set when a code is asked for. The code works in this browser alone.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-app',
    description: 'Set by a code that was entered, for 12 hours.',
  },
  owner: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Owner',
    description: 'Whom the call is for: `user`, or the id of an organization.',
  },
};
