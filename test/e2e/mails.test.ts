import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { MailBrand } from '../../shared/mail/brand.ts';
import type { MailContent } from '../../shared/mail/mailer.ts';
import {
  type CodeMailInput,
  renderCode,
  renderInvitation,
  renderReminder,
  renderResend,
  renderSealed,
  renderSenderNotice,
  renderSignerNotice,
  type SealedInput,
} from '../../shared/mail/render.ts';
import { LOCALES, MAIL_TEXTS } from '../../shared/texts/languages.ts';
import { someOf } from '../support/thorough.ts';
import { accessibilityFindings, launchBrowser, openTab, screenshot, WCAG } from './browser.ts';

/** Every mail as a mail program with a browser's engine shows it. The pictures are for people to look at. */

const WIDTHS = [320, 600] as const;
const SCHEMES = ['light', 'dark'] as const;
const FILES = join(import.meta.dirname, '../../artifacts/e2e/mails');

type Input = CodeMailInput & SealedInput;

const plain: Input = {
  locale: 'en',
  senderName: 'Nordic Housing Oy',
  brand: undefined,
  title: 'Lease agreement',
  message: 'Hello Anna,\n\nplease sign by Friday.',
  signerName: 'Anna Virtanen',
  signUrl: `https://sign.example.com/sign/${'AbC-_123'.repeat(5)}`,
  copyUrl: `https://sign.example.com/sign/copy#${'AbC-_123'.repeat(5)}`,
  code: '042917',
  codeExpiresAt: '2026-11-21T14:05:00.000Z',
  expiresAt: '2026-12-21T23:55:00.000Z',
  availableUntil: '2026-12-01T09:30:00.000Z',
  sentAt: '2026-11-21T13:55:00.000Z',
  test: false,
};

const brand: MailBrand = {
  name: 'Kotilinna Vuokra-asunnot',
  accent: '#7a1f3d',
  replyTo: 'office@example.com',
  imprintUrl: 'https://example.com/imprint',
  privacyUrl: 'https://example.com/privacy',
  supportUrl: 'https://example.com/help',
  timeZone: 'Europe/Helsinki',
};

const HOSTILE = `</p><img src=x onerror=alert(1)><style>*{display:none}</style>\u202e\u2067evil.example\r\nBcc: a@evil.example ${'Ä̈̈̈̈̈'.repeat(9)}`;
const LONG = `${'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(9)} ${'👩‍💻'.repeat(90)} שלום עולם`;

/** Subjects of the mails: an ordinary request, one of a brand in test mode, and two that nobody sane would send. */
const SCENES: Record<string, Partial<Input>> = {
  plain: {},
  brand: { brand, test: true },
  hostile: {
    senderName: HOSTILE,
    title: HOSTILE,
    message: HOSTILE,
    signerName: HOSTILE,
    brand: { ...brand, name: HOSTILE },
  },
  long: {
    senderName: LONG,
    title: LONG,
    message: `${LONG}\n`.repeat(5),
    signerName: LONG,
    brand: { ...brand, name: null },
  },
};

const REQUEST_ID = '8d5b2a52-6e0f-4f0d-9a50-0f8d3a1f7f10';
const REQUEST_URL = `https://sign.example.com/app/requests/${REQUEST_ID}`;
const person = (name: string) => ({ name, email: `${'anna'.repeat(15)}@example.com` });
const KINDS: Record<string, (input: Input) => MailContent> = {
  invitation: renderInvitation,
  resend: renderResend,
  code: renderCode,
  reminder: renderReminder,
  sealed: renderSealed,
  cancelled: (input) => renderSignerNotice({ ...input, reason: 'cancelled' }),
  declined: ({ signerName, ...input }) =>
    renderSenderNotice({
      ...input,
      reason: 'declined',
      requestId: REQUEST_ID,
      requestUrl: REQUEST_URL,
      about: [person(signerName)],
      declineReason: input.message,
      awaitsInvitation: false,
      availableUntil: null,
    }),
};
const LINKED: readonly string[] = ['invitation', 'resend', 'code', 'reminder', 'sealed', 'declined'];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The widths of hostile and long texts differ little between languages. */
const languagesOf = (scene: string) =>
  scene === 'hostile' || scene === 'long' ? (['de', 'fi'] as const) : LOCALES;

const CASES = Object.keys(SCENES).flatMap((scene) =>
  languagesOf(scene).flatMap((locale) => SCHEMES.map((scheme) => ({ locale, scene, scheme }))),
);

it.each(someOf(CASES, 3))(
  'every mail fits its window, can be read and has its address in sight: $locale, $scene, $scheme',
  async ({ locale, scene, scheme }) => {
    const tab = await openTab(browser, { colorScheme: scheme, viewport: { width: 600, height: 900 } });
    const { page } = tab;
    try {
      for (const [kind, render] of Object.entries(KINDS)) {
        const input = { ...plain, ...SCENES[scene], locale };
        const mail = render(input);
        await page.setContent(mail.html);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const where = { kind, width };
          expect({
            ...where,
            tooWide: await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
          }).toEqual({ ...where, tooWide: 0 });
          await screenshot(page, `mails/${kind}-${locale}-${scene}-${scheme}-${width}`, true);
        }
        expect({ kind, findings: await accessibilityFindings(page, WCAG) }).toEqual({ kind, findings: [] });
        expect(await page.locator('img, script, iframe, form').count()).toBe(0);
        if (LINKED.includes(kind)) {
          const url = { sealed: input.copyUrl, declined: REQUEST_URL }[kind] ?? input.signUrl;
          expect(await page.getByText(url, { exact: true }).isVisible()).toBe(true);
          expect(await page.getByText(MAIL_TEXTS[locale].linkBelow).isVisible()).toBe(true);
        }
        expect(mail.subject).not.toMatch(/[\r\n\u202a-\u202e\u2066-\u2069]/);
        expect(mail.text).not.toMatch(/[\u202a-\u202e\u2066\u2067]/);
        mkdirSync(FILES, { recursive: true });
        writeFileSync(join(FILES, `${kind}-${locale}-${scene}.txt`), `${mail.subject}\n\n${mail.text}`);
      }
      expect(tab.errors).toEqual([]);
    } finally {
      await tab.close();
    }
  },
);

/** As Gmail, Outlook.com and Yahoo rewrite mails, by caniemail.com. */
const filtered = (html: string) =>
  html.replace(/<style>[\s\S]*<\/style>/, '').replace(/(?:overflow-wrap|mso-[a-z-]+):[^;"]*;?/g, '');

it.each(LOCALES)(
  'a mail of which a mail program drops what it does not know fits a phone: %s',
  async (locale) => {
    const { page, close } = await openTab(browser, { viewport: { width: 320, height: 900 } });
    try {
      for (const [kind, render] of Object.entries(KINDS)) {
        await page.setContent(filtered(render({ ...plain, brand, locale }).html));
        await screenshot(page, `mails/${kind}-${locale}-filtered-320`, true);
        expect({ kind, width: await page.evaluate(() => document.documentElement.scrollWidth) }).toEqual({
          kind,
          width: 320,
        });
      }
    } finally {
      await close();
    }
  },
);

it('each line of a message runs in the direction of its own language', async () => {
  const { page, close } = await openTab(browser);
  try {
    await page.setContent(renderInvitation({ ...plain, message: 'שלום אנה.\nPlease sign page 3.' }).html);
    const places = await page.getByText('Please sign page 3.').evaluate((quotation) => {
      const leftOf = (text: Node, at: number) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      };
      return [...quotation.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map((text) => ({
          first: leftOf(text, 0),
          stop: leftOf(text, (text.textContent ?? '').length - 1),
        }));
    });
    expect(places.map(({ first, stop }) => (first < stop ? 'left to right' : 'right to left'))).toEqual([
      'right to left',
      'left to right',
    ]);
  } finally {
    await close();
  }
});
