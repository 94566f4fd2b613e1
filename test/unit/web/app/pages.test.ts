import type { SignatureRequestSummary } from '../../../../client/src/types.ts';
import { refreshedFirst, refreshedLater } from '../../../../web/app/list/pages.ts';

/** Requests by the minute of their creation; a higher one is newer. */
const request = (
  minute: number,
  status: SignatureRequestSummary['status'] = 'sent',
): SignatureRequestSummary => ({
  id: `id-${minute}`,
  status,
  title: 'Lease',
  reference: null,
  signer_count: 1,
  created_at: `2026-11-22T10:${String(minute).padStart(2, '0')}:00.000Z`,
  sent_at: null,
  signed_at: null,
  cancelled_at: null,
  expires_at: '2026-12-22T10:00:00.000Z',
  is_expired: false,
  test: false,
});
const page = (...minutes: number[]) => ({ cursor: null, items: minutes.map((minute) => request(minute)) });
const ids = (refreshed: { items: readonly { id: string }[] } | null) => refreshed?.items.map(({ id }) => id);

describe('the first page of the list, asked for again', () => {
  it('new requests come on top, and those that they push off the answer stay', () => {
    const fresh = [request(9), request(5), request(4)];
    expect(ids(refreshedFirst(page(5, 4, 3), fresh))).toEqual(['id-9', 'id-5', 'id-4', 'id-3']);
  });

  it('a changed status replaces the old one', () => {
    const refreshed = refreshedFirst(page(5, 4), [request(5, 'signed'), request(4)]);
    expect(refreshed?.items.map(({ status }) => status)).toEqual(['signed', 'sent']);
  });

  it('a request that no longer fits the filter goes', () => {
    expect(ids(refreshedFirst(page(5, 4, 3), [request(5), request(3)]))).toEqual(['id-5', 'id-3']);
  });

  it('the list begins anew if nothing of the old page is left', () => {
    expect(refreshedFirst(page(3, 2), [request(9), request(8)])).toBeNull();
  });

  it('an empty answer empties it', () => {
    expect(ids(refreshedFirst(page(3), []))).toEqual([]);
  });
});

it('a later page leaves out what the next page shows', () => {
  const refreshed = refreshedLater(page(5, 4), [request(5), request(3)], page(3, 2));
  expect(ids(refreshed)).toEqual(['id-5']);
});
