import { signal } from '@preact/signals';
import type { SignatureRequestsResource } from '../../../client/src/signature-requests.ts';
import type { SignatureRequestFilter } from '../../../client/src/types.ts';
import { type ListPage, refreshedFirst, refreshedLater } from './pages.ts';

export type Filter = Omit<SignatureRequestFilter, 'limit' | 'cursor'>;

/** A screen and a bit: answers of the API are not compressed, and a slow line takes half a second for fifty. */
const PAGE_SIZE = 25;

/** The requests that fit a filter, page by page, kept up to date where they are looked at. */
export class RequestList {
  readonly pages = signal<readonly ListPage[]>([]);
  /** The cursor of what comes next; null at the end, undefined before the first answer. */
  readonly next = signal<string | null | undefined>(undefined);
  readonly thrown = signal<unknown>(null);
  readonly isLoading = signal(false);
  /** The pages on or near the screen, by their place. */
  readonly near = new Set<number>([0]);
  readonly #requests: SignatureRequestsResource;
  readonly #filter: Filter;

  constructor(requests: SignatureRequestsResource, filter: Filter) {
    this.#requests = requests;
    this.#filter = filter;
  }

  async loadMore(): Promise<void> {
    const cursor = this.next.peek();
    if (this.isLoading.peek() || cursor === null) return;
    this.isLoading.value = true;
    this.thrown.value = null;
    try {
      const { data, next_cursor } = await this.#ask(cursor);
      this.pages.value = [...this.pages.peek(), { cursor: cursor ?? null, items: data }];
      this.next.value = next_cursor;
    } catch (thrown) {
      this.thrown.value = thrown;
    } finally {
      this.isLoading.value = false;
    }
  }

  /** Asks again for the pages that are looked at. Returns whether anything has changed. */
  async refresh(): Promise<boolean> {
    if (this.isLoading.peek()) return false;
    if (this.next.peek() === undefined) {
      await this.loadMore();
      return true;
    }
    let hasChanged = false;
    for (const place of [...this.near]) if (await this.#refreshPage(place)) hasChanged = true;
    return hasChanged;
  }

  /** A page that is as it was stays the same object, so that nothing is drawn again. */
  async #refreshPage(place: number): Promise<boolean> {
    const old = this.pages.peek()[place];
    if (!old) return false;
    // A look that fails leaves what is shown; the page says that the connection is lost.
    const answer = await this.#ask(old.cursor ?? undefined).catch(() => null);
    if (!answer) return false;
    const pages = [...this.pages.peek()];
    const fresh =
      place === 0 ? refreshedFirst(old, answer.data) : refreshedLater(old, answer.data, pages[place + 1]);
    if (!fresh) {
      this.pages.value = [{ cursor: null, items: answer.data }];
      this.next.value = answer.next_cursor;
      return true;
    }
    if (JSON.stringify(fresh.items) === JSON.stringify(old.items)) return false;
    pages[place] = fresh;
    this.pages.value = pages;
    return true;
  }

  #ask = (cursor: string | undefined) =>
    this.#requests.list({ ...this.#filter, limit: PAGE_SIZE, ...(cursor && { cursor }) }).page();
}
