import fc from 'fast-check';
import { decodeWords } from 'postal-mime';
import { contentDisposition } from '../../shared/http/pdf-reply.ts';
import { visitorOf } from '../../shared/http/trusted-edge.ts';
import { fromHeader } from '../../shared/mail/from-header.ts';
import { plainText } from '../../shared/mail/plain-text.ts';
import { renderInvitation } from '../../shared/mail/render.ts';
import { blockText, oneLine } from '../../shared/mail/sender-text.ts';
import { graphemesOf, wholeStart } from '../../shared/runtime/graphemes.ts';
import { visible, visibleLines } from '../../shared/runtime/visible.ts';
import { hostileText } from '../support/hostile-text.ts';
import { httpEvent } from '../support/http-call.ts';
import { always } from '../support/property.ts';

/** Characters that could hide or reorder the text beside them: controls, directions, tags. Joiners may be needed. */
const HARMFUL =
  /(?![\t\n\v\f\r])\p{Cc}|[\u200b\u200e\u200f\u061c\u202a-\u202e\u2060-\u206f\u00ad\ufeff\u{e0000}-\u{e0fff}]/u;
const segmenter = new Intl.Segmenter();

/** The places at which a text may be cut, between characters of a bearable length. */
function boundaries(text: string, isLong = (character: string) => character.length > 32): Set<number> {
  const places = new Set([text.length]);
  for (const { index, segment } of segmenter.segment(text)) {
    places.add(index);
    if (isLong(segment)) for (const { index: at } of segment.matchAll(/./gsu)) places.add(index + at);
  }
  return places;
}

describe('visible text', () => {
  it('is one well-formed line without anything that hides or turns text around', async () => {
    await always(
      fc.property(hostileText(400), (text) => {
        const shown = visible(text);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(HARMFUL);
        expect(shown).not.toMatch(/[\t\n\v\f\r\u0085\u2028\u2029]|^\s|\s$|\s\s/u);
        expect(shown.length).toBeLessThanOrEqual(3 * text.length);
      }),
    );
  });

  it('stays as it is when it is made visible again', async () => {
    await always(
      fc.property(hostileText(400), (text) => {
        const lines = visibleLines(text);
        expect(visibleLines(lines)).toBe(lines);
        expect(visible(visible(text))).toBe(visible(text));
        expect(lines).not.toMatch(HARMFUL);
        expect(lines.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('whole characters', () => {
  it('make up the text, and none is longer than any writing needs', async () => {
    await always(
      fc.property(hostileText(400), fc.nat(80), (text, units) => {
        const graphemes = graphemesOf(text);
        expect(graphemes.join('')).toBe(text);
        expect(Math.max(0, ...graphemes.map(({ length }) => length))).toBeLessThanOrEqual(32);
        const start = wholeStart(text, units);
        expect(text.startsWith(start)).toBe(true);
        expect(start.length).toBeLessThanOrEqual(units);
        expect(boundaries(text)).toContain(start.length);
        if (start !== text) expect(units - start.length).toBeLessThan(32);
      }),
    );
  });
});

describe('mails', () => {
  it('quote a message in short lines that begin with whole characters', async () => {
    await always(
      fc.property(hostileText(600), (message) => {
        const text = blockText(message);
        const layout = {
          locale: 'en',
          subject: '',
          colon: ':',
          preheader: '',
          sender: '',
          accent: null,
          links: [],
        };
        const wrapped = plainText({ ...layout, parts: [{ kind: 'quotation', label: 'L', text }] });
        expect(wrapped.isWellFormed()).toBe(true);
        let rest = text.split('\n');
        let at = 0;
        for (const line of wrapped.trimEnd().split('\n').slice(1)) {
          expect(line).toMatch(/^>( |$)/);
          expect(line.length).toBeLessThanOrEqual(74);
          const words = line.slice(2);
          while (rest.length > 0 && (rest[0] ?? '').slice(at).trim() === '') [at, rest] = [0, rest.slice(1)];
          const [whole = ''] = rest;
          const found = whole.indexOf(words, at);
          expect(found === at || whole.slice(at, found).trim() === '').toBe(true);
          if (words !== '' && whole[found - 1] !== ' ') expect(boundaries(whole)).toContain(found);
          at = found + words.length;
        }
      }),
    );
  });

  it('can be sent, whatever their texts', async () => {
    await always(
      fc.property(hostileText(200), hostileText(600), hostileText(200), (title, message, name) => {
        const mail = renderInvitation({
          locale: 'en',
          senderName: name,
          brand: undefined,
          title,
          message,
          signerName: name,
          signUrl: 'https://sign.example.com/sign/AbC',
          code: '042917',
          codeExpiresAt: '2026-11-21T14:05:00.000Z',
          expiresAt: '2026-12-21T13:55:00.000Z',
          sentAt: '2026-11-21T13:55:00.000Z',
          test: false,
        });
        for (const part of [mail.subject, mail.text, mail.html]) {
          // SES's client encodes them like this, which throws for half a character.
          expect(() => encodeURIComponent(part)).not.toThrow();
          expect(part).not.toMatch(HARMFUL);
        }
        expect(mail.subject).not.toMatch(/[\r\n\u0085\u2028\u2029]/);
        // The button and its address.
        expect(mail.html.match(/<a\b/g)).toHaveLength(2);
      }),
      0.5,
    );
  });

  it('name the sender in a header of short words, each of whole characters', async () => {
    await always(
      fc.property(hostileText(200), (name) => {
        const header = fromHeader(name, 'sign@example.com');
        expect(header).toMatch(/^[\x20-\x7e]+ <sign@example\.com>$/);
        expect(header.length).toBeLessThanOrEqual(320);
        const longest = oneLine(name, 60);
        expect([...segmenter.segment(longest)].length).toBeLessThanOrEqual(60);
        // The longest that fits, whose words alone are looked at.
        const told = decodeWords(header);
        const lengths = Array.from({ length: 59 }, (_, index) => 60 - index);
        const shown =
          lengths.map((length) => oneLine(name, length)).find((start) => told.startsWith(start)) ?? '';
        const places = boundaries(shown, (character) => Buffer.byteLength(character) > 45);
        let at = 0;
        if (!header.startsWith('"'))
          for (const word of header.replace(/ <[^<]*$/, '').split(' ')) {
            expect(word.length).toBeLessThanOrEqual(75);
            expect(places.has(at) || at >= shown.length).toBe(true);
            at += decodeWords(word).length;
          }
      }),
    );
  });
});

describe('headers', () => {
  it('name a file for a download by what of its name can be seen', async () => {
    await always(
      fc.property(hostileText(200), (filename) => {
        const header = contentDisposition('attachment', filename);
        const [, ascii, encoded = ''] =
          /^attachment; filename="([^"\\%;]*)"; filename\*=UTF-8''([\w.!~%-]+)$/.exec(header) ?? [];
        expect(ascii).toMatch(/^[\x20-\x7e]+$/);
        expect(decodeURIComponent(encoded)).toBe(visible(filename) || 'document.pdf');
      }),
    );
  });

  it('hold a user agent that is kept to its length and well-formed', async () => {
    await always(
      fc.property(hostileText(600), (userAgent) => {
        const { userAgent: kept } = visitorOf(httpEvent({ headers: { 'User-Agent': userAgent } }));
        expect((kept ?? '').isWellFormed()).toBe(true);
        expect((kept ?? '').length).toBeLessThanOrEqual(256);
        expect(userAgent.toWellFormed().startsWith(kept ?? '')).toBe(true);
      }),
    );
  });
});
