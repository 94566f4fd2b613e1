import { orNull, type PageStorage, safeStorage } from '../parts/storage.ts';

/** Of all tabs. */
export const browserMemory = safeStorage(() => localStorage);
/** Of this tab alone. */
export const ownMemory = safeStorage(() => sessionStorage);

/** Of this tab; a new tab starts with what the last one chose. */
export const tabMemory: Pick<PageStorage, 'getItem' | 'setItem'> = {
  getItem: (key) => ownMemory.getItem(key) ?? browserMemory.getItem(key),
  setItem(key, value) {
    ownMemory.setItem(key, value);
    browserMemory.setItem(key, value);
  },
};

export const browserKeys = (): string[] => orNull(() => Object.keys(localStorage)) ?? [];
