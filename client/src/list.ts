export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** A paginated list: `for await` yields all items, `page()` returns the first page. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor?: string) => Promise<Page<Item>>;

  constructor(read: (cursor?: string) => Promise<Page<Item>>) {
    this.#read = read;
  }

  page = (): Promise<Page<Item>> => this.#read();

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page = await this.#read();
    yield* page.data;
    while (page.has_more && page.next_cursor !== null) {
      page = await this.#read(page.next_cursor);
      yield* page.data;
    }
  }
}
