import { watchView } from '../../../web/parts/watch-view.ts';

/** Stands for the browser's: a test tells it what was observed. */
class FakeObserver {
  static newest: FakeObserver | undefined;
  readonly tell: (entries: Partial<IntersectionObserverEntry>[]) => void;
  readonly options: IntersectionObserverInit;
  readonly observed: unknown[] = [];
  isEnded = false;

  constructor(tell: FakeObserver['tell'], options: IntersectionObserverInit) {
    this.tell = tell;
    this.options = options;
    FakeObserver.newest = this;
  }

  observe(element: unknown) {
    this.observed.push(element);
  }

  disconnect() {
    this.isEnded = true;
  }
}

const real = globalThis.IntersectionObserver;
beforeAll(() => {
  Object.assign(globalThis, { IntersectionObserver: FakeObserver });
});
afterAll(() => {
  Object.assign(globalThis, { IntersectionObserver: real });
});

it('of several changes that come at once the newest counts, until the watch ends', () => {
  const element = {} as Element;
  const told: boolean[] = [];
  const end = watchView(element, '100% 0px', (isInView) => told.push(isInView));
  const observer = FakeObserver.newest;
  expect(observer).toMatchObject({ observed: [element], options: { rootMargin: '100% 0px' } });
  observer?.tell([{ isIntersecting: false }, { isIntersecting: true }]);
  observer?.tell([{ isIntersecting: true }, { isIntersecting: true }, { isIntersecting: false }]);
  expect(told).toEqual([true, false]);
  expect(observer?.isEnded).toBe(false);
  end();
  expect(observer?.isEnded).toBe(true);
});
