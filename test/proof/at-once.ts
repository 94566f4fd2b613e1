/** Works so many times, so many at once. */
export async function times(
  count: number,
  atOnce: number,
  work: (nth: number) => Promise<void>,
): Promise<void> {
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      begun += 1;
      await work(begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Works again and again for so long, so many at once, and each at least once. */
export async function during(seconds: number, atOnce: number, work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  const worker = async () => {
    do await work();
    while (performance.now() < end);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
