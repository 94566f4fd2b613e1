/** Measures the steps of the start, for `--verbose`. */
export class Stopwatch {
  readonly #laps: string[] = [];
  readonly #startedAt = performance.now();
  #lapAt = this.#startedAt;

  lap(name: string): void {
    const now = performance.now();
    this.#laps.push(`${name} ${seconds(now - this.#lapAt)}`);
    this.#lapAt = now;
  }

  summary(): string {
    return `${seconds(performance.now() - this.#startedAt)} (${this.#laps.join(', ')})`;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
