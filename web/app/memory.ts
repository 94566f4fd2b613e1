type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Some browsers deny storage. The dashboard works without it, and then remembers nothing. */
const orNull = <Value>(work: () => Value): Value | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

const safe = (storage: () => Memory): Memory => ({
  getItem: (key) => orNull(() => storage().getItem(key)),
  setItem: (key, value) => void orNull(() => storage().setItem(key, value)),
  removeItem: (key) => void orNull(() => storage().removeItem(key)),
});

/** Of all tabs. */
export const browserMemory = safe(() => localStorage);
const ownMemory = safe(() => sessionStorage);

/** Of this tab alone; a new tab starts with what the last one chose. */
export const tabMemory: Pick<Memory, 'getItem' | 'setItem'> = {
  getItem: (key) => ownMemory.getItem(key) ?? browserMemory.getItem(key),
  setItem(key, value) {
    ownMemory.setItem(key, value);
    browserMemory.setItem(key, value);
  },
};

export const browserKeys = (): string[] => orNull(() => Object.keys(localStorage)) ?? [];
