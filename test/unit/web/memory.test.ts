import { firstDraft } from '../../../web/flow/draft.ts';
import { browserMemory, stepOf } from '../../../web/flow/memory.ts';
import { VIEW } from './view.ts';

function fakeHistory() {
  const entries: unknown[] = [null];
  return {
    entries,
    get state() {
      return entries.at(-1);
    },
    pushState: (state: unknown) => void entries.push(state),
    replaceState: (state: unknown) => void entries.splice(-1, 1, state),
    back: () => void entries.pop(),
  };
}

const fakeStorage = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};

const REFUSED = {
  getItem: () => {
    throw new Error('storage is off');
  },
  setItem: () => {
    throw new Error('storage is off');
  },
  removeItem: () => {
    throw new Error('storage is off');
  },
};

describe('the history of a tab', () => {
  it('goes back where a step was entered from', () => {
    const history = fakeHistory();
    const memory = browserMemory(history, fakeStorage);
    memory.enterStep('document', 'replace');
    expect(memory.goBack()).toBe(false);
    memory.enterStep('sign', 'push');
    expect(memory.goBack()).toBe(true);
    expect(memory.rememberedStep()).toBe('document');
  });

  it('still knows the way back after the step in place was exchanged', () => {
    const history = fakeHistory();
    const memory = browserMemory(history, fakeStorage);
    memory.enterStep('document', 'replace');
    memory.enterStep('sign', 'push');
    memory.enterStep('code', 'replace');
    memory.enterStep('sign', 'replace');
    expect(history.entries).toHaveLength(2);
    expect(memory.goBack()).toBe(true);
  });

  it('makes no second entry of a step that is shown already', () => {
    const history = fakeHistory();
    const memory = browserMemory(history, fakeStorage);
    memory.enterStep('document', 'push');
    memory.enterStep('document', 'push');
    expect(history.entries).toHaveLength(2);
  });

  it('knows nothing of states that are not its own', () => {
    expect([null, 'sign', { step: 'elsewhere' }, {}, 7].map(stepOf)).toEqual([null, null, null, null, null]);
  });
});

describe('what was entered', () => {
  it('is there again after a reload, for this signer only, until it is forgotten', () => {
    const storage = fakeStorage();
    const memory = browserMemory(fakeHistory(), () => storage);
    const draft = { ...firstDraft(VIEW), reason: 'Too expensive' };
    memory.saveDraft('one', draft);
    expect(memory.loadDraft('one')).toEqual(draft);
    expect(memory.loadDraft('two')).toBeNull();
    memory.forgetDraft('one');
    expect(storage.kept.size).toBe(0);
  });

  it('is lost without harm where the browser keeps nothing', () => {
    const memory = browserMemory(fakeHistory(), () => REFUSED);
    memory.saveDraft('one', firstDraft(VIEW));
    expect(memory.loadDraft('one')).toBeNull();
    expect(memory.loadLanguage()).toBeNull();
  });
});

it('keeps the language that was chosen, and takes no other', () => {
  const storage = fakeStorage();
  const memory = browserMemory(fakeHistory(), () => storage);
  memory.saveLanguage('fr');
  expect(memory.loadLanguage()).toBe('fr');
  storage.setItem('language', 'xx');
  expect(memory.loadLanguage()).toBeNull();
});
