import { ApiError, type SignerCalls } from '../../../web/signing/api.ts';
import { type Browser, SigningController } from '../../../web/signing/flow/controller.ts';
import type { Memory } from '../../../web/signing/flow/memory.ts';
import { LINK_STATUS, VIEW } from './view.ts';

type Answers = Record<string, (body?: unknown) => unknown>;

export const apiError = (status: number, error: string) => new ApiError(status, { error }, null);
const SIGNED = {
  status: 'signed',
  signed_at: '2026-11-21T10:05:00.000Z',
  remaining_pending_signers: 0,
  request_status: 'awaiting_stamp',
};

/** A controller over a fake service. Tests run its timers by hand. */
export function controllerOver(answers: Answers, tab?: Memory) {
  const calls: string[] = [];
  const timers: { ms: number; work: () => void }[] = [];
  const answer = async (path: string, body?: unknown) => {
    calls.push(path);
    const found = answers[path]?.(body);
    if (found instanceof Error) throw found;
    return found;
  };
  const api: SignerCalls = {
    json: async <T>(_method: string, path: string, options?: { body?: unknown }) =>
      (await answer(path, options?.body)) as T,
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
  const controller = new SigningController(api, tab ?? memory, browser, 'en');
  return { controller, calls, timers, count: (path: string) => calls.filter((call) => call === path).length };
}

export const READY: Answers = {
  '/open': () => LINK_STATUS,
  '/request': () => VIEW,
  '/document': () => new TextEncoder().encode('%PDF'),
  '/sign': () => SIGNED,
};

export async function readyToSign(answers: Answers = {}) {
  const scene = controllerOver({ ...READY, ...answers });
  await scene.controller.start();
  scene.controller.goTo('sign');
  scene.controller.edit({ agreedTo: VIEW.consent.version });
  return scene;
}

/** Waits until all pending promises have settled. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
