import { browserMemory } from '../../../web/signing/flow/memory.ts';
import { until } from '../../support/until.ts';
import { apiError, controllerOver, READY, readyToSign, settle } from './controller-over.ts';
import { fakeHistory } from './fake-history.ts';
import { fakeStorage } from './fake-storage.ts';
import { LINK_STATUS, VIEW, viewWith } from './view.ts';

it('a signer with a valid session sees the document without a code', async () => {
  const { controller } = controllerOver(READY);
  await controller.start();
  expect(controller.flow.screen).toBe('document');
  expect(controller.locale).toBe('fi');
});

it('a signer in a language that this page does not have yet keeps the browser’s', async () => {
  const inNewLanguage = { ...LINK_STATUS, locale: 'xx' };
  const { controller } = controllerOver({ ...READY, '/open': () => inNewLanguage });
  await controller.start();
  expect([controller.flow.screen, controller.locale]).toEqual(['document', 'en']);
});

it('a signer without a session is asked for a code', async () => {
  const { controller } = controllerOver({
    ...READY,
    '/request': () => apiError(401, 'verification_required'),
  });
  await controller.start();
  expect(controller.flow.screen).toBe('code');
});

it('a document that failed to load is loaded again on request, and when the tab becomes visible', async () => {
  const answers = [
    apiError(503, 'service_unavailable'),
    apiError(502, 'fault'),
    new TextEncoder().encode('%PDF'),
  ];
  const { controller, count } = controllerOver({ ...READY, '/document': () => answers.shift() });
  await controller.start();
  await settle();
  expect([controller.document.hasFailed, controller.flow.notice]).toEqual([true, null]);
  controller.loadDocument();
  expect(controller.document.hasFailed).toBe(false);
  await settle();
  expect(controller.document.hasFailed).toBe(true);
  await controller.refresh();
  await until(() => controller.document.loaded !== null, 'the document');
  expect([controller.document.hasFailed, count('/document')]).toEqual([false, 3]);
});

it('a load of the document that was given up and fails late does not affect the next one', async () => {
  const loads = [Promise.withResolvers<Uint8Array>(), Promise.withResolvers<Uint8Array>()];
  const [first, second] = loads;
  const { controller, count } = controllerOver({
    ...READY,
    '/document': () => loads.shift()?.promise,
    '/verify': () => VIEW,
  });
  await controller.start();
  await controller.verify('123456');
  first?.reject(apiError(503, 'service_unavailable'));
  await settle();
  expect(controller.document.hasFailed).toBe(false);
  second?.resolve(new TextEncoder().encode('%PDF'));
  await until(() => controller.document.loaded !== null, 'the document');
  await controller.document.load();
  expect([controller.document.hasFailed, count('/document')]).toEqual([false, 2]);
});

it('several clicks at the same moment sign once', async () => {
  const { controller, count } = await readyToSign();
  await Promise.all([controller.sign(), controller.sign(), controller.decline(), controller.sign()]);
  expect([count('/sign'), count('/decline')]).toEqual([1, 0]);
  expect(controller.flow.screen).toBe('done');
});

it('nothing is sent while a field is incomplete', async () => {
  const { controller, count } = await readyToSign();
  controller.edit({ name: ' ' });
  await controller.sign();
  expect(count('/sign')).toBe(0);
  expect(controller.problems).toEqual(['name', 'typed']);
  controller.edit({ name: 'Aino' });
  expect(controller.problems).toEqual([]);
});

it('the signing step stays if the browser goes back during the signing call', async () => {
  const { controller } = await readyToSign();
  const signing = controller.sign();
  controller.browserNavigated('document');
  expect(controller.flow.screen).toBe('sign');
  await signing;
  expect(controller.flow.screen).toBe('done');
});

it.each(['sign', 'decline'] as const)(
  'the input stays as it is sent until there is an answer: %s',
  async (action) => {
    const answer = Promise.withResolvers<Error>();
    const { controller } = await readyToSign({ [`/${action}`]: () => answer.promise });
    const { draft } = controller;
    const sending = controller[action]();
    controller.edit({ name: 'Another', reason: 'Another', agreedTo: null });
    expect(controller.draft).toEqual(draft);
    answer.resolve(apiError(400, 'fault'));
    await sending;
    controller.edit({ name: 'Another' });
    expect(controller.draft?.name).toBe('Another');
  },
);

it.each(['sign', 'decline'] as const)('no fault is shown for a call that has arrived: %s', async (action) => {
  let hasArrived = false;
  const outcome =
    action === 'sign' ? viewWith({ signer: { status: 'signed' } }) : apiError(410, 'link_declined');
  const { controller } = await readyToSign({
    [`/${action}`]: () => {
      hasArrived = true;
      return apiError(502, 'fault');
    },
    '/request': () => (hasArrived ? outcome : VIEW),
  });
  await controller[action]();
  expect(controller.flow).toMatchObject(
    action === 'sign' ? { screen: 'done', notice: null } : { screen: 'ended', endReason: 'link_declined' },
  );
});

it('a fault at signing is shown if the call has not arrived', async () => {
  const { controller } = await readyToSign({ '/sign': () => apiError(502, 'fault') });
  await controller.sign();
  expect(controller.flow).toMatchObject({ screen: 'sign', notice: 'fault' });
});

it.each(['decline', 'saveSealed', 'saveEvidence'] as const)(
  'a retry clears the fault, so that the same fault is announced again: %s',
  async (action) => {
    const fault = () => apiError(502, 'fault');
    const { controller } = await readyToSign({
      '/decline': fault,
      '/sealed-document': fault,
      '/evidence': fault,
    });
    const notices: unknown[] = [];
    for (const _ of [1, 2]) {
      const working = controller[action]();
      notices.push(controller.flow.notice);
      await working;
      notices.push(controller.flow.notice);
    }
    expect(notices).toEqual([null, 'fault', null, 'fault']);
  },
);

it('a successful download removes the notice of a failed one', async () => {
  const answers = [apiError(502, 'fault'), new TextEncoder().encode('%PDF')];
  const { controller } = await readyToSign({ '/sealed-document': () => answers.shift() });
  await controller.saveSealed();
  expect([controller.saved.has('download'), controller.flow.notice]).toEqual([false, 'fault']);
  await controller.saveSealed();
  expect([controller.saved.has('download'), controller.flow.notice]).toEqual([true, null]);
});

it('a document that fails to load keeps the notice that explains the step', async () => {
  const documents = [new TextEncoder().encode('%PDF')];
  const { controller } = await readyToSign({
    '/sign': () => apiError(409, 'document_mismatch'),
    '/document': () => documents.shift() ?? apiError(502, 'fault'),
  });
  controller.edit({ typed: 'Aino' });
  await controller.sign();
  await until(() => controller.document.hasFailed, 'the failure');
  await settle();
  expect(controller.flow).toMatchObject({ screen: 'document', notice: 'document_changed' });
});

it('a changed document is shown from the top, where the notice is', async () => {
  const { controller } = await readyToSign({ '/sign': () => apiError(409, 'document_mismatch') });
  controller.edit({ typed: 'Aino', page: 3 });
  await controller.sign();
  expect(controller.draft?.page).toBe(1);
});

it('input is kept when the session ends in a browser without storage', async () => {
  const { controller } = await readyToSign({
    '/sign': () => apiError(401, 'verification_required'),
    '/verify': () => VIEW,
  });
  controller.edit({ name: 'Aino V.' });
  await controller.sign();
  expect(controller.flow.screen).toBe('code');
  await controller.verify('123456');
  expect(controller.draft).toMatchObject({ name: 'Aino V.', agreedTo: VIEW.consent.version });
});

it('a signer who declines after signing sees the last step', async () => {
  const { controller } = await readyToSign({
    '/decline': () => apiError(409, 'already_signed'),
    '/request': () => viewWith({ signer: { status: 'signed' } }),
  });
  controller.flow = { ...controller.flow, screen: 'decline' };
  await controller.decline();
  await settle();
  expect(controller.flow.screen).toBe('done');
});

it.each([
  // The answer to the call that is repeated after the first one's was lost.
  [409, 'link_declined'],
  [504, 'timed_out'],
])(
  'a signer whose decline arrived keeps the link back to the sender even if the response was lost: %d %s',
  async (status, error) => {
    let isDeclined = false;
    const decline = () => {
      isDeclined = true;
      return apiError(status, error);
    };
    const { controller } = await readyToSign({
      '/decline': decline,
      '/request': () => (isDeclined ? apiError(409, 'link_declined') : VIEW),
    });
    controller.goTo('decline');
    await controller.decline();
    expect(controller.flow).toMatchObject({ screen: 'ended', endReason: 'link_declined', view: VIEW });
  },
);

describe('polling for the seal', () => {
  it('the page polls with growing pauses and stops when the document is sealed', async () => {
    let status: 'awaiting_stamp' | 'signed' = 'awaiting_stamp';
    const { controller, timers } = await readyToSign({
      '/request': () => viewWith({ request: { status }, signer: { status: 'signed' } }),
    });
    const pauses: number[] = [];
    for (let poll = 0; poll < 10; poll++) {
      const timer = timers.pop();
      if (!timer) break;
      pauses.push(timer.ms);
      if (poll === 8) status = 'signed';
      timer.work();
      await settle();
    }
    expect(pauses.slice(0, 3)).toEqual([1_500, 2_000, 3_000]);
    expect(Math.max(...pauses)).toBe(30_000);
    expect(pauses).toHaveLength(9);
    expect(controller.flow.view?.request.status).toBe('signed');
  });

  it('the page polls too if the document was signed in another tab', async () => {
    let isSigned = false;
    const { controller, timers } = await readyToSign({
      '/request': () =>
        isSigned ? viewWith({ request: { status: 'awaiting_stamp' }, signer: { status: 'signed' } }) : VIEW,
    });
    isSigned = true;
    await controller.refresh();
    expect(controller.flow.screen).toBe('done');
    expect(timers.map(({ ms }) => ms)).toEqual([1_500]);
  });

  it('a seal that has failed is awaited too, since the operator starts it again', async () => {
    const statuses = ['awaiting_stamp', 'stamp_failed', 'stamp_failed', 'signed'] as const;
    let poll = 0;
    const { controller, timers } = await readyToSign({
      '/request': () =>
        viewWith({ request: { status: statuses[poll] ?? 'signed' }, signer: { status: 'signed' } }),
    });
    while (poll < 3) {
      poll += 1;
      timers.pop()?.work();
      await settle();
    }
    expect(controller.flow.view?.request.status).toBe('signed');
    expect(timers).toEqual([]);
  });

  it('polling stops without a message when the session ends', async () => {
    let sessionEnded = false;
    const { controller, timers } = await readyToSign({
      '/request': () =>
        sessionEnded
          ? apiError(401, 'verification_required')
          : viewWith({ request: { status: 'awaiting_stamp' }, signer: { status: 'signed' } }),
    });
    sessionEnded = true;
    timers.pop()?.work();
    await settle();
    expect(controller.flow.screen).toBe('done');
    expect(timers).toEqual([]);
  });
});

it('after a phone has unloaded the page during code entry, a new code leads back to signing', async () => {
  const entries: unknown[] = [null];
  const history = {
    get state() {
      return entries.at(-1);
    },
    pushState: (state: unknown) => void entries.push(state),
    replaceState: (state: unknown) => void entries.splice(-1, 1, state),
    back: () => void entries.pop(),
  };
  const tab = browserMemory(history, () => ({
    getItem: () => null,
    setItem: () => {},
    removeItem: () => {},
  }));
  const ended = () => apiError(401, 'verification_required');
  const before = controllerOver({ ...READY, '/sign': ended }, tab);
  await before.controller.start();
  before.controller.goTo('sign');
  before.controller.edit({ agreedTo: VIEW.consent.version });
  await before.controller.sign();
  await settle();
  expect(before.controller.flow.screen).toBe('code');
  const reloaded = controllerOver({ ...READY, '/request': ended, '/verify': () => VIEW }, tab);
  await reloaded.controller.start();
  expect(reloaded.controller.flow.screen).toBe('code');
  await reloaded.controller.verify('123456');
  expect(reloaded.controller.flow.screen).toBe('sign');
});

it('a reload of the step to sign later shows it again, with one step back to the document', async () => {
  const tab = browserMemory(fakeHistory(), fakeStorage);
  const before = controllerOver(READY, tab);
  await before.controller.start();
  before.controller.goTo('later');
  const { controller } = controllerOver(READY, tab);
  await controller.start();
  expect(controller.flow.screen).toBe('later');
  controller.goBack();
  expect(tab.rememberedStep()).toBe('document');
});

it('a signer who needs a code after choosing to sign later is led to the document by it', async () => {
  const tab = browserMemory(fakeHistory(), fakeStorage);
  tab.enterStep('later', 'push');
  const ended = () => apiError(401, 'verification_required');
  const { controller } = controllerOver({ ...READY, '/request': ended, '/verify': () => VIEW }, tab);
  await controller.start();
  await controller.verify('123456');
  expect(controller.flow.screen).toBe('document');
});
