import { Refusal, type SignerCalls } from '../../../web/api.ts';
import { Conductor, type Stage } from '../../../web/flow/conductor.ts';
import type { Memory } from '../../../web/flow/memory.ts';
import { STANDING, VIEW, viewWith } from './view.ts';

type Answers = Record<string, () => unknown>;

const refusal = (status: number, error: string) => new Refusal(status, { error }, null);
const SIGNED = {
  status: 'signed',
  signed_at: '2026-11-21T10:05:00.000Z',
  remaining_pending_signers: 0,
  request_status: 'awaiting_stamp',
};

/** A conductor whose service answers as told; timers are kept, to be let go by hand. */
function conductorOver(answers: Answers) {
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
  const stage: Stage = {
    now: () => Date.parse('2026-11-21T10:00:00Z'),
    later: (ms, work) => void timers.push({ ms, work }),
    isVisible: () => true,
    drawingPng: async () => 'iVBOR',
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
  const conductor = new Conductor(api, memory, stage, 'en');
  return { conductor, calls, timers, count: (path: string) => calls.filter((call) => call === path).length };
}

const READY: Answers = {
  '/open': () => STANDING,
  '/request': () => VIEW,
  '/document': () => new TextEncoder().encode('%PDF'),
  '/sign': () => SIGNED,
};

async function readyToSign(answers: Answers = {}) {
  const scene = conductorOver({ ...READY, ...answers });
  await scene.conductor.start();
  scene.conductor.goTo('sign');
  scene.conductor.edit({ agreedTo: VIEW.consent.version });
  return scene;
}

/** Lets everything that was promised happen. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

it('asks no code of one whose session still holds', async () => {
  const { conductor } = conductorOver(READY);
  await conductor.start();
  expect(conductor.flow.screen).toBe('document');
  expect(conductor.locale).toBe('fi');
});

it('asks for a code where there is no session', async () => {
  const { conductor } = conductorOver({ ...READY, '/request': () => refusal(401, 'verification_required') });
  await conductor.start();
  expect(conductor.flow.screen).toBe('code');
});

it('signs once, however often it is told to at the same moment', async () => {
  const { conductor, count } = await readyToSign();
  await Promise.all([conductor.sign(), conductor.sign(), conductor.decline(), conductor.sign()]);
  expect([count('/sign'), count('/decline')]).toEqual([1, 0]);
  expect(conductor.flow.screen).toBe('done');
});

it('sends nothing while something is missing', async () => {
  const { conductor, count } = await readyToSign();
  conductor.edit({ name: ' ' });
  await conductor.sign();
  expect(count('/sign')).toBe(0);
  expect(conductor.problems).toEqual(['name', 'typed']);
  conductor.edit({ name: 'Aino' });
  expect(conductor.problems).toEqual([]);
});

it('stays at signing when the browser goes back while the signature is under way', async () => {
  const { conductor } = await readyToSign();
  const signing = conductor.sign();
  conductor.wentTo('document');
  expect(conductor.flow.screen).toBe('sign');
  await signing;
  expect(conductor.flow.screen).toBe('done');
});

it('lands at the end when it had declined too late', async () => {
  const { conductor } = await readyToSign({
    '/decline': () => refusal(409, 'already_signed'),
    '/request': () => viewWith({ signer: { status: 'signed' } }),
  });
  conductor.flow = { ...conductor.flow, screen: 'decline' };
  await conductor.decline();
  await settle();
  expect(conductor.flow.screen).toBe('done');
});

describe('waiting for the seal', () => {
  it('looks again ever more rarely, and stops when it is there', async () => {
    let status: 'awaiting_stamp' | 'signed' = 'awaiting_stamp';
    const { conductor, timers } = await readyToSign({
      '/request': () => viewWith({ request: { status }, signer: { status: 'signed' } }),
    });
    const pauses: number[] = [];
    for (let look = 0; look < 10; look++) {
      const timer = timers.pop();
      if (!timer) break;
      pauses.push(timer.ms);
      if (look === 8) status = 'signed';
      timer.work();
      await settle();
    }
    expect(pauses.slice(0, 3)).toEqual([1_500, 2_000, 3_000]);
    expect(Math.max(...pauses)).toBe(30_000);
    expect(pauses).toHaveLength(9);
    expect(conductor.flow.view?.request.status).toBe('signed');
  });

  it('ends quietly with the session, since nothing was asked for', async () => {
    let over = false;
    const { conductor, timers } = await readyToSign({
      '/request': () =>
        over
          ? refusal(401, 'verification_required')
          : viewWith({ request: { status: 'awaiting_stamp' }, signer: { status: 'signed' } }),
    });
    over = true;
    timers.pop()?.work();
    await settle();
    expect(conductor.flow.screen).toBe('done');
    expect(timers).toEqual([]);
  });
});
