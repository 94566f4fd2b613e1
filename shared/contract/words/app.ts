import * as app from '../app.ts';
import { documentedAs, named } from './described.ts';
import { SESSION_ID, USER_ID } from './samples.ts';
import { SIGN_IN } from './tags.ts';

const documented = documentedAs(SIGN_IN);

const USER = named('User', app.me.shape.user, 'A person who signs in.', {
  user_id: ['The user’s id.', USER_ID],
  email: ['The address that codes are mailed to.', 'mia@example.com'],
  locale: ['The language that the user has chosen. Null until then.', 'fi'],
});

const SESSION_WORDS = {
  session_id: ['The session’s id.', SESSION_ID],
  created_at: ['When the user signed in.', '2026-11-21T10:00:00.000Z'],
  expires_at: ['Until when it lasts, unless it is revoked.', '2026-11-21T22:00:00.000Z'],
} as const;

const ME = named('Me', app.me, 'Who is signed in.', {
  user: ['The user.', USER],
  owners: [
    'Whom the user may act for: themselves first, then organizations by name.',
    named('OwnerOfUser', app.me.shape.owners.element, 'Somebody the user may act for.', {
      owner: ['What to send as `X-Owner`: `user`, or the organization’s id.', 'user'],
      name: ['The name that signers see.', 'mia@example.com'],
      role: ['The user’s role: `user` for themselves, else `admin` or `member`.', 'user'],
      subscription: ['Whether live requests may be created: only if `active`.', 'active'],
    }),
  ],
  session: [
    'This browser’s session.',
    named('OwnSession', app.me.shape.session, 'The session that the call was made with.', SESSION_WORDS),
  ],
});

const SESSION = app.listSessions.answer.shape.data.element;

export const APP_ENDPOINTS = {
  'request-sign-in': documented(app.requestSignIn, {
    description:
      'Mails a code to the address, if a user has it. The answer and its time are the same if nobody has it. Sets the cookie that the code works with.',
    returns: 'The code is on its way, if a user has the address.',
    body: named('RequestSignIn', app.requestSignIn.body, 'Who wants to sign in.', {
      email: ['The user’s address.', 'mia@example.com'],
      locale: ['The language of the mail. English without one.', 'en'],
    }),
    answer: named('SignInRequested', app.requestSignIn.answer, 'A code on its way.', {
      sent: ['Always true.', true],
      code_expires_at: ['Until when the code can be entered.', '2026-11-21T10:10:00.000Z'],
      next_code_at: ['When this browser can ask for another one.', '2026-11-21T10:00:30.000Z'],
    }),
  }),
  'sign-in': documented(app.signIn, {
    description:
      'Exchanges the code for a session, which is set as a cookie. Five wrong codes void the code; they count only for this browser’s attempt.',
    returns: 'The user is signed in.',
    body: named('SignIn', app.signIn.body, 'The code that was mailed.', {
      code: ['The six digits.', '493027'],
    }),
    answer: ME,
  }),
  'sign-out': documented(app.signOut, {
    description: 'Ends the session of this browser at once.',
    returns: 'The session has ended.',
    answer: named('SignedOut', app.signOut.answer, 'A session just ended.', {
      signed_out: ['Always true.', true],
    }),
  }),
  'get-me': documented(app.getMe, {
    description: 'The user, whom they may act for, and the session.',
    returns: 'Who is signed in.',
    answer: ME,
  }),
  'update-me': documented(app.updateMe, {
    description:
      'Keeps the language that the user has chosen, for every browser and for the mails with codes.',
    returns: 'The user.',
    body: named('UpdateMe', app.updateMe.body, 'What the user has chosen.', {
      locale: ['The language.', 'fi'],
    }),
    answer: USER,
  }),
  'list-sessions': documented(app.listSessions, {
    description: 'The sessions of the user that have not ended, newest first.',
    returns: 'The sessions.',
    answer: named('Sessions', app.listSessions.answer, 'The sessions of a user.', {
      data: [
        'The sessions.',
        named('Session', SESSION, 'A browser in which the user is signed in.', {
          ...SESSION_WORDS,
          user_agent: ['What the browser calls itself.', 'Mozilla/5.0'],
          current: ['Whether the call was made with it.', true],
        }),
      ],
    }),
  }),
  'revoke-session': documented(app.revokeSession, {
    description: 'Ends a session of the user at once, for example of a browser that was lost.',
    returns: 'The session has ended.',
    params: { session_id: ['The session’s id.', SESSION_ID] },
    answer: named('RevokedSession', app.revokeSession.answer, 'A session just ended.', {
      session_id: ['The session’s id.', SESSION_ID],
      revoked_at: ['When it ended.', '2026-11-21T11:00:00.000Z'],
    }),
  }),
} as const;
