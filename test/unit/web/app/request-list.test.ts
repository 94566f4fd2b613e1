import { List } from '../../../../client/src/list.ts';
import type { SignatureRequestFilter, SignatureRequestSummary } from '../../../../client/src/types.ts';
import { RequestList } from '../../../../web/app/list/request-list.ts';
import { until } from '../../../support/until.ts';

const PAGE_SIZE = 25;

const request = (number: number): SignatureRequestSummary => ({
  id: `id-${number}`,
  status: 'sent',
  title: `Lease ${number}`,
  reference: null,
  signer_count: 1,
  created_at: '2026-11-22T10:00:00.000Z',
  sent_at: null,
  signed_at: null,
  cancelled_at: null,
  expires_at: '2026-12-22T10:00:00.000Z',
  is_expired: false,
  test: false,
});

/** A service that lists requests in descending order; a cursor is the number of a page's last one. */
class Service {
  stored: SignatureRequestSummary[];
  asked: (number | null)[] = [];
  isDown = false;
  /** The next answers, made at once, wait for these. */
  held: Promise<void>[] = [];
  /** Requests that another filter leaves out of their page. */
  isLeftOut = (_: SignatureRequestSummary) => false;

  constructor(count: number) {
    this.stored = Array.from({ length: count }, (_, place) => request(count - 1 - place));
  }

  list = ({ limit = 0, cursor }: SignatureRequestFilter = {}) =>
    new List(async () => {
      this.asked.push(cursor === undefined ? null : Number(cursor));
      if (this.isDown) throw new Error('No connection.');
      const numberOf = ({ id }: SignatureRequestSummary) => Number(id.slice(3));
      const rest = this.stored.filter((item) => cursor === undefined || numberOf(item) < Number(cursor));
      const data = rest.slice(0, limit);
      const last = data.at(-1);
      const next_cursor = rest.length > limit && last ? String(numberOf(last)) : null;
      const left = data.filter((item) => !this.isLeftOut(item));
      const answer = { data: structuredClone(left), has_more: next_cursor !== null, next_cursor };
      await this.held.shift();
      return answer;
    });
}

const shown = (list: RequestList) =>
  list.pages.value.map(({ items }) => items?.map(({ id }) => Number(id.slice(3))) ?? null);
const heldPages = (list: RequestList) => list.pages.value.flatMap(({ items }, place) => (items ? place : []));

/** All pages loaded as someone scrolls through them who sees one at a time. */
async function scrolled(service: Service): Promise<RequestList> {
  const list = new RequestList(service, {});
  while (list.next.value !== null) {
    await list.loadMore();
    const last = list.pages.value.length - 1;
    if (last > 0) list.setNear(last - 1, false);
    list.setNear(last, true);
  }
  return list;
}

it('pages far from the screen are dropped, and fetched again with their cursor when they come near', async () => {
  const service = new Service(100 * PAGE_SIZE);
  const list = await scrolled(service);
  expect(service.asked).toHaveLength(100);
  expect(heldPages(list)).toEqual(Array.from({ length: 21 }, (_, place) => 79 + place));
  expect(list.pages.value.reduce((sum, { count }) => sum + count, 0)).toBe(2_500);

  list.setNear(99, false);
  list.setNear(90, true);
  list.setNear(3, true);
  await until(() => heldPages(list).includes(3), 'the page');
  expect(shown(list)[3]).toEqual(Array.from({ length: PAGE_SIZE }, (_, place) => 2_424 - place));
  expect(service.asked.slice(100)).toEqual([2_425]);
});

it('a slow answer does not replace a newer one, such as after a look at another tab', async () => {
  const service = new Service(2);
  const list = await scrolled(service);
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  service.held = answers.map(({ promise }) => promise);
  const before = list.refresh();
  await until(() => service.held.length === 1, 'the first call');
  service.stored = service.stored.map((item) => ({ ...item, status: 'signed' }));
  const after = list.refresh();
  answers[1]?.resolve();
  expect(await after).toBe(true);
  answers[0]?.resolve();
  expect(await before).toBe(false);
  expect(list.pages.value[0]?.items?.map(({ status }) => status)).toEqual(['signed', 'signed']);
});

it('a page that could not be fetched offline is fetched by the next refresh', async () => {
  const service = new Service(40 * PAGE_SIZE);
  const list = await scrolled(service);
  service.isDown = true;
  list.setNear(0, true);
  await until(() => service.asked.length > 40, 'the failed call');
  expect(await list.refresh()).toBe(false);
  service.isDown = false;
  expect(await list.refresh()).toBe(true);
  expect(heldPages(list)).toContain(0);
});

it('new requests appear on top, and each request is shown once', async () => {
  const service = new Service(3 * PAGE_SIZE);
  const list = await scrolled(service);
  list.setNear(0, true);
  list.setNear(1, true);
  service.stored.unshift(request(76), request(75));
  expect(await list.refresh()).toBe(true);
  await list.loadMore();
  expect(shown(list).flat()).toEqual(Array.from({ length: 77 }, (_, place) => 76 - place));
  expect(await list.refresh()).toBe(false);
});

it('the next page continues the last one, even if that has moved meanwhile', async () => {
  const service = new Service(2 * PAGE_SIZE);
  const list = new RequestList(service, {});
  await list.loadMore();
  service.stored.unshift(request(50));
  await Promise.all([list.refresh(), list.loadMore()]);
  expect(shown(list).flat()).toEqual(Array.from({ length: 50 }, (_, place) => 50 - place));
});

it('a request that leaves the list makes room for the next, and the list ends where the service says', async () => {
  const service = new Service(2 * PAGE_SIZE + 1);
  const list = await scrolled(service);
  list.setNear(0, true);
  list.setNear(1, true);
  service.stored.splice(3, 1);
  expect(await list.refresh()).toBe(true);
  expect(shown(list).flat()).toEqual(service.stored.map(({ id }) => Number(id.slice(3))));
  expect(list.pages.value).toHaveLength(2);
  expect(list.next.value).toBeNull();
});

it('a refresh without changes keeps the same items, so that nothing is rendered again', async () => {
  const list = await scrolled(new Service(PAGE_SIZE));
  const before = list.pages.value[0]?.items;
  expect(await list.refresh()).toBe(false);
  expect(list.pages.value[0]?.items).toBe(before);
});

it('a list whose next page failed to load continues by itself once the service responds', async () => {
  const service = new Service(2 * PAGE_SIZE);
  const list = new RequestList(service, {});
  await list.loadMore();
  service.isDown = true;
  await list.loadMore();
  const failure = list.thrown.value;
  expect(failure).toBeInstanceOf(Error);
  await list.refresh();
  expect(list.thrown.value).toBe(failure);
  service.isDown = false;
  await list.refresh();
  expect(list.thrown.value).toBeNull();
  expect(list.next.value).toBeNull();
  expect(shown(list).flat()).toHaveLength(2 * PAGE_SIZE);
});

it('a list shows its first failure until it has a response, which counts as a change', async () => {
  const service = new Service(1);
  service.isDown = true;
  const list = new RequestList(service, {});
  await list.loadMore();
  const told: boolean[] = [];
  list.thrown.subscribe((thrown) => told.push(thrown !== null));
  expect(await list.refresh()).toBe(false);
  service.isDown = false;
  expect(await list.refresh()).toBe(true);
  expect(told.slice(0, -1)).not.toContain(false);
  expect(told.at(-1)).toBe(false);
});

it('a list ordered by title shows nothing twice after a refresh', async () => {
  const service = new Service(2);
  service.stored = service.stored.map((item, place) => ({
    ...item,
    created_at: `2026-11-2${place}T10:00:00Z`,
  }));
  const list = await scrolled(service);
  await list.refresh();
  expect(shown(list)).toEqual([[1, 0]]);
});

it('a list whose first pages hold nothing is not called empty before its end', async () => {
  const service = new Service(2 * PAGE_SIZE + 1);
  service.isLeftOut = ({ id }) => id !== 'id-0';
  const list = new RequestList(service, { title_prefix: 'lease', status: 'sent' });
  await list.loadMore();
  await list.loadMore();
  expect([list.pages.value.length, list.isEmpty.value]).toEqual([2, null]);
  await list.loadMore();
  expect([list.isEmpty.value, list.next.value]).toEqual([false, null]);

  service.isLeftOut = () => true;
  const none = await scrolled(service);
  expect(none.isEmpty.value).toBe(true);
});
