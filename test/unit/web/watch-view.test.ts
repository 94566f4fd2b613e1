import { watchView } from '../../../web/parts/watch-view.ts';
import { FakeObserver, useFakeObserver } from './fake-observer.ts';

useFakeObserver();

it('of several changes reported at once the newest counts, and none is reported after the watch ends', () => {
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
