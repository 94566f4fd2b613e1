import { ApiError } from '../../../web/signing/api.ts';
import type { Copy } from '../../../web/signing/contract.ts';
import { CopyController } from '../../../web/signing/copy/copy.ts';

const COPY = {
  title: 'Lease\u202e',
  sender_name: 'Acme',
  filename: 'lease.pdf',
  locale: 'fi',
  available_until: '2026-12-21T10:00:00.000Z',
  evidence: true,
} as Copy;

/** The page of a copy, over a service whose downloads end when the test says so. */
function stage({ isReload = false, copy = COPY } = {}) {
  const saved: string[] = [];
  const asked: string[] = [];
  const { promise: bytes, resolve: arrive, reject: fail } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const api = {
    json: async <T>() => copy as T,
    bytes: (path: string) => {
      asked.push(path);
      return bytes;
    },
  };
  const browser = {
    savePdf: (_: unknown, name: string) => void saved.push(name),
    openedBefore: () => isReload,
  };
  const page = new CopyController(api, browser, () => undefined);
  return { page, saved, asked, arrive: () => arrive(new Uint8Array()), fail };
}

it('the mail’s link starts the download, and the title is shown without invisible characters', async () => {
  const { page, saved, arrive } = stage();
  arrive();
  await page.start();
  expect(page.shown).toMatchObject({ screen: 'copy', copy: { title: 'Lease', sender_name: 'Acme' } });
  expect([saved, page.downloaded, page.locale]).toEqual([['lease-signed.pdf'], true, 'fi']);
});

it('the start of each download is announced', async () => {
  const { page, arrive } = stage();
  arrive();
  await page.start();
  const saving = page.save('evidence');
  expect(page.downloaded).toBe(false);
  await saving;
  expect(page.downloaded).toBe(true);
});

it('a copy in a language that this page does not have yet keeps the browser’s language', async () => {
  const { page, arrive } = stage({ copy: { ...COPY, locale: 'xx' } as unknown as Copy });
  arrive();
  await page.start();
  expect([page.shown.screen, page.locale]).toEqual(['copy', null]);
});

it('a reload starts no download', async () => {
  const { page, asked } = stage({ isReload: true });
  await page.start();
  expect(asked).toEqual([]);
});

it('a second click during a download starts no second download', async () => {
  const { page, asked, arrive } = stage({ isReload: true });
  await page.start();
  const first = page.save('document');
  await page.save('evidence');
  arrive();
  await first;
  expect(asked).toEqual(['/sealed-document']);
});

it('a download that fails can be tried again, and one of a purged document says when it was removed', async () => {
  const failing = stage({ isReload: true });
  await failing.page.start();
  failing.fail(new ApiError(500, { error: 'internal_error' }, null));
  await failing.page.save('document');
  expect([failing.page.failed, failing.page.shown.screen]).toEqual([true, 'copy']);
  const purged = stage({ isReload: true });
  await purged.page.start();
  const at = '2026-11-28T12:00:00.000Z';
  purged.fail(new ApiError(410, { error: 'document_purged', purged_at: at }, null));
  await purged.page.save('document');
  expect(purged.page.shown).toEqual({ screen: 'document_purged', at });
});
