import fc from 'fast-check';
import type { MailContent } from '../../../shared/mail/mailer.ts';
import {
  type CodeMailInput,
  renderCode,
  renderInvitation,
  renderReminder,
  renderResend,
  renderSealed,
  renderSenderNotice,
  type SealedInput,
} from '../../../shared/mail/render.ts';
import { LOCALES, MAIL_TEXTS } from '../../../shared/texts/languages.ts';
import { anyCharacter } from '../../support/any-character.ts';

const input: CodeMailInput & SealedInput = {
  locale: 'en',
  senderName: 'Nordic Housing Oy',
  brand: undefined,
  title: 'Lease agreement',
  message: 'Please sign by Friday.',
  signerName: 'Anna Virtanen',
  signUrl: 'https://sign.example.com/sign/AbC-_123',
  copyUrl: 'https://sign.example.com/sign/AbC-_123',
  code: '042917',
  codeExpiresAt: '2026-11-21T14:05:00.000Z',
  expiresAt: '2026-12-21T13:55:00.000Z',
  availableUntil: '2026-12-01T09:30:00.000Z',
  sentAt: '2026-11-21T13:55:00.000Z',
  test: false,
};

const KINDS: Record<string, (mail: typeof input) => MailContent> = {
  invitation: renderInvitation,
  resend: renderResend,
  'code on request': renderCode,
  reminder: renderReminder,
  'sealed notice': renderSealed,
};
const kinds = Object.entries(KINDS);
const withCode = kinds.filter(([name]) => !['reminder', 'sealed notice'].includes(name));
const all = kinds.flatMap(([name, render]) => LOCALES.map((locale) => ({ name, render, locale })));

/** The text that a reader of the HTML sees. */
const visibleText = (html: string) =>
  html
    .slice(html.indexOf('<body'))
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const linksIn = (html: string) => [...html.matchAll(/<a\b[^>]*href="([^"]*)"/g)].map(([, url]) => url);

describe('mails', () => {
  it.each(all)(
    'a mail links to the page alone, with a button and its address: $name, $locale',
    ({ render, locale }) => {
      const mail = render({ ...input, locale });
      expect(linksIn(mail.html)).toEqual([input.signUrl, input.signUrl]);
      expect(visibleText(mail.html)).toContain(input.signUrl);
      expect(mail.text.split('\n').filter((line) => /https?:/.test(line))).toEqual([input.signUrl]);
    },
  );

  it.each(all)('a mail contains its language, sender and document: $name, $locale', ({ render, locale }) => {
    const mail = render({ ...input, locale });
    expect(mail.html).toContain(`<html lang="${locale}">`);
    for (const part of [mail.text, visibleText(mail.html)]) {
      expect(part).toContain('Nordic Housing Oy');
      expect(part).toContain('Lease agreement');
      expect(part).toContain('Anna Virtanen');
    }
    expect(mail.subject).toContain('Lease agreement');
    expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/\b(undefined|null)\b|\[object/);
  });

  it.each(all)('a mail says as HTML all that it says as plain text: $name, $locale', ({ render, locale }) => {
    const mail = render({ ...input, locale });
    const shown = visibleText(mail.html).replace(/\s/g, '');
    const said = mail.text.split('\n').map((line) => line.replace(/^> /, '').replace(/\s|:$/g, ''));
    // The label of a code stands above it in HTML.
    for (const line of said.filter((text) => !text.includes(input.code))) expect(shown).toContain(line);
  });

  it.each(all)('a mail loads no resource and runs no script: $name, $locale', ({ render, locale }) => {
    expect(render({ ...input, locale }).html).not.toMatch(/<(img|script|link|iframe)\b|url\(|@import/i);
  });

  it.each(all)(
    'a button has its size from a table cell, the only padding that Outlook for Windows keeps: $name, $locale',
    ({ render, locale }) => {
      const { html } = render({ ...input, locale });
      expect(html).toMatch(/<td [^>]*mso-padding-alt:14px 26px[^>]*><a [^>]*href=/);
      expect(html.match(/<table\b[^>]*>/g)).toEqual([expect.stringContaining('role="presentation"')]);
    },
  );

  it('each list of fonts begins with one of Windows, since Outlook there may replace a first one that it does not have by Times', () => {
    const lists = [...renderInvitation(input).html.matchAll(/font-family:([^;"]+)/g)].map(([, list]) => list);
    expect(lists.length).toBeGreaterThan(2);
    for (const list of lists) expect(list).toMatch(/^('Segoe UI'|Consolas),/);
  });

  it.each(withCode)('a mail contains the code once, and no other six-digit number: %s', (_, render) => {
    const mail = render(input);
    expect(mail.text.match(/\b\d{6}\b/g)).toEqual(['042917']);
    expect(mail.html.match(/\b\d{6}\b/g)).toEqual(['042917']);
    expect(mail.subject).not.toContain('042917');
  });

  it.each(withCode)('a mail explains the validity of its code: %s', (_, render) => {
    const { text } = render(input);
    expect(text).toContain('Valid for 10 minutes, until 21 November 2026 at 14:05 UTC.');
    expect(text).toContain('you can ask for a new one there');
  });

  it.each(withCode)(
    'a code that the end of the time to sign ends early is promised until then: %s',
    (_, render) => {
      const end = '2026-11-21T14:00:00.000Z';
      const { text } = render({ ...input, codeExpiresAt: end, expiresAt: end });
      expect(text).toContain('You can sign until 21 November 2026 at 14:00 UTC.');
      expect(text).not.toContain('Valid for');
      expect(text).not.toContain('ask for a new one');
    },
  );

  it('a reminder, which has no code, explains how to get one', () => {
    const mail = renderReminder(input);
    expect(mail.text).not.toContain('042917');
    expect(mail.html).not.toContain('042917');
    expect(mail.text).toContain('Ask for it on the page');
  });

  it.each(LOCALES)('the mail with the sealed document neither has nor speaks of a code: %s', (locale) => {
    const { text } = renderSealed({ ...input, locale });
    expect(text).not.toMatch(/\b\d{6}\b/);
    expect(text).not.toContain(MAIL_TEXTS[locale].codeOnThePage);
  });

  it('a mail formats dates by its language, in UTC', () => {
    const until = (locale: (typeof LOCALES)[number]) => renderReminder({ ...input, locale }).text;
    expect(until('en')).toContain('until 21 December 2026 at 13:55 UTC');
    expect(until('fi')).toContain('21. joulukuuta 2026 klo 13.55 UTC.');
    expect(until('fr')).toContain('jusqu’au 21 décembre 2026 à 13:55 UTC');
    expect(until('de')).toContain('bis zum 21. Dezember 2026 um 13:55 UTC');
    expect(renderSealed({ ...input, locale: 'fr' }).text).toContain('1er décembre 2026');
  });

  it('a sealed notice says until when its link works', () => {
    expect(renderSealed(input).text).toContain('downloaded until 1 December 2026 at 09:30 UTC');
  });

  it.each(all)('a mail is marked as a test only in test mode: $name, $locale', ({ render, locale }) => {
    const test = render({ ...input, locale, test: true });
    for (const part of [test.subject, test.text, visibleText(test.html)]) expect(part).toContain('TEST');
    const live = render({ ...input, locale });
    for (const part of [live.subject, live.text, live.html]) expect(part).not.toContain('TEST');
  });

  it.each(all)(
    'a mail ends with its time, for Gmail folds away an end that equals the mail before, with its button: $name, $locale',
    ({ render, locale }) => {
      const ends = ['2026-11-24T13:55:00.000Z', '2026-11-28T13:55:00.000Z'].map((sentAt) => {
        const { text, html } = render({ ...input, locale, sentAt });
        const [end = ''] = text.trimEnd().split('\n').slice(-1);
        expect(visibleText(html).trim().endsWith(end)).toBe(true);
        return end;
      });
      expect(ends[0]).toMatch(/24\D.*2026/);
      expect(ends[1]).toMatch(/28\D.*2026/);
    },
  );

  it('a greeting never contains an e-mail address', () => {
    expect(renderInvitation({ ...input, signerName: 'anna@example.com' }).text).toMatch(/^Hello,\n/);
  });

  it('the notice of mails that could not be sent speaks of as many people as it names', () => {
    const notice = (...names: string[]) =>
      renderSenderNotice({
        ...input,
        reason: 'mail_failed',
        requestId: 'request-1',
        requestUrl: 'https://sign.example.com/app/requests/request-1',
        about: names.map((name) => ({ name, email: `${name}@example.com` })),
        declineReason: null,
        awaitsInvitation: true,
        availableUntil: null,
      }).text;
    expect(notice('anna')).toContain('Signer:\n> anna');
    expect(notice('anna')).toContain('Please check the address, and contact the person another way');
    expect(notice('anna', 'bo')).toContain('Signers:\n> anna');
    expect(notice('anna', 'bo')).toContain(
      'Please check the addresses, and contact these people another way',
    );
  });

  it('an invitation with a blank message has no message section', () => {
    expect(renderInvitation({ ...input, message: ' \n ' }).text).not.toContain('Message from');
  });
});

describe('text from the sender', () => {
  const hostile =
    '</blockquote><a href="https://evil.example">Sign</a><script>x</script><img src=x onerror=y>"\'&';

  it.each(kinds)('a mail shows the sender’s markup as text: %s', (_, render) => {
    const mail = render({
      ...input,
      title: hostile,
      message: hostile,
      senderName: hostile,
      signerName: hostile,
    });
    expect(linksIn(mail.html)).toEqual([input.signUrl, input.signUrl]);
    expect(mail.html).not.toMatch(/<script|<img/);
    expect(visibleText(mail.html)).not.toMatch(/evil\.example/);
    expect(visibleText(mail.html)).toContain('<script>x');
  });

  it('every line of the sender’s message is quoted in plain text', () => {
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
    for (const line of lines.filter((text) => text.includes('words')))
      expect(['long', 'words']).toEqual(expect.arrayContaining(line.slice(2).split(' ')));
    expect(lines[1]).toBe('>');
  });

  it('a mail wraps the sender’s message between whole characters', () => {
    const message = `x${'👩‍💻'.repeat(60)}`;
    const { text } = renderInvitation({ ...input, message });
    expect(text.isWellFormed()).toBe(true);
    const quoted = text.split('\n').flatMap((line) => (line.startsWith('> ') ? [line.slice(2)] : []));
    expect(quoted.join('')).toContain(message);
    for (const line of quoted) expect(line).not.toMatch(/^\u200d|\u200d$/);
  });

  it('a subject has no control characters and a bounded length', () => {
    const anything = fc.string({ unit: anyCharacter, maxLength: 300 });
    fc.assert(
      fc.property(anything, anything, (title, senderName) => {
        const { subject } = renderInvitation({ ...input, title, senderName });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: a header must contain none
        expect(subject).not.toMatch(/[\u0000-\u001f\u007f\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
        expect([...new Intl.Segmenter().segment(subject)].length).toBeLessThanOrEqual(160);
      }),
    );
  });

  it('the sender’s text never adds an element to the HTML', () => {
    const elements = (mail: MailContent) => mail.html.match(/<(?!br>|\/?span\b)[a-z!/]/gi)?.length;
    const plain = elements(renderInvitation(input));
    const text = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 100 })
      .map((words) => `<b>${words}`);
    fc.assert(
      fc.property(text, text, text, (title, message, senderName) => {
        expect(elements(renderInvitation({ ...input, title, message, senderName }))).toBe(plain);
      }),
    );
  });
});

const brand = {
  name: 'Kotilinna',
  accent: '#7a1f3d',
  replyTo: 'office@example.com',
  imprintUrl: 'https://example.com/imprint?a=1&b=2',
  privacyUrl: 'https://example.com/privacy',
  supportUrl: null,
  timeZone: 'Europe/Helsinki',
};

describe('a brand', () => {
  it.each(all)(
    'a brand names the sender and links its pages, in both parts of a mail: $name, $locale',
    ({ render, locale }) => {
      const mail = render({ ...input, locale, brand });
      expect(linksIn(mail.html).slice(2)).toEqual([
        'https://example.com/imprint?a=1&amp;b=2',
        'https://example.com/privacy',
      ]);
      const { links, colon } = MAIL_TEXTS[locale];
      expect(mail.text).toContain(`${links.imprintUrl}${colon} https://example.com/imprint?a=1&b=2\n`);
      expect(mail.text).not.toContain(links.supportUrl);
      for (const part of [mail.text, visibleText(mail.html)]) {
        expect(part).toContain('Kotilinna');
        expect(part).not.toContain('Nordic Housing Oy');
      }
      expect(mail.html).toContain('background:#7a1f3d');
    },
  );

  it('a brand without a name leaves the owner’s, and one without a colour the service’s', () => {
    const mail = renderInvitation({ ...input, brand: { ...brand, name: null, accent: null } });
    expect(mail.text).toContain('Nordic Housing Oy');
    expect(mail.html).toContain('background:#0b5a53');
  });

  it.each([
    ['en', '21 December 2026 at 15:55 EET (13:55 UTC)'],
    ['fi', '21. joulukuuta 2026 klo 15.55 UTC+2 (13.55 UTC)'],
    ['fr', '21 décembre 2026 à 15:55 UTC+2 (13:55 UTC)'],
    ['de', '21. Dezember 2026 um 15:55 OEZ (13:55 UTC)'],
  ] as const)('a mail shows times in the zone of the brand, with UTC beside: %s', (locale, time) => {
    expect(renderReminder({ ...input, locale, brand }).text).toContain(time);
  });

  it('a mail names the day in both zones if they differ, and knows summer time', () => {
    const at = (expiresAt: string) => renderReminder({ ...input, expiresAt, brand }).text;
    expect(at('2026-12-21T23:30:00.000Z')).toContain(
      '22 December 2026 at 01:30 EET (21 December 2026 at 23:30 UTC)',
    );
    expect(at('2026-07-01T10:00:00.000Z')).toContain('1 July 2026 at 13:00 EEST (10:00 UTC)');
  });

  it('a mail of a brand in UTC says the time once', () => {
    const { text } = renderReminder({ ...input, brand: { ...brand, timeZone: 'Etc/UTC' } });
    expect(text).toContain('until 21 December 2026 at 13:55 UTC.');
  });
});

describe('what mail programs show beside the subject', () => {
  const preheader = (mail: MailContent) => /<div style="display:none[^>]*>([^<]*)/.exec(mail.html)?.[1] ?? '';

  it.each(all)(
    'the line that mail programs show beside the subject says who wants what, and no code: $name, $locale',
    ({ render, locale }) => {
      const text = preheader(render({ ...input, locale }));
      expect(text.length).toBeGreaterThan(20);
      expect(text).not.toContain('042917');
    },
  );

  it('the line that mail programs show beside the subject says until when there is time', () => {
    expect(preheader(renderInvitation(input))).toContain('You can sign until 21 December 2026');
  });
});

it('a name from right to left is kept apart from the sentence around it, also where <bdi> is unknown as in Gmail', () => {
  const senderName = 'חברת ביטוח';
  const mail = renderInvitation({ ...input, senderName });
  expect(mail.html).toContain(`<span dir="auto">${senderName}</span> asks you`);
  expect(mail.text).toContain(`${senderName} asks you`);
  for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toMatch(/[\u2066-\u2069]/);
});
