export type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Browsers may deny storage, such as in private mode. The pages work without it and remember nothing. */
export const orNull = <Value>(work: () => Value): Value | null => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** A value that was stored as JSON. Null if there is nothing, or nothing that can be read. */
export const readJson = <Value>(storage: Pick<PageStorage, 'getItem'>, key: string): Value | null =>
  orNull(() => JSON.parse(storage.getItem(key) ?? 'null') as Value | null);

export const safeStorage = (storage: () => PageStorage): PageStorage => ({
  getItem: (key) => orNull(() => storage().getItem(key)),
  setItem: (key, value) => void orNull(() => storage().setItem(key, value)),
  removeItem: (key) => void orNull(() => storage().removeItem(key)),
});
