import { createServer } from 'node:http';
import { SECURITY } from '../support/edge-headers.ts';
import { listenHere, originOf } from '../support/loopback.ts';
import { first } from '../support/signing-stage.ts';
import { DESKTOP } from './browser.ts';
import { hostilePdf } from './pdfs.ts';
import { serviceSetup, takeScreenshot, toDocument, toSigning, type Visitor } from './service-setup.ts';
import { clickLinksAndButtons, recordUnwantedEffects } from './unwanted-effects.ts';

/** Attacks by a sender on a signer, and the headers against them, over the whole service. */

const setup = serviceSetup();
const TIMEOUT_MS = 120_000;

const SCRIPT = '<img src=x onerror="window.harmed=true"><script>window.harmed=true</script>';

async function expectUnharmed({ tab }: Visitor) {
  expect(await tab.page.evaluate(() => 'harmed' in window)).toBe(false);
  expect(await tab.page.locator('a, img, iframe, body script').count()).toBe(0);
  expect(tab.errors).toEqual([]);
}

it(
  'the texts of a sender are plain text, without links and scripts',
  async () => {
    const request = await setup.stage.send(1, {
      title: `Title ${SCRIPT}`,
      message: `Message ${SCRIPT}\nhttps://evil.example/ [click](javascript:alert(1))`,
      signers: [{ email: 'hostile@example.com', name: `Signer ${SCRIPT}` }],
      document: {
        filename: 'File <img src=x onerror=harmed=1>.pdf',
        content_base64: setup.stage.pdf.toString('base64'),
      },
    });
    const visitor = await setup.openMail(first(request.signers));
    const { signer, tab } = visitor;
    await toDocument(visitor);
    await tab.page.locator('.letter summary').click();
    const shown = (await tab.page.locator('main').textContent()) ?? '';
    for (const words of ['Title', 'Message', 'Signer']) expect(shown).toContain(`${words} ${SCRIPT}`);
    expect(shown).toContain('File <img src=x onerror=harmed=1>.pdf');
    await takeScreenshot(visitor, 'hostile-words-2');
    await expectUnharmed(visitor);
    await signer.toSign();
    await takeScreenshot(visitor, 'hostile-words-3');
    await signer.agree();
    await signer.sign();
    await signer.seesText(signer.texts.done.sealed);
    await takeScreenshot(visitor, 'hostile-words-4');
    await expectUnharmed(visitor);
  },
  TIMEOUT_MS,
);

it(
  'a mail with hostile texts runs nothing and loads nothing in a browser',
  async () => {
    const [mail] = setup.stage.service.mails('hostile@example.com').slice(-1);
    if (!mail) throw new Error('The mail of the test before is missing.');
    const visitor = await setup.openMail(first((await setup.stage.send()).signers), 'en', DESKTOP);
    const { page } = visitor.tab;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(mail.html);
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
    expect(await page.locator('img, script, iframe, form').count()).toBe(0);
    const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(new Set(links).size).toBe(1);
    expect(links[0]).toMatch(new RegExp(`^${setup.stage.service.baseUrl}/sign/`));
    expect(asked).toEqual([]);
    await takeScreenshot(visitor, 'hostile-words-mail');
  },
  TIMEOUT_MS,
);

it(
  'a document with scripts and launch actions reaches no signer',
  async () => {
    const pdf = Buffer.from(await hostilePdf());
    const sending = setup.stage.send(1, { document: { content_base64: pdf.toString('base64') } });
    await expect(sending).rejects.toThrow('pdf_active_content');
  },
  TIMEOUT_MS,
);

it(
  'a document with links and huge pages is shown, and clicking in it opens nothing',
  async () => {
    const pdf = Buffer.from(await hostilePdf({ active: false }));
    const request = await setup.stage.send(1, {
      document: { filename: 'harmless.pdf', content_base64: pdf.toString('base64') },
    });
    const visitor = await setup.openMail(first(request.signers), 'en', DESKTOP);
    const { signer, tab, link } = visitor;
    const { page } = tab;
    const effects = recordUnwantedEffects(page, setup.stage.service.baseUrl);
    await toDocument(visitor);
    await takeScreenshot(visitor, 'hostile-document-2');
    await clickLinksAndButtons(page);
    await signer.toSign();
    expect(page.url()).toBe(link);
    await signer.agree();
    await signer.sign();
    await signer.seesText(signer.texts.done.sealed);
    expect(effects).toEqual([]);
    expect(tab.errors).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'before the code, the page and its storage hold nothing about the document, the sender or the signer',
  async () => {
    const request = await setup.stage.send(1, { title: 'Lease of Kotilinna' });
    const visitor = await setup.openMail(first(request.signers));
    const { signer, tab, link, person } = visitor;
    const addresses: string[] = [];
    tab.page.on('request', (sent) => addresses.push(sent.url()));
    await signer.open(link);
    const everything = await tab.page.evaluate(() =>
      [document.documentElement.outerHTML, JSON.stringify({ ...localStorage, ...sessionStorage })].join(),
    );
    for (const secret of ['Kotilinna', 'Acme', person.name, person.email, 'contract.pdf'])
      expect(everything).not.toContain(secret);
    // The token is in the address of the page only, not in those of its requests.
    expect(addresses.filter((address) => address.includes(person.access_token))).toEqual([link]);
    const cookies = await tab.page.context().cookies();
    expect(cookies).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'scripts cannot read the session cookie',
  async () => {
    const visitor = await setup.openMail(first((await setup.stage.send()).signers));
    await toSigning(visitor);
    const { page } = visitor.tab;
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const [cookie, ...more] = await page
      .context()
      .cookies(`${setup.stage.service.baseUrl}/api/signing/v1/open`);
    expect(more).toEqual([]);
    expect(cookie).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/api/signing/v1',
    });
    expect((cookie?.expires ?? 0) - Date.now() / 1_000).toBeLessThanOrEqual(30 * 60);
  },
  TIMEOUT_MS,
);

it(
  'another site cannot show the signing page in a frame',
  async () => {
    const visitor = await setup.openMail(first((await setup.stage.send()).signers), 'en', DESKTOP);
    const { page } = visitor.tab;
    const site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(`<iframe src="${visitor.link}"></iframe>`),
    );
    await listenHere(site);
    const refused: (string | undefined)[][] = [];
    page.on('requestfailed', (failed) => refused.push([failed.url(), failed.failure()?.errorText]));
    await page.goto(`${originOf(site)}/`);
    site.close();
    const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
    // The browser shows its own error page instead.
    expect(frame?.url()).toBe('chrome-error://chromewebdata/');
    expect(refused).toEqual([[visitor.link, 'net::ERR_BLOCKED_BY_RESPONSE']]);
    expect(await setup.stage.trail(await requestOf(visitor), 'link_opened')).toEqual([]);
  },
  TIMEOUT_MS,
);

const requestOf = async ({ person }: Visitor): Promise<string> => {
  const { body } = await setup.stage.client.get('/api/v1/signatures?limit=1');
  const [{ id }] = body.data;
  expect((await setup.stage.get(id)).signers[0].id).toBe(person.id);
  return id;
};

describe('headers', () => {
  const fetched = async (path: string) => {
    const response = await fetch(`${setup.stage.service.baseUrl}${path}`);
    return { text: await response.text(), status: response.status, ...Object.fromEntries(response.headers) };
  };
  const policyOf = (header: string | undefined) =>
    new Map(
      (header ?? '').split('; ').map((directive): [string, string] => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values.join(' ')];
      }),
    );

  it('the page and its files forbid foreign and inline content, and browsers cache the files for good', async () => {
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

  it('API answers allow no content to load and no caching', async () => {
    for (const path of ['/api/signing/v1/request', '/api/v1/signatures', '/api/nothing']) {
      expect({ path, ...(await fetched(path)) }).toMatchObject({
        path,
        ...SECURITY,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': expect.stringContaining('no-store'),
      });
    }
  });

  it('an answer for an unknown path has the security headers', async () => {
    for (const path of ['/sign', '/docs/nothing', '/sign/assets/nothing.js', '/index.html', '/sign/a/b']) {
      const answer = await fetched(path);
      expect({ path, ...answer }).toMatchObject({ path, ...SECURITY });
      expect([path, answer.status >= 400]).toEqual([path, true]);
    }
  });
});
