import fc from 'fast-check';
import { LOCALES } from '../../../shared/contract/fields.ts';
import type { MailContent } from '../../../shared/mail/mailer.ts';
import {
  type CodeMailInput,
  renderCode,
  renderInvitation,
  renderReminder,
  renderResend,
  renderSealed,
  type SealedInput,
} from '../../../shared/mail/render.ts';

const input: CodeMailInput & SealedInput = {
  locale: 'en',
  senderName: 'Nordic Housing Oy',
  title: 'Lease agreement',
  message: 'Please sign by Friday.',
  signerName: 'Anna Virtanen',
  signUrl: 'https://sign.example.com/sign/AbC-_123',
  code: '042917',
  codeExpiresAt: '2026-11-21T14:05:00.000Z',
  expiresAt: '2026-12-21T13:55:00.000Z',
  availableUntil: '2026-12-01T09:30:00.000Z',
  test: false,
};

const KINDS: Record<string, (given: typeof input) => MailContent> = {
  invitation: renderInvitation,
  resend: renderResend,
  'code on request': renderCode,
  reminder: renderReminder,
  'sealed notice': renderSealed,
};
const kinds = Object.entries(KINDS);
const withCode = kinds.filter(([name]) => !['reminder', 'sealed notice'].includes(name));
const all = kinds.flatMap(([name, render]) => LOCALES.map((locale) => ({ name, render, locale })));

/** The text of the HTML, as a reader gets it. */
const shown = (html: string) =>
  html
    .slice(html.indexOf('<body'))
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const linksIn = (html: string) => [...html.matchAll(/<a\b[^>]*href="([^"]*)"/g)].map(([, url]) => url);

describe('a mail', () => {
  it.each(all)('holds one link, to the page, in both parts: $name, $locale', ({ render, locale }) => {
    const mail = render({ ...input, locale });
    expect(linksIn(mail.html)).toEqual([input.signUrl]);
    expect(mail.text.split('\n').filter((line) => /https?:/.test(line))).toEqual([input.signUrl]);
  });

  it.each(all)('names its language, sender and document: $name, $locale', ({ render, locale }) => {
    const mail = render({ ...input, locale });
    expect(mail.html).toContain(`<html lang="${locale}">`);
    for (const part of [mail.text, shown(mail.html)]) {
      expect(part).toContain('Nordic Housing Oy');
      expect(part).toContain('Lease agreement');
      expect(part).toContain('Anna Virtanen');
    }
    expect(mail.subject).toContain('Lease agreement');
    expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/\b(undefined|null)\b|\[object/);
  });

  it.each(all)('fetches nothing and runs nothing: $name, $locale', ({ render, locale }) => {
    expect(render({ ...input, locale }).html).not.toMatch(/<(img|script|link|iframe|table)\b|url\(|@import/i);
  });

  it.each(withCode)(
    'shows the code once, as plain digits that no other number resembles: %s',
    (_, render) => {
      const mail = render(input);
      expect(mail.text.match(/\b\d{6}\b/g)).toEqual(['042917']);
      expect(mail.html.match(/\b\d{6}\b/g)).toEqual(['042917']);
      expect(mail.subject).not.toContain('042917');
    },
  );

  it.each(withCode)('says how long the code is good, and what to do afterwards: %s', (_, render) => {
    const { text } = render(input);
    expect(text).toContain('Valid for 10 minutes, until 21 November 2026 at 14:05 UTC.');
    expect(text).toContain('there you can ask for a new one');
  });

  it.each(['reminder', 'sealed notice'])('holds no code where none was made: %s', (name) => {
    const mail = KINDS[name]?.(input);
    expect(mail?.text).not.toContain('042917');
    expect(mail?.html).not.toContain('042917');
    expect(mail?.text).toContain('Ask for it on the page');
  });

  it('writes dates as the language does, in UTC', () => {
    const until = (locale: (typeof LOCALES)[number]) => renderReminder({ ...input, locale }).text;
    expect(until('en')).toContain('until 21 December 2026 at 13:55 UTC');
    expect(until('fi')).toContain('21. joulukuuta 2026 klo 13.55 UTC asti');
    expect(until('fr')).toContain('jusqu’au 21 décembre 2026 à 13:55 UTC');
    expect(until('de')).toContain('bis zum 21. Dezember 2026 um 13:55 UTC');
    expect(renderSealed({ ...input, locale: 'fr' }).text).toContain('1er décembre 2026');
  });

  it('tells until when the sealed document is kept, and says nothing of it where it is kept without an end', () => {
    expect(renderSealed(input).text).toContain('downloaded until 1 December 2026 at 09:30 UTC');
    expect(renderSealed({ ...input, availableUntil: null }).text).not.toContain('downloaded until');
  });

  it.each(all)('is marked as a test exactly when it is one: $name, $locale', ({ render, locale }) => {
    const test = render({ ...input, locale, test: true });
    for (const part of [test.subject, test.text, shown(test.html)]) expect(part).toContain('TEST');
    const live = render({ ...input, locale });
    for (const part of [live.subject, live.text, live.html]) expect(part).not.toContain('TEST');
  });

  it('greets nobody by an e-mail address', () => {
    expect(renderInvitation({ ...input, signerName: 'anna@example.com' }).text).toMatch(/^Hello,\n/);
  });

  it('leaves the sender’s message out where there is none', () => {
    expect(renderInvitation({ ...input, message: ' \n ' }).text).not.toContain('Message from');
  });
});

describe('what a sender writes', () => {
  const hostile =
    '</blockquote><a href="https://evil.example">Sign</a><script>x</script><img src=x onerror=y>"\'&';

  it.each(kinds)('is shown as text, never as markup: %s', (_, render) => {
    const mail = render({
      ...input,
      title: hostile,
      message: hostile,
      senderName: hostile,
      signerName: hostile,
    });
    expect(linksIn(mail.html)).toEqual([input.signUrl]);
    expect(mail.html).not.toMatch(/<script|<img/);
    expect(shown(mail.html)).not.toMatch(/evil\.example/);
    expect(shown(mail.html)).toContain('<script>x');
  });

  it('stays inside its quotation in the plain text, line by line', () => {
    const message = `First\n\nYour access code: 999999\n${'long words '.repeat(30)}\n${'x'.repeat(300)}`;
    const { text } = renderInvitation({ ...input, message });
    const quotation = text.slice(text.indexOf('Message from'), text.indexOf('\n\nYour access code: 042917'));
    const lines = quotation.split('\n').slice(1);
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) {
      expect(line).toMatch(/^>( |$)/);
      expect(line.length).toBeLessThanOrEqual(74);
    }
    expect(lines.join('').replace(/[> ]/g, '')).toBe(message.replace(/\s/g, ''));
  });

  it('cannot break out of the subject, and does not make it long', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(anything, anything, (title, senderName) => {
        const { subject } = renderInvitation({ ...input, title, senderName });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: a header must hold none
        expect(subject).not.toMatch(/[\u0000-\u001f\u007f\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
        expect([...new Intl.Segmenter().segment(subject)].length).toBeLessThanOrEqual(160);
      }),
    );
  });

  it('never adds an element to the HTML', () => {
    const elements = (mail: MailContent) => mail.html.match(/<(?!br>)[a-z!/]/gi)?.length;
    const plain = elements(renderInvitation(input));
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }).map((words) => `<b>${words}`);
    fc.assert(
      fc.property(text, text, text, (title, message, senderName) => {
        expect(elements(renderInvitation({ ...input, title, message, senderName }))).toBe(plain);
      }),
    );
  });
});
