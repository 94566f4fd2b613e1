/** Keeps the database busy without throttling. */
const DEFAULT_CONCURRENCY = 16;

/**
 * Does the work for each item, a few at a time. After an error no further item starts; the error is thrown when all that
 * started have ended.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  concurrency = DEFAULT_CONCURRENCY,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const worker = async () => {
    for (let next = remaining.next(); !next.done && errors.length === 0; next = remaining.next())
      await work(next.value).catch((error: unknown) => errors.push(error));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (errors.length > 0) throw errors[0];
}
