import { forgetAttempt, keepAttempt, openAttempt } from '../../../../web/app/shell/open-attempt.ts';
import { fakeStorage } from '../fake-storage.ts';

const ATTEMPT = { email: 'ann@example.com', code_expires_at: '2026-11-22T10:10:00.000Z' };
const EXPIRY = Date.parse(ATTEMPT.code_expires_at);

it('a sign-in is open after a reload until its code expires', () => {
  const storage = fakeStorage();
  keepAttempt(storage, ATTEMPT);
  expect(openAttempt(storage, EXPIRY - 1)).toEqual(ATTEMPT);
  expect(openAttempt(storage, EXPIRY)).toBeNull();
});

it('a sign-in that has ended is not open', () => {
  const storage = fakeStorage();
  keepAttempt(storage, ATTEMPT);
  forgetAttempt(storage);
  expect(openAttempt(storage, EXPIRY - 1)).toBeNull();
});

it('stored data that the page did not write is ignored', () => {
  const storage = fakeStorage();
  for (const text of ['{', '{}', '7', 'null']) {
    storage.setItem('sign-in', text);
    expect(openAttempt(storage, EXPIRY - 1)).toBeNull();
  }
});
