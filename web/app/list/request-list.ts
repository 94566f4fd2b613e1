import { computed, signal } from '@preact/signals';
import type { Page } from '../../../client/src/list.ts';
import type { SignatureRequestsResource } from '../../../client/src/signature-requests.ts';
import type { SignatureRequestFilter, SignatureRequestSummary } from '../../../client/src/types.ts';

export type Filter = Omit<SignatureRequestFilter, 'limit' | 'cursor'>;

/** One page of the list, and the cursor that fetched it. */
export interface ListPage {
  cursor: string | null;
  /** Null once the page is far from the screen. */
  items: readonly SignatureRequestSummary[] | null;
  count: number;
  /** False if it must be fetched again before it is shown. */
  isCurrent: boolean;
}

/** A little more than a screen: API responses are not compressed, and fifty rows take half a second on a slow line. */
const PAGE_SIZE = 25;
/** Pages off the screen that stay in memory, so that scrolling back fetches nothing. */
const HELD_AWAY = 20;

/**
 * The requests that match a filter, page by page. Pages on the screen are kept up to date. Pages far from it are dropped and
 * fetched again when they come near, so that a list of any length takes the same memory.
 */
export class RequestList {
  readonly pages = signal<readonly ListPage[]>([]);
  /** The cursor of the next page; null at the end, undefined before the first response. */
  readonly next = signal<string | null | undefined>(undefined);
  /** Null until it is known: the first pages of a search may hold nothing, with more to come. */
  readonly isEmpty = computed((): boolean | null => {
    if (this.pages.value.some(({ count }) => count > 0)) return false;
    return this.next.value === null ? true : null;
  });
  readonly thrown = signal<unknown>(null);
  readonly isLoading = signal(false);
  /** Indexes of the pages on or near the screen, and of those kept in memory beside them, in the order they were left. */
  readonly #near = new Set<number>([0]);
  readonly #away = new Set<number>();
  #isFilling = false;
  #calls = 0;
  /** The newest call of each page that was answered. */
  readonly #answered = new Map<number, number>();
  readonly #requests: Pick<SignatureRequestsResource, 'list'>;
  readonly #filter: Filter;

  constructor(requests: Pick<SignatureRequestsResource, 'list'>, filter: Filter) {
    this.#requests = requests;
    this.#filter = filter;
  }

  async loadMore(): Promise<void> {
    this.thrown.value = null;
    await this.#loadNext();
  }

  /** An earlier failure stays on the page until there is a response. */
  async #loadNext(): Promise<void> {
    const cursor = this.next.peek();
    if (this.isLoading.peek() || cursor === null) return;
    this.isLoading.value = true;
    let isOutdated = false;
    try {
      const answer = await this.#ask(cursor ?? null);
      this.thrown.value = null;
      isOutdated = this.next.peek() !== cursor;
      if (!isOutdated) this.#put(this.pages.peek().length, cursor ?? null, answer);
    } catch (thrown) {
      this.thrown.value = thrown;
    } finally {
      this.isLoading.value = false;
    }
    // A refresh of the last page has moved its end meanwhile.
    if (isOutdated) await this.#loadNext();
  }

  /** Fetches the visible pages again, and the next one if it failed to load. Returns whether anything has changed. */
  async refresh(): Promise<boolean> {
    if (this.isLoading.peek()) return false;
    if (this.next.peek() === undefined) {
      await this.#loadNext();
      return this.next.peek() !== undefined;
    }
    let hasChanged = false;
    let isAnswered = false;
    for (const place of [...this.#near].sort((a, b) => a - b)) {
      // A failed refresh keeps what is shown; a banner says that the connection is lost.
      const isNews = await this.#load(place).catch(() => undefined);
      isAnswered ||= isNews !== undefined;
      hasChanged ||= isNews === true;
    }
    if (isAnswered && this.thrown.peek() !== null) await this.#loadNext();
    return hasChanged;
  }

  setNear(place: number, isNear: boolean) {
    this.#away.delete(place);
    if (isNear) {
      this.#near.add(place);
      void this.#fill();
      return;
    }
    this.#near.delete(place);
    this.#away.add(place);
    const [longestAway = place] = this.#away;
    if (this.#away.size <= HELD_AWAY) return;
    this.#away.delete(longestAway);
    this.#letGo(longestAway);
  }

  /** One page at a time, the newest first: fast scrolling passes most of them. */
  async #fill(): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    try {
      for (let place = this.#lacking(); place !== undefined; place = this.#lacking()) await this.#load(place);
    } catch {
      // The next refresh asks again.
    } finally {
      this.#isFilling = false;
    }
  }

  #lacking = () => [...this.#near].findLast((place) => this.pages.peek()[place]?.isCurrent === false);

  async #load(place: number): Promise<boolean> {
    const page = this.pages.peek()[place];
    if (!page) return false;
    this.#calls += 1;
    const call = this.#calls;
    const answer = await this.#ask(page.cursor);
    // A newer call may have been answered first, and the page may have another cursor by now.
    if (call < (this.#answered.get(place) ?? 0) || this.pages.peek()[place]?.cursor !== page.cursor)
      return false;
    this.#answered.set(place, call);
    return this.#put(place, page.cursor, answer);
  }

  /**
   * Stores a page, and returns whether it has changed. If it ends elsewhere than before, the next page must be fetched again
   * from there. Unchanged items stay the same array, so that nothing is rendered again.
   */
  #put(place: number, cursor: string | null, { data, next_cursor }: Page<SignatureRequestSummary>): boolean {
    const pages = [...this.pages.peek()];
    const [old, after] = pages.slice(place, place + 2);
    if (next_cursor === null) pages.length = place;
    else if (after && after.cursor !== next_cursor)
      pages[place + 1] = { ...after, cursor: next_cursor, isCurrent: false };
    const isNews = JSON.stringify(old?.items) !== JSON.stringify(data);
    const items = isNews ? data : (old?.items ?? data);
    pages[place] = { cursor, items, count: data.length, isCurrent: true };
    if (pages.length === place + 1) this.next.value = next_cursor;
    this.pages.value = pages;
    return isNews;
  }

  #letGo(place: number) {
    this.pages.value = this.pages
      .peek()
      .map((page, at) => (at === place ? { ...page, items: null, isCurrent: false } : page));
  }

  #ask = (cursor: string | null) =>
    this.#requests.list({ ...this.#filter, limit: PAGE_SIZE, ...(cursor && { cursor }) }).page();
}
