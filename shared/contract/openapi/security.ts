import type { Json } from './schemas.ts';

const credential = (place: 'header' | 'cookie', name: string, description: string): Json => ({
  type: 'apiKey',
  in: place,
  name,
  description,
});

export const API_SECURITY: Json = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `esk_live_…` or `esk_test_…`.' },
};

export const SIGNING_SECURITY: Json = {
  signingLink: credential('header', 'X-Signing-Token', 'The access token of a signing link.'),
  copyLink: credential(
    'header',
    'X-Copy-Token',
    'The token of the link in the mail with the sealed document.',
  ),
  signingSession: credential(
    'cookie',
    'signing_session',
    'Set by a verified code. Its real name ends with twelve digits that belong to the link, so that a browser can hold those of several.',
  ),
};

export const APP_SECURITY: Json = {
  requestedWith: credential(
    'header',
    'X-Requested-With',
    'Always `app`. Other sites cannot send it, so a cookie alone does nothing.',
  ),
  attempt: credential(
    'cookie',
    '__Host-app-attempt',
    'Set when a code is asked for. The code works in this browser alone.',
  ),
  session: credential('cookie', '__Host-app', 'Set by a code that was entered, for 12 hours.'),
  owner: credential('header', 'X-Owner', 'Whom the call is for: `user`, or the id of an organization.'),
};
