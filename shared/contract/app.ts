import * as z from 'zod';
import { boolean, int, nullableString, string } from '../runtime/schemas.ts';
import { LOCALES } from '../texts/languages.ts';
import { endpoint } from './endpoint.ts';
import {
  email,
  emailAddress,
  flag,
  jsonObject,
  line,
  locale,
  notFound,
  oneTimeCode,
  pathId,
  ROLES,
  refuse,
  SUBSCRIPTIONS,
  stamp,
  uuid,
} from './fields.ts';
import { LIMITS } from './limits.ts';

/** Calls of the dashboard that no API key may make. All else it does with the client API. */

/** Other sites cannot send it, so a cookie alone does nothing. */
const headers = z.object({
  'x-requested-with': z.literal('app', { error: refuse('invalid_request', 'must be app') }),
});

const base = { area: 'app', status: 200 } as const;
const signInCall = { ...base, function: 'app-sign-in', headers } as const;
const ownCall = { ...base, function: 'app-account', access: 'app_session', headers } as const;

export const requestSignIn = endpoint({
  ...signInCall,
  name: 'request-sign-in',
  method: 'POST',
  path: '/api/app/v1/sign-in',
  access: 'open',
  summary: 'Mail a code to sign in with',
  body: z.object({ email, locale: locale.optional() }, jsonObject),
  answer: z.strictObject({ sent: z.literal(true), code_expires_at: stamp, next_code_at: stamp }),
  errors: ['invalid_signer_email', 'invalid_locale', 'too_many_codes'],
});

export const me = z.strictObject({
  /** The language is null until the user chooses one. */
  user: z.strictObject({ user_id: uuid, email: emailAddress, locale: z.enum(LOCALES).nullable() }),
  /** Whom the user may act for: themselves first, then organizations by name. */
  owners: z.array(
    z.strictObject({
      owner: z.union([z.literal('user'), uuid]),
      name: string,
      role: z.enum([...ROLES, 'user']),
      subscription: z.enum(SUBSCRIPTIONS),
    }),
  ),
  session: z.strictObject({ session_id: string, created_at: stamp, expires_at: stamp }),
});

export const signIn = endpoint({
  ...signInCall,
  name: 'sign-in',
  method: 'POST',
  path: '/api/app/v1/sign-in/verify',
  access: 'app_attempt',
  summary: 'Exchange the code for a session',
  body: z.object({ code: oneTimeCode }, jsonObject),
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
});

export const getMe = endpoint({
  ...ownCall,
  name: 'get-me',
  method: 'GET',
  path: '/api/app/v1/me',
  summary: 'Show who is signed in, and whom they may act for',
  answer: me,
});

export const updateMe = endpoint({
  ...ownCall,
  name: 'update-me',
  method: 'PATCH',
  path: '/api/app/v1/me',
  summary: 'Choose the language of the dashboard and of sign-in mails',
  body: z.object({ locale }, jsonObject),
  answer: me.shape.user,
  errors: ['invalid_locale'],
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
        session_id: string,
        created_at: stamp,
        expires_at: stamp,
        user_agent: nullableString,
        current: boolean,
      }),
    ),
  }),
});

export const revokeSession = endpoint({
  ...ownCall,
  name: 'revoke-session',
  method: 'DELETE',
  path: '/api/app/v1/sessions/{session_id}',
  summary: 'End a session, for example of a browser that was lost',
  params: z.object({ session_id: z.string().max(64, notFound) }),
  answer: z.strictObject({ session_id: string, revoked_at: stamp }),
});

const ownerCall = {
  ...base,
  function: 'app-account',
  access: 'app_admin',
  headers: headers.extend({
    'x-owner': z
      .string()
      .max(100, { error: refuse('invalid_request', 'must be user, or the id of an organization') })
      .optional(),
  }),
} as const;

const role = z.enum(ROLES, { error: refuse('invalid_request', `must be ${ROLES.join(' or ')}`) });
const member = z.strictObject({ user_id: uuid, email: emailAddress, role: z.enum(ROLES), added_at: stamp });
const userParams = z.object({ user_id: pathId });

export const listMembers = endpoint({
  ...ownerCall,
  name: 'list-members',
  method: 'GET',
  path: '/api/app/v1/members',
  summary: 'List the members of an organization',
  answer: z.strictObject({ data: z.array(member) }),
});

export const addMember = endpoint({
  ...ownerCall,
  name: 'add-member',
  method: 'POST',
  path: '/api/app/v1/members',
  summary: 'Add a person to an organization, and tell them by mail',
  body: z.object({ email, role, locale: locale.optional() }, jsonObject),
  answer: member,
  errors: ['invalid_signer_email', 'invalid_locale', 'already_member', 'too_many_members'],
});

export const updateMember = endpoint({
  ...ownerCall,
  name: 'update-member',
  method: 'PATCH',
  path: '/api/app/v1/members/{user_id}',
  summary: 'Change the role of a member',
  params: userParams,
  body: z.object({ role }, jsonObject),
  answer: member,
  errors: ['last_admin'],
});

export const removeMember = endpoint({
  ...ownerCall,
  name: 'remove-member',
  method: 'DELETE',
  path: '/api/app/v1/members/{user_id}',
  summary: 'Remove a member from an organization',
  params: userParams,
  answer: z.strictObject({ user_id: uuid, removed_at: stamp }),
  errors: ['last_admin'],
});

const apiKey = z.strictObject({
  key_id: string,
  name: nullableString,
  prefix: nullableString,
  test: boolean,
  created_at: stamp,
  last_used_at: stamp.nullable(),
  revoked_at: stamp.nullable(),
});

export const listApiKeys = endpoint({
  ...ownerCall,
  name: 'list-api-keys',
  method: 'GET',
  path: '/api/app/v1/api-keys',
  summary: 'List the API keys of an owner',
  answer: z.strictObject({ data: z.array(apiKey) }),
});

export const createApiKey = endpoint({
  ...ownerCall,
  name: 'create-api-key',
  method: 'POST',
  path: '/api/app/v1/api-keys',
  summary: 'Create an API key',
  body: z.object(
    {
      name: line('invalid_name', LIMITS.nameLength).refine((name) => name !== '', {
        error: refuse('invalid_name', 'must hold a visible character'),
      }),
      test: flag.optional(),
    },
    jsonObject,
  ),
  answer: apiKey.extend({ api_key: string }),
  errors: ['invalid_name', 'too_many_keys'],
});

export const revokeApiKey = endpoint({
  ...ownerCall,
  name: 'revoke-api-key',
  method: 'DELETE',
  path: '/api/app/v1/api-keys/{key_id}',
  summary: 'Revoke an API key at once and for good',
  params: z.object({ key_id: z.string().max(64, notFound) }),
  answer: z.strictObject({ key_id: string, revoked_at: stamp }),
});

const LOGO = refuse('invalid_request', 'must be a PNG of at most 100 KB as base64, or null');
const brandMember = () => z.string({ error: refuse('invalid_request', 'must be text or null') }).nullable();
const brand = {
  display_name: brandMember(),
  accent: brandMember(),
  reply_to: brandMember(),
  imprint_url: brandMember(),
  privacy_url: brandMember(),
  support_url: brandMember(),
  time_zone: brandMember(),
};
const brandAnswer = z.strictObject({
  ...brand,
  /** An address of this service. */
  logo: z.strictObject({ path: string, width: int, height: int }).nullable(),
});

export const getBrand = endpoint({
  ...ownerCall,
  name: 'get-brand',
  method: 'GET',
  path: '/api/app/v1/brand',
  summary: 'Show how an owner looks to signers',
  answer: brandAnswer,
});

export const updateBrand = endpoint({
  ...ownerCall,
  name: 'update-brand',
  method: 'PATCH',
  path: '/api/app/v1/brand',
  summary: 'Change how an owner looks to signers',
  body: z
    .object(
      {
        ...brand,
        logo_png_base64: z
          .base64({ error: LOGO, abort: true })
          .max(LIMITS.signatureImageBase64Length, { error: LOGO })
          .nullable(),
      },
      jsonObject,
    )
    .partial(),
  answer: brandAnswer,
});

const notices = {
  /** The address of notices to the sender; null: none. */
  notify: emailAddress.nullable(),
  signer_notices: boolean,
  reminders: boolean,
};

export const getNotices = endpoint({
  ...ownerCall,
  name: 'get-notices',
  method: 'GET',
  path: '/api/app/v1/notices',
  summary: 'Show who is told what about an owner’s requests',
  answer: z.strictObject(notices),
});

export const updateNotices = endpoint({
  ...ownerCall,
  name: 'update-notices',
  method: 'PATCH',
  path: '/api/app/v1/notices',
  summary: 'Change who is told what about an owner’s requests',
  body: z
    .object(
      {
        notify: email.nullable(),
        signer_notices: flag,
        reminders: flag,
      },
      jsonObject,
    )
    .partial(),
  answer: z.strictObject(notices),
  errors: ['invalid_signer_email'],
});
