import { orNull, type PageStorage, safeStorage } from '../parts/storage.ts';

/** Shared by all tabs. */
export const browserMemory = safeStorage(() => localStorage);
/** For this tab only. */
export const ownMemory = safeStorage(() => sessionStorage);

/** For this tab; a new tab starts with the last choice of any tab. */
export const tabMemory: Pick<PageStorage, 'getItem' | 'setItem'> = {
  getItem: (key) => ownMemory.getItem(key) ?? browserMemory.getItem(key),
  setItem(key, value) {
    ownMemory.setItem(key, value);
    browserMemory.setItem(key, value);
  },
};

export const browserKeys = (): string[] => orNull(() => Object.keys(localStorage)) ?? [];
