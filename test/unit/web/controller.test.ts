import { ApiError, type SignerCalls } from '../../../web/signing/api.ts';
import { type Browser, SigningController } from '../../../web/signing/flow/controller.ts';
import type { Memory } from '../../../web/signing/flow/memory.ts';
import { LINK_STATUS, VIEW, viewWith } from './view.ts';

type Answers = Record<string, () => unknown>;

const apiError = (status: number, error: string) => new ApiError(status, { error }, null);
const SIGNED = {
  status: 'signed',
  signed_at: '2026-11-21T10:05:00.000Z',
  remaining_pending_signers: 0,
  request_status: 'awaiting_stamp',
};

/** A controller over a fake service. Tests run its timers by hand. */
function controllerOver(answers: Answers) {
  const calls: string[] = [];
  const timers: { ms: number; work: () => void }[] = [];
  const answer = async (path: string) => {
    calls.push(path);
    const found = answers[path]?.();
    if (found instanceof Error) throw found;
    return found;
  };
  const api: SignerCalls = {
    json: async <T>(_method: string, path: string) => (await answer(path)) as T,
    bytes: async (path) => (await answer(path)) as Uint8Array<ArrayBuffer>,
  };
  const browser: Browser = {
    now: () => Date.parse('2026-11-21T10:00:00Z'),
    setTimer: (ms, work) => void timers.push({ ms, work }),
    isVisible: () => true,
    drawingPng: () => 'iVBOR',
    savePdf: () => {},
  };
  const memory: Memory = {
    rememberedStep: () => null,
    enterStep: () => {},
    goBack: () => false,
    loadDraft: () => null,
    saveDraft: () => {},
    forgetDraft: () => {},
    loadLanguage: () => null,
    saveLanguage: () => {},
  };
  const controller = new SigningController(api, memory, browser, 'en');
  return { controller, calls, timers, count: (path: string) => calls.filter((call) => call === path).length };
}

const READY: Answers = {
  '/open': () => LINK_STATUS,
  '/request': () => VIEW,
  '/document': () => new TextEncoder().encode('%PDF'),
  '/sign': () => SIGNED,
};

async function readyToSign(answers: Answers = {}) {
  const scene = controllerOver({ ...READY, ...answers });
  await scene.controller.start();
  scene.controller.goTo('sign');
  scene.controller.edit({ agreedTo: VIEW.consent.version });
  return scene;
}

/** Waits until all pending promises have settled. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

it('a signer with a valid session sees the document without a code', async () => {
  const { controller } = controllerOver(READY);
  await controller.start();
  expect(controller.flow.screen).toBe('document');
  expect(controller.locale).toBe('fi');
});

it('a signer without a session is asked for a code', async () => {
  const { controller } = controllerOver({
    ...READY,
    '/request': () => apiError(401, 'verification_required'),
  });
  await controller.start();
  expect(controller.flow.screen).toBe('code');
});

it('a code is said to be sent once it can be entered, since a click during a task does nothing', async () => {
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

it('several calls at the same moment sign once', async () => {
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
