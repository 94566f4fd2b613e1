import { browserKeys, browserMemory, tabMemory } from '../../../../web/app/memory.ts';
import { firstDraft } from '../../../../web/app/new/draft.ts';
import { forgetDraft, forgetDrafts, loadDraft, saveDraft } from '../../../../web/app/new/draft-store.ts';

const storage = () => {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
};
const provide = (name: 'localStorage' | 'sessionStorage', get: () => unknown) =>
  Object.defineProperty(globalThis, name, { configurable: true, get });

it('a tab keeps its own choice, and a new tab starts with the newest of all', () => {
  const ofAllTabs = storage();
  const [one, other] = [storage(), storage()];
  provide('localStorage', () => ofAllTabs);
  provide('sessionStorage', () => one);
  tabMemory.setItem('mode', 'test');
  provide('sessionStorage', () => other);
  expect(tabMemory.getItem('mode')).toBe('test');
  tabMemory.setItem('mode', 'live');
  provide('sessionStorage', () => one);
  expect(tabMemory.getItem('mode')).toBe('test');
  expect(browserMemory.getItem('mode')).toBe('live');
});

it('a browser that denies storage remembers nothing, without an error', async () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  provide('localStorage', denied);
  provide('sessionStorage', denied);
  tabMemory.setItem('mode', 'test');
  expect(tabMemory.getItem('mode')).toBeNull();
  expect(browserKeys()).toEqual([]);
  saveDraft('scope', firstDraft('en'));
  expect(loadDraft('scope')).toBeNull();
  await forgetDraft('scope');
  await forgetDrafts('ann');
});

it('only the drafts of one user are forgotten, in all their scopes', async () => {
  const kept: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value;
    },
    removeItem: (key: string) => {
      delete kept[key];
    },
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(kept, name, { value });
  provide('localStorage', () => kept);
  for (const scope of ['ann/user/live', 'ann/acme/test', 'anna/user/live'])
    saveDraft(scope, firstDraft('en'));
  await forgetDrafts('ann');
  expect(browserKeys()).toEqual(['draft:anna/user/live']);
});
