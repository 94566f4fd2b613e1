export type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Some browsers deny storage, such as in private mode. Every page works without it, and then remembers nothing. */
export const orNull = <Value>(work: () => Value): Value | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

export const safeStorage = (storage: () => PageStorage): PageStorage => ({
  getItem: (key) => orNull(() => storage().getItem(key)),
  setItem: (key, value) => void orNull(() => storage().setItem(key, value)),
  removeItem: (key) => void orNull(() => storage().removeItem(key)),
});
