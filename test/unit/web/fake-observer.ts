type Tell = (entries: Partial<IntersectionObserverEntry>[]) => void;

/** Stands for the browser's: a test tells it what was observed. */
export class FakeObserver {
  static newest: FakeObserver | undefined;
  readonly #tell: Tell;
  #untold: Partial<IntersectionObserverEntry>[] = [];
  readonly options: IntersectionObserverInit;
  readonly observed: unknown[] = [];
  isEnded = false;

  constructor(tell: Tell, options: IntersectionObserverInit) {
    this.#tell = tell;
    this.options = options;
    FakeObserver.newest = this;
  }

  observe(element: unknown) {
    this.observed.push(element);
  }

  disconnect() {
    this.isEnded = true;
  }

  takeRecords() {
    return this.#untold.splice(0);
  }

  /** Sees changes that it tells of later, as a browser does. */
  see(entries: Partial<IntersectionObserverEntry>[]) {
    this.#untold.push(...entries);
  }

  tell(entries: Partial<IntersectionObserverEntry>[] = []) {
    this.see(entries);
    const untold = this.takeRecords();
    if (untold.length > 0) this.#tell(untold);
  }
}

/** For the tests of a file. */
export function useFakeObserver() {
  const real = globalThis.IntersectionObserver;
  beforeAll(() => {
    Object.assign(globalThis, { IntersectionObserver: FakeObserver });
  });
  afterAll(() => {
    Object.assign(globalThis, { IntersectionObserver: real });
  });
}
