import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { email, locale, oneTimeCode, ROLES, refuse, SUBSCRIPTIONS, stamp, uuid } from './fields.ts';

/** Calls of the dashboard that no API key may make. All else it does with the client API. */

const object = { error: refuse('invalid_request', 'must be a JSON object') };

/** Other sites cannot send it, so a cookie alone does nothing. */
const headers = z.object({
  'x-requested-with': z.literal('app', { error: refuse('invalid_request', 'must be app') }),
});

const base = { area: 'app', status: 200 } as const;
const signInCall = { ...base, function: 'app-sign-in', headers } as const;
const ownCall = { ...base, function: 'app-account', access: 'app_session', headers } as const;

const sessionId = z.string({ error: refuse('not_found', 'names nothing that exists') }).max(64);

export const requestSignIn = endpoint({
  ...signInCall,
  name: 'request-sign-in',
  method: 'POST',
  path: '/api/app/v1/sign-in',
  access: 'open',
  summary: 'Mail a code to sign in with',
  body: z.object({ email, locale: locale.optional() }, object),
  answer: z.strictObject({ sent: z.literal(true), code_expires_at: stamp, next_code_at: stamp }),
  errors: ['invalid_signer_email', 'invalid_locale', 'too_many_codes'],
});

export const me = z.strictObject({
  user: z.strictObject({ user_id: uuid, email: z.email() }),
  /** Whom the user may act for: themselves first, then organizations by name. */
  owners: z.array(
    z.strictObject({
      owner: z.union([z.literal('user'), uuid]),
      name: z.string(),
      role: z.enum([...ROLES, 'user']),
      subscription: z.enum(SUBSCRIPTIONS),
    }),
  ),
  session: z.strictObject({ session_id: z.string(), created_at: stamp, expires_at: stamp }),
});

export const signIn = endpoint({
  ...signInCall,
  name: 'sign-in',
  method: 'POST',
  path: '/api/app/v1/sign-in/verify',
  access: 'app_attempt',
  summary: 'Exchange the code for a session',
  body: z.object({ code: oneTimeCode }, object),
  answer: me,
  errors: ['invalid_code_format', 'wrong_code', 'code_expired', 'locked'],
});

export const signOut = endpoint({
  ...ownCall,
  name: 'sign-out',
  method: 'POST',
  path: '/api/app/v1/sign-out',
  summary: 'End the session of this browser',
  answer: z.strictObject({ signed_out: z.literal(true) }),
  errors: [],
});

export const getMe = endpoint({
  ...ownCall,
  name: 'get-me',
  method: 'GET',
  path: '/api/app/v1/me',
  summary: 'Show who is signed in, and whom they may act for',
  answer: me,
  errors: [],
});

export const listSessions = endpoint({
  ...ownCall,
  name: 'list-sessions',
  method: 'GET',
  path: '/api/app/v1/sessions',
  summary: 'List the browsers in which the user is signed in',
  answer: z.strictObject({
    data: z.array(
      z.strictObject({
        session_id: z.string(),
        created_at: stamp,
        expires_at: stamp,
        user_agent: z.string().nullable(),
        current: z.boolean(),
      }),
    ),
  }),
  errors: [],
});

export const revokeSession = endpoint({
  ...ownCall,
  name: 'revoke-session',
  method: 'DELETE',
  path: '/api/app/v1/sessions/{session_id}',
  summary: 'End a session, for example of a browser that was lost',
  params: z.object({ session_id: sessionId }),
  answer: z.strictObject({ session_id: z.string(), revoked_at: stamp }),
  errors: ['not_found'],
});
