import { firstDraft } from '../../../web/signing/flow/draft.ts';
import { browserMemory } from '../../../web/signing/flow/memory.ts';
import { fakeHistory } from './fake-history.ts';
import { fakeStorage } from './fake-storage.ts';
import { VIEW } from './view.ts';

const DENIED = {
  getItem: () => {
    throw new Error('Storage is disabled.');
  },
  setItem: () => {
    throw new Error('Storage is disabled.');
  },
  removeItem: () => {
    throw new Error('Storage is disabled.');
  },
};

describe('the history of a tab', () => {
  it('going back leads to the previous step', () => {
    const history = fakeHistory();
    const memory = browserMemory(history, fakeStorage);
    memory.enterStep('document', 'replace');
    expect(memory.goBack()).toBe(false);
    memory.enterStep('sign', 'push');
    expect(memory.goBack()).toBe(true);
    expect(memory.rememberedStep()).toBe('document');
  });

  it('going back leads to the previous step after the current one was replaced', () => {
    const history = fakeHistory();
    const memory = browserMemory(history, fakeStorage);
    memory.enterStep('document', 'replace');
    memory.enterStep('sign', 'push');
    memory.enterStep('code', 'replace');
    memory.enterStep('sign', 'replace');
    expect(history.entries).toHaveLength(2);
    expect(memory.goBack()).toBe(true);
  });

  it('entering the current step adds no history entry', () => {
    const history = fakeHistory();
    const memory = browserMemory(history, fakeStorage);
    memory.enterStep('document', 'push');
    memory.enterStep('document', 'push');
    expect(history.entries).toHaveLength(2);
  });

  it('a history state that the page did not write is ignored', () => {
    const history = fakeHistory();
    const memory = browserMemory(history, fakeStorage);
    for (const state of [null, 'sign', { step: 'elsewhere' }, {}, 7]) {
      history.replaceState(state);
      expect(memory.rememberedStep()).toBeNull();
    }
  });
});

describe('a draft', () => {
  it('a draft is restored after a reload, for its signer only, until it is deleted', () => {
    const storage = fakeStorage();
    const memory = browserMemory(fakeHistory(), () => storage);
    const draft = { ...firstDraft(VIEW), reason: 'Too expensive' };
    memory.saveDraft('one', draft);
    expect(memory.loadDraft('one')).toEqual(draft);
    expect(memory.loadDraft('two')).toBeNull();
    memory.forgetDraft('one');
    expect(storage.items.size).toBe(0);
  });

  it('a draft is lost without an error if the browser denies storage', () => {
    const memory = browserMemory(fakeHistory(), () => DENIED);
    memory.saveDraft('one', firstDraft(VIEW));
    expect(memory.loadDraft('one')).toBeNull();
    expect(memory.loadLanguage()).toBeNull();
  });
});

it('the chosen language is remembered, and an unknown one is ignored', () => {
  const storage = fakeStorage();
  const memory = browserMemory(fakeHistory(), () => storage);
  memory.saveLanguage('fr');
  expect(memory.loadLanguage()).toBe('fr');
  storage.setItem('language', 'xx');
  expect(memory.loadLanguage()).toBeNull();
});
