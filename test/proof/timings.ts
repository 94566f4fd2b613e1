/** The time that each kind of step took, in milliseconds. */
export class Timings {
  readonly #steps = new Map<string, number[]>();

  async of<T>(step: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.add(step, performance.now() - start);
    return result;
  }

  add(step: string, milliseconds: number): void {
    this.#steps.set(step, [...(this.#steps.get(step) ?? []), milliseconds]);
  }

  /** Those of a step since it was last asked. */
  take(step: string): number[] {
    const taken = this.#steps.get(step) ?? [];
    this.#steps.delete(step);
    return taken;
  }

  entries = () => [...this.#steps];
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
