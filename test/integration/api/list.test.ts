/** @behaviour api-gateway.proxy-event */

import { listSignatures } from '../../../shared/contract/signatures.ts';
import { SECOND } from '../../../shared/runtime/time.ts';
import { makePdf } from '../../support/pdf.ts';
import { type ApiClient, Service } from '../../support/service.ts';

let service: Service;
let client: ApiClient & { ownerId: string };
let pdf: string;

const PATH = '/api/v1/signatures';
const create = async (owner: ApiClient, title: string) => {
  const { body } = await owner.post(PATH, {
    title,
    signers: [{ email: 'ann@example.com' }],
    document: { content_base64: pdf },
  });
  service.advance(SECOND);
  return body.id as string;
};
const titles = (body: { data: { title: string }[] }) => body.data.map(({ title }) => title);

/** Returns the titles of all pages. */
async function pages(query: string, between?: () => Promise<unknown>): Promise<string[][]> {
  const result: string[][] = [];
  let cursor = '';
  for (;;) {
    const { status, body } = await client.get(
      `${PATH}?${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(status).toBe(200);
    expect(listSignatures.answer.parse(body)).toEqual(body);
    result.push(titles(body));
    expect(body.has_more).toBe(body.next_cursor !== null);
    if (!body.next_cursor) return result;
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
    if (n % 2 === 0) await client.post(`${PATH}/${id}/cancel`);
  }
});
afterAll(() => service?.stop());

describe('list', () => {
  it('the list shows the newest requests first', async () => {
    const { body } = await client.get(PATH);
    expect(titles(body)).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `Request ${n}`));
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('paging shows each request once, even if new ones are created meanwhile', async () => {
    const result = await pages('limit=3', () => create(client, 'New'));
    expect(result.flat()).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `Request ${n}`));
    expect(result.map((page) => page.length)).toEqual([3, 3, 1]);
  });

  it('a status filter returns full pages', async () => {
    expect(await pages('status=cancelled&limit=2')).toEqual([['Request 6', 'Request 4'], ['Request 2']]);
  });

  it('the list filters by creation time, alone and with a status', async () => {
    const { body } = await client.get(PATH);
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

  it('a time filter accepts an offset', async () => {
    const { body } = await client.get(PATH);
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
  ])('the list refuses %s', async (query, code) => {
    const answer = await client.get(`${PATH}?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, code]);
    expect(answer.body.message).toContain(query.split('=')[0]);
  });

  it('a cursor is valid only for its own filters and owner', async () => {
    const { body } = await client.get(`${PATH}?limit=2&status=sent`);
    const cursor = encodeURIComponent(body.next_cursor);
    const stranger = await service.client();
    for (const answer of [
      await client.get(`${PATH}?limit=2&cursor=${cursor}`),
      await client.get(`${PATH}?limit=2&status=cancelled&cursor=${cursor}`),
      await stranger.get(`${PATH}?limit=2&status=sent&cursor=${cursor}`),
      await client.get(`${PATH}?limit=2&status=sent&cursor=${cursor.slice(0, -2)}AA`),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_cursor']);
    }
    expect((await client.get(`${PATH}?limit=5&status=sent&cursor=${cursor}`)).status).toBe(200);
  });

  it('requests are found by title, signer and reference, a page at a time and with other filters', async () => {
    const owner = await service.client();
    for (const [n, name] of ['ann', 'bob', 'ann'].entries())
      await owner.post(PATH, {
        title: `Lease ${n}`,
        reference: `flat ${n % 2}`,
        signers: [{ email: `${name}@example.com` }],
        document: { content_base64: pdf },
      });
    const find = async (query: string) => {
      const { status, body } = await owner.get(`${PATH}?${query}`);
      expect(status).toBe(200);
      expect(listSignatures.answer.parse(body)).toEqual(body);
      return body;
    };
    const found = async (query: string) => titles(await find(query)).sort();
    expect(await found('title_prefix=LEASE')).toEqual(['Lease 0', 'Lease 1', 'Lease 2']);
    expect(await found('title_prefix=lease%202')).toEqual(['Lease 2']);
    expect(await found('signer_email=Ann%40example.com')).toEqual(['Lease 0', 'Lease 2']);
    expect(await found('reference=flat%200&status=sent')).toEqual(['Lease 0', 'Lease 2']);
    expect(await found('reference=flat%200&status=signed')).toEqual([]);
    const first = await find('title_prefix=lease&limit=2');
    expect([titles(first), first.has_more]).toEqual([['Lease 0', 'Lease 1'], true]);
    expect(await found(`title_prefix=lease&limit=2&cursor=${first.next_cursor}`)).toEqual(['Lease 2']);
    const { status, body } = await owner.get(`${PATH}?title_prefix=leas&cursor=${first.next_cursor}`);
    expect([status, body.error]).toEqual([400, 'invalid_cursor']);
  });

  it('two ways of searching at once are refused, naming both', async () => {
    const { status, body } = await client.get(`${PATH}?reference=a&title_prefix=b`);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.message).toContain('reference and title_prefix');
  });

  it('a list page takes three AWS calls, and a get two', async () => {
    await client.get(PATH);
    const { body } = await client.get(PATH);
    expect(await service.callsOf('list-signatures', () => client.get(`${PATH}?status=sent`))).toHaveLength(3);
    await client.get(`${PATH}/${body.data[0].id}`);
    expect(
      await service.callsOf('get-signature', () => client.get(`${PATH}/${body.data[0].id}`)),
    ).toHaveLength(2);
  });
});
