import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SECURITY } from '../support/edge-headers.ts';
import { first } from '../support/signing-stage.ts';
import { DESKTOP } from './browser.ts';
import { clickItsTraps, watchForStrangeness } from './hostile-document.ts';
import { hostilePdf } from './pdfs.ts';
import { look, realStage, toDocument, toSigning, type Visitor } from './real-stage.ts';

/** What a sender could try on a signer, and what the browser is told against it, over the whole service. */

const at = realStage();
const LONG = 120_000;

const SCRIPT = '<img src=x onerror="window.harmed=true"><script>window.harmed=true</script>';

async function unharmed({ visit }: Visitor) {
  expect(await visit.page.evaluate(() => 'harmed' in window)).toBe(false);
  expect(await visit.page.locator('a, img, iframe, body script').count()).toBe(0);
  expect(visit.complaints).toEqual([]);
}

it(
  'a sender’s words are shown as words, and lead nowhere',
  async () => {
    const request = await at.stage.send(1, {
      title: `Title ${SCRIPT}`,
      message: `Message ${SCRIPT}\nhttps://evil.example/ [click](javascript:alert(1))`,
      signers: [{ email: 'hostile@example.com', name: `Signer ${SCRIPT}` }],
      document: {
        filename: 'File <img src=x onerror=harmed=1>.pdf',
        content_base64: at.stage.pdf.toString('base64'),
      },
    });
    const visitor = await at.receive(first(request.signers));
    const { signer, visit } = visitor;
    await toDocument(visitor);
    await visit.page.locator('summary').click();
    const shown = (await visit.page.locator('main').textContent()) ?? '';
    for (const words of ['Title', 'Message', 'Signer']) expect(shown).toContain(`${words} ${SCRIPT}`);
    expect(shown).toContain('File <img src=x onerror=harmed=1>.pdf');
    await look(visitor, 'hostile-words-2');
    await unharmed(visitor);
    await signer.toSign();
    await look(visitor, 'hostile-words-3');
    await signer.agree();
    await signer.sign();
    await signer.seesText(signer.texts.done.sealed);
    await look(visitor, 'hostile-words-4');
    await unharmed(visitor);
  },
  LONG,
);

it(
  'the mails that carry those words run and load nothing in a browser',
  async () => {
    const [mail] = at.stage.service.mails('hostile@example.com').slice(-1);
    if (!mail) throw new Error('The mail of the test before is missing.');
    const visitor = await at.receive(first((await at.stage.send()).signers), 'en', DESKTOP);
    const { page } = visitor.visit;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(mail.html);
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    expect(await page.locator('img, script, iframe, form').count()).toBe(0);
    const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(new Set(links).size).toBe(1);
    expect(links[0]).toMatch(new RegExp(`^${at.stage.service.baseUrl}/sign/`));
    expect(asked).toEqual([]);
    await look(visitor, 'hostile-words-mail');
  },
  LONG,
);

it(
  'a document with scripts, launch actions and huge pages is shown without doing what it asks',
  async () => {
    const pdf = Buffer.from(await hostilePdf());
    const request = await at.stage.send(1, {
      document: { filename: 'harmless.pdf', content_base64: pdf.toString('base64') },
    });
    const visitor = await at.receive(first(request.signers), 'en', DESKTOP);
    const { signer, visit, link } = visitor;
    const { page } = visit;
    const strange = watchForStrangeness(page, at.stage.service.baseUrl);
    await toDocument(visitor);
    await look(visitor, 'hostile-document-2');
    await clickItsTraps(page);
    await signer.toSign();
    expect(page.url()).toBe(link);
    await signer.agree();
    await signer.sign();
    await signer.seesText(signer.texts.done.sealed);
    expect(strange).toEqual([]);
    expect(visit.complaints).toEqual([]);
  },
  LONG,
);

it(
  'nothing of the document, the sender or the signer is in the page, its address or its storage before the code',
  async () => {
    const request = await at.stage.send(1, { title: 'Lease of Kotilinna' });
    const visitor = await at.receive(first(request.signers));
    const { signer, visit, link, person } = visitor;
    const addresses: string[] = [];
    visit.page.on('request', (sent) => addresses.push(sent.url()));
    await signer.open(link);
    const everything = await visit.page.evaluate(() =>
      [document.documentElement.outerHTML, JSON.stringify({ ...localStorage, ...sessionStorage })].join(),
    );
    for (const secret of ['Kotilinna', 'Acme', person.name, person.email, 'contract.pdf'])
      expect(everything).not.toContain(secret);
    // The token stands in the address of the page itself, and in that of nothing that it fetches.
    expect(addresses.filter((address) => address.includes(person.access_token))).toEqual([link]);
    const cookies = await visit.page.context().cookies();
    expect(cookies).toEqual([]);
  },
  LONG,
);

it(
  'the session’s cookie is one that no script of the page sees',
  async () => {
    const visitor = await at.receive(first((await at.stage.send()).signers));
    await toSigning(visitor);
    const { page } = visitor.visit;
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const [cookie, ...more] = await page.context().cookies(`${at.stage.service.baseUrl}/api/signing/v1/open`);
    expect(more).toEqual([]);
    expect(cookie).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/api/signing/v1',
    });
    expect((cookie?.expires ?? 0) - Date.now() / 1_000).toBeLessThanOrEqual(30 * 60);
  },
  LONG,
);

it(
  'a page of another site cannot put the signing page in a frame',
  async () => {
    const visitor = await at.receive(first((await at.stage.send()).signers), 'en', DESKTOP);
    const { page } = visitor.visit;
    const site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(`<iframe src="${visitor.link}"></iframe>`),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const refused: (string | undefined)[][] = [];
    page.on('requestfailed', (failed) => refused.push([failed.url(), failed.failure()?.errorText]));
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    site.close();
    const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
    // The browser's own error page stands there instead.
    expect(frame?.url()).toBe('chrome-error://chromewebdata/');
    expect(refused).toEqual([[visitor.link, 'net::ERR_BLOCKED_BY_RESPONSE']]);
    expect(await at.stage.trail(await requestOf(visitor), 'link_opened')).toEqual([]);
  },
  LONG,
);

const requestOf = async ({ person }: Visitor): Promise<string> => {
  const { body } = await at.stage.client.get('/api/v1/signatures?limit=1');
  const [{ id }] = body.data;
  expect((await at.stage.get(id)).signers[0].id).toBe(person.id);
  return id;
};

describe('the headers', () => {
  const fetched = async (path: string) => {
    const response = await fetch(`${at.stage.service.baseUrl}${path}`);
    return { text: await response.text(), status: response.status, ...Object.fromEntries(response.headers) };
  };
  const policyOf = (header: string | undefined) =>
    new Map(
      (header ?? '').split('; ').map((directive): [string, string] => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values.join(' ')];
      }),
    );

  it('of the page and its files forbid what is foreign or inline, and the files are kept for good', async () => {
    const page: Record<string, unknown> & { text: string } = await fetched('/sign/anything');
    const files = [...page.text.matchAll(/(?:src|href)="(\/sign\/assets\/[^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(files.some((path) => path.endsWith('.js'))).toBe(true);
    expect(files.some((path) => path.endsWith('.css'))).toBe(true);
    expect(page).toMatchObject({ ...SECURITY, status: 200, 'cache-control': 'no-cache' });
    expect(page.text).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|style=/);
    for (const path of files) {
      const file: Record<string, unknown> = await fetched(path);
      expect({ path, ...file }).toMatchObject({
        path,
        ...SECURITY,
        status: 200,
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(file['content-security-policy']).toBe(page['content-security-policy']);
    }
    const policy = policyOf(String(page['content-security-policy']));
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe("'self' 'wasm-unsafe-eval'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect(policy.get('form-action')).toBe("'none'");
    for (const name of ['style-src', 'img-src', 'font-src', 'connect-src', 'worker-src'])
      expect([name, policy.get(name)]).toEqual([name, "'self'"]);
  });

  it('of the API allow nothing at all, and to keep nothing', async () => {
    for (const path of ['/api/signing/v1/request', '/api/v1/signatures', '/api/nothing']) {
      expect({ path, ...(await fetched(path)) }).toMatchObject({
        path,
        ...SECURITY,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': expect.stringContaining('no-store'),
      });
    }
  });

  it('stand on what is not there, too', async () => {
    for (const path of ['/', '/sign', '/sign/assets/nothing.js', '/index.html', '/sign/a/b']) {
      const answer = await fetched(path);
      expect({ path, ...answer }).toMatchObject({ path, ...SECURITY });
      expect([path, answer.status >= 400]).toEqual([path, true]);
    }
  });
});
