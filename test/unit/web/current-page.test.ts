import { followPages } from '../../../web/signing/document/current-page.ts';
import { FakeObserver, useFakeObserver } from './fake-observer.ts';

useFakeObserver();

const sheet = (page: number) => ({ getAttribute: () => String(page) }) as unknown as Element;
/** Pages that begin above the middle of the screen, or no longer do. */
const seen = (pages: readonly number[], isIntersecting: boolean) =>
  pages.map((page) => ({ target: sheet(page), isIntersecting }));

function follow() {
  let current = 1;
  const told: number[] = [];
  const pages = followPages([1, 2, 3, 4, 5].map(sheet), (change) => {
    current = change(current);
    told.push(current);
  });
  const goTo = (page: number) => {
    pages.forget();
    current = page;
  };
  return { observer: FakeObserver.newest, told, goTo, ...pages };
}

it('the current page is the last one that starts above the middle', () => {
  const { observer, told } = follow();
  observer?.tell([...seen([1, 2], true), ...seen([3, 4, 5], false)]);
  expect(told).toEqual([2]);
});

it('scrolling over several pages is one change, in both directions, and never leads before the first page', () => {
  const { observer, told } = follow();
  observer?.tell(seen([2, 3, 4], true));
  observer?.tell(seen([4, 3], false));
  observer?.tell(seen([1, 2], false));
  expect(told).toEqual([4, 2, 1]);
});

it('of several changes of one page reported at once the newest counts', () => {
  const { observer, told } = follow();
  observer?.tell([...seen([2], false), ...seen([2], true)]);
  expect(told).toEqual([2]);
});

it('a jump ignores changes that were seen before it and reported later', () => {
  const { observer, told, goTo } = follow();
  observer?.see([...seen([1], true), ...seen([2, 3, 4, 5], false)]);
  goTo(4);
  observer?.tell();
  observer?.tell(seen([2, 3, 4], true));
  expect(told).toEqual([4]);
});

it('the target of a jump stays the current page even if it is below the middle', () => {
  const { observer, told, goTo } = follow();
  goTo(5);
  observer?.tell(seen([2, 3, 4], true));
  expect(told).toEqual([5]);
});

it('all pages are observed until the observer ends', () => {
  const { observer, end } = follow();
  expect(observer?.observed).toHaveLength(5);
  end();
  expect(observer?.isEnded).toBe(true);
});
