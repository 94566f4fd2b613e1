import { listSignatures } from '../../../shared/contract/signatures.ts';
import { SECOND } from '../../../shared/runtime/time.ts';
import { makePdf } from '../../support/pdf.ts';
import { type ApiClient, Service } from '../../support/service.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let pdf: string;

const path = '/api/v1/signatures';
const create = async (owner: ApiClient, title: string) => {
  const { body } = await owner.post(path, {
    title,
    signers: [{ email: 'ann@example.com' }],
    document: { content_base64: pdf },
  });
  service.advance(SECOND);
  return body.id as string;
};
const titles = (body: { data: { title: string }[] }) => body.data.map(({ title }) => title);

/** Follows the cursor to the end. */
async function pages(query: string, between?: () => Promise<unknown>): Promise<string[][]> {
  const found: string[][] = [];
  let cursor = '';
  for (;;) {
    const { status, body } = await client.get(
      `${path}?${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(status).toBe(200);
    expect(listSignatures.answer.parse(body)).toEqual(body);
    found.push(titles(body));
    expect(body.has_more).toBe(body.next_cursor !== null);
    if (!body.next_cursor) return found;
    cursor = body.next_cursor;
    await between?.();
  }
}

beforeAll(async () => {
  pdf = (await makePdf()).toString('base64');
  service = await Service.start();
  client = await service.client();
  for (let n = 1; n <= 7; n += 1) {
    const id = await create(client, `Request ${n}`);
    if (n % 2 === 0) await client.post(`${path}/${id}/cancel`);
  }
}, 60_000);
afterAll(() => service?.stop());

describe('the list', () => {
  it('shows the newest first, 25 a page unless told otherwise', async () => {
    const { body } = await client.get(path);
    expect(titles(body)).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `Request ${n}`));
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('goes on where a page ended, with no row twice or left out while new ones come', async () => {
    const seen = await pages('limit=3', () => create(client, 'New'));
    expect(seen.flat()).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `Request ${n}`));
    expect(seen.map((page) => page.length)).toEqual([3, 3, 1]);
  });

  it('filters by status without making pages short while more match', async () => {
    expect(await pages('status=cancelled&limit=2')).toEqual([['Request 6', 'Request 4'], ['Request 2']]);
  });

  it('filters by time, from and to, alone and with a status', async () => {
    const { body } = await client.get(path);
    const at = (title: string) =>
      encodeURIComponent(body.data.find((row: { title: string }) => row.title === title).created_at);
    expect((await pages(`created_from=${at('Request 3')}&created_to=${at('Request 6')}`)).flat()).toEqual([
      'Request 5',
      'Request 4',
      'Request 3',
    ]);
    expect((await pages(`status=sent&created_to=${at('Request 6')}&limit=1`)).flat()).toEqual([
      'Request 5',
      'Request 3',
      'Request 1',
    ]);
    expect((await pages(`created_from=${at('Request 6')}&created_to=${at('Request 3')}`)).flat()).toEqual([]);
  });

  it('understands times with an offset', async () => {
    const { body } = await client.get(path);
    const row = body.data.find(({ title }: { title: string }) => title === 'Request 7');
    const shifted = new Date(Date.parse(row.created_at) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    expect((await pages(`created_from=${encodeURIComponent(shifted)}&status=sent`)).flat()).toContain(
      'Request 7',
    );
  });

  it.each([
    ['status=done', 'invalid_status'],
    ['limit=0', 'invalid_limit'],
    ['limit=101', 'invalid_limit'],
    ['limit=ten', 'invalid_limit'],
    ['created_from=yesterday', 'invalid_date'],
    ['cursor=abc', 'invalid_cursor'],
    ['status=sent&status=opened', 'invalid_request'],
  ])('refuses %s', async (query, code) => {
    const answer = await client.get(`${path}?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, code]);
    expect(answer.body.message).toContain(query.split('=')[0]);
  });

  it('takes a cursor only with the filters, the owner and the mode that it was made for', async () => {
    const { body } = await client.get(`${path}?limit=2&status=sent`);
    const cursor = encodeURIComponent(body.next_cursor);
    const stranger = await service.client();
    for (const answer of [
      await client.get(`${path}?limit=2&cursor=${cursor}`),
      await client.get(`${path}?limit=2&status=cancelled&cursor=${cursor}`),
      await stranger.get(`${path}?limit=2&status=sent&cursor=${cursor}`),
      await client.get(`${path}?limit=2&status=sent&cursor=${cursor.slice(0, -2)}AA`),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_cursor']);
    }
    expect((await client.get(`${path}?limit=5&status=sent&cursor=${cursor}`)).status).toBe(200);
  });

  it('costs two round trips a page, and so does a get', async () => {
    await client.get(path);
    const { body } = await client.get(path);
    expect(await service.callsOf('list-signatures', () => client.get(`${path}?status=sent`))).toHaveLength(2);
    await client.get(`${path}/${body.data[0].id}`);
    expect(
      await service.callsOf('get-signature', () => client.get(`${path}/${body.data[0].id}`)),
    ).toHaveLength(2);
  });
});
