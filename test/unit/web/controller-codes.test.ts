import { ApiError, ConnectionLost } from '../../../web/signing/api.ts';
import { apiError, controllerOver, READY, settle } from './controller-over.ts';
import { LINK_STATUS, VIEW } from './view.ts';

it('if the response to a code was cut off, entering the used code again opens the document', async () => {
  const scene = (sessionOpened: boolean) => {
    const answered: (() => unknown)[] = [() => new ConnectionLost(), () => apiError(410, 'code_expired')];
    return controllerOver({
      ...READY,
      '/request': () =>
        sessionOpened && answered.length < 2 ? VIEW : apiError(401, 'verification_required'),
      '/verify': () => answered.shift()?.(),
    });
  };
  const opened = scene(true);
  await opened.controller.start();
  await opened.controller.verify('123456');
  expect(opened.controller.flow).toMatchObject({ screen: 'code', codeProblem: { kind: 'lost' } });
  await opened.controller.verify('123456');
  expect(opened.controller.flow).toMatchObject({ screen: 'document', codeProblem: null });
  // The whole answer was lost, and its cookie with it.
  const unopened = scene(false);
  await unopened.controller.start();
  await unopened.controller.verify('123456');
  await unopened.controller.verify('123456');
  expect(unopened.controller.flow).toMatchObject({ screen: 'code', codeProblem: { kind: 'expired' } });
});

it('a code that was used in another tab opens the document here too, because tabs share the session', async () => {
  let isUsedElsewhere = false;
  const { controller } = controllerOver({
    ...READY,
    '/request': () => (isUsedElsewhere ? VIEW : apiError(401, 'verification_required')),
    '/verify': () => apiError(410, 'code_expired'),
  });
  await controller.start();
  expect(controller.flow).toMatchObject({ screen: 'code' });
  isUsedElsewhere = true;
  await controller.verify('123456');
  expect(controller.flow).toMatchObject({ screen: 'document', codeProblem: null });
});

it('a tab whose code was used in another one opens the document; without a session it says that the code has ended', async () => {
  const scene = (answer: () => unknown) => {
    let isUsed = false;
    const { controller } = controllerOver({
      ...READY,
      '/request': () => (isUsed ? answer() : apiError(401, 'verification_required')),
    });
    return { controller, use: () => (isUsed = true) };
  };
  const shared = scene(() => VIEW);
  await shared.controller.start();
  shared.use();
  await shared.controller.codeExpired();
  expect(shared.controller.flow).toMatchObject({ screen: 'document', codeProblem: null });
  const over = scene(() => apiError(401, 'verification_required'));
  await over.controller.start();
  await over.controller.codeExpired();
  expect(over.controller.flow).toMatchObject({ screen: 'code', codeProblem: { kind: 'expired' } });
});

it('a code that is asked for meanwhile is not said to have ended', async () => {
  const asked = Promise.withResolvers<unknown>();
  let isStarted = false;
  const { controller } = controllerOver({
    ...READY,
    '/request': () => (isStarted ? asked.promise : apiError(401, 'verification_required')),
    '/code': () => ({ sent: true, code_expires_at: null, next_code_at: null }),
  });
  await controller.start();
  isStarted = true;
  const ending = controller.codeExpired();
  await controller.sendCode();
  asked.reject(apiError(401, 'verification_required'));
  await ending;
  expect(controller.flow).toMatchObject({ screen: 'code', codeProblem: null, codeSent: { sent: true } });
});

it('a code is reported as sent only once it can be entered, because a click during a task does nothing', async () => {
  const opened = Promise.withResolvers<typeof LINK_STATUS>();
  const { controller, calls } = controllerOver({
    ...READY,
    '/request': () => apiError(401, 'verification_required'),
    '/code': () => ({ sent: true, code_expires_at: null, next_code_at: null }),
    '/open': () => (calls.includes('/code') ? opened.promise : LINK_STATUS),
    '/verify': () => VIEW,
  });
  await controller.start();
  const sending = controller.sendCode();
  await settle();
  expect(controller.flow.codeSent).toBeNull();
  opened.resolve(LINK_STATUS);
  await sending;
  expect(controller.flow.codeSent).toMatchObject({ sent: true });
  await controller.verify('123456');
  expect(controller.flow.screen).toBe('document');
});

it('a sent code is not reported as failed when the link cannot be refreshed', async () => {
  const { controller, calls } = controllerOver({
    ...READY,
    '/request': () => apiError(401, 'verification_required'),
    '/code': () => ({ sent: true, code_expires_at: null, next_code_at: null }),
    '/open': () => (calls.includes('/code') ? apiError(503, 'service_unavailable') : LINK_STATUS),
  });
  await controller.start();
  await controller.sendCode();
  expect(controller.flow).toMatchObject({ codeSent: { sent: true }, codeProblem: null });
});

it.each(['123456', '123 456', '123-456', '１２３４５６', '١٢٣٤٥٦', '۱۲۳۴۵۶'])(
  'a code is accepted in the digits of any keyboard: %s',
  async (typed) => {
    const { controller } = controllerOver({
      ...READY,
      '/request': () => apiError(401, 'verification_required'),
      '/verify': (body) =>
        JSON.stringify(body) === '{"code":"123456"}' ? VIEW : apiError(401, 'wrong_code'),
    });
    await controller.start();
    await controller.verify(typed);
    expect(controller.flow.screen).toBe('document');
  },
);

describe('no further code is sent', () => {
  const refusal = { error: 'locked', locked_until: null as string | null };
  const codeless = { ...READY, '/request': () => apiError(401, 'verification_required') };

  it.each([
    [null, { kind: 'no_more' }],
    ['2026-11-22T09:00:00.000Z', { kind: 'too_many', until: '2026-11-22T09:00:00.000Z' }],
  ])('the code that was mailed last can still be entered: locked until %s', async (lockedUntil, problem) => {
    const { controller } = controllerOver({
      ...codeless,
      '/code': () => new ApiError(429, { ...refusal, locked_until: lockedUntil }, null),
      '/verify': () => VIEW,
    });
    await controller.start();
    await controller.sendCode();
    expect(controller.flow).toMatchObject({
      linkStatus: LINK_STATUS,
      codeProblem: { at: 'send', ...problem },
    });
    await controller.verify('123456');
    expect(controller.flow.screen).toBe('document');
  });

  it('code entry has ended once the service says so, and a resend leaves no message about it', async () => {
    let linkStatus = { ...LINK_STATUS, code_expires_at: null, code_entry_ended: true };
    const { controller } = controllerOver({
      ...codeless,
      '/open': () => linkStatus,
      '/code': () => new ApiError(429, refusal, null),
    });
    await controller.start();
    await controller.sendCode();
    expect(controller.flow).toMatchObject({ linkStatus: { code_entry_ended: true }, codeProblem: null });
    linkStatus = { ...linkStatus, code_entry_ended: false };
    await controller.refresh();
    expect(controller.flow).toMatchObject({ linkStatus: { code_entry_ended: false }, codeProblem: null });
  });
});

it('asking for a code again clears the last problem, so that the same one is announced again', async () => {
  const { controller } = controllerOver({
    ...READY,
    '/request': () => apiError(401, 'verification_required'),
    '/code': () => apiError(502, 'email_failed'),
  });
  await controller.start();
  const problems: unknown[] = [];
  for (const _ of [1, 2]) {
    const sending = controller.sendCode();
    problems.push(controller.flow.codeProblem);
    await sending;
    problems.push(controller.flow.codeProblem?.kind);
  }
  expect(problems).toEqual([null, 'email_failed', null, 'email_failed']);
});

it('an answer about the link that was asked for before a code was sent does not hide that code', async () => {
  const expired = { ...LINK_STATUS, code_expires_at: null };
  const slow = Promise.withResolvers<typeof expired>();
  const answers: unknown[] = [expired, slow.promise, LINK_STATUS];
  const { controller } = controllerOver({
    ...READY,
    '/request': () => apiError(401, 'verification_required'),
    '/open': () => answers.shift(),
    '/code': () => ({ sent: true, code_expires_at: LINK_STATUS.code_expires_at, next_code_at: null }),
  });
  await controller.start();
  const refreshing = controller.refresh();
  await controller.sendCode();
  slow.resolve(expired);
  await refreshing;
  expect(controller.flow.linkStatus).toEqual(LINK_STATUS);
});

it('an answer about the link that was asked for before a code was tried does not lift its lock', async () => {
  const slow = Promise.withResolvers<typeof LINK_STATUS>();
  const answers: unknown[] = [LINK_STATUS, slow.promise];
  const until = '2026-11-21T10:15:00.000Z';
  const { controller } = controllerOver({
    ...READY,
    '/request': () => apiError(401, 'verification_required'),
    '/open': () => answers.shift(),
    '/verify': () => new ApiError(429, { error: 'locked', locked_until: until }, null),
  });
  await controller.start();
  const refreshing = controller.refresh();
  await controller.verify('123456');
  slow.resolve(LINK_STATUS);
  await refreshing;
  expect(controller.flow.linkStatus).toMatchObject({ locked_until: until });
});
