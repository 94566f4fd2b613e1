import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { makeEvidenceFile } from '../../shared/stamping/evidence-file.ts';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import type { Line } from '../../shared/typesetting/line.ts';
import { A4, Paper } from '../../shared/typesetting/paper.ts';
import type { Paragraph } from '../../shared/typesetting/paragraph.ts';
import { clustersOf, isIsolate } from '../../shared/typesetting/scripts.ts';
import { evidenceInput } from '../support/evidence-input.ts';
import { pageInput, signer } from '../support/signature-input.ts';
import { someOf } from '../support/thorough.ts';
import { launchBrowser } from './browser.ts';
import { type Ink, inkOf, overlap, pictureOf, pngOf } from './ink.ts';

const PICTURES = join(import.meta.dirname, '../../artifacts/e2e/printed-pages');
const FONTS = join(import.meta.dirname, '../../shared/typesetting/fonts');
const FACES = {
  sans: 'sans',
  semibold: 'sans-semibold',
  serif: 'serif',
  italic: 'serif-italic',
  mono: 'mono',
};

/** A point of the page is one CSS pixel and so many pixels of a picture. */
const SCALE = 5;

const NAMES = [
  '山田太郎 さくら',
  'محمد علي بن أحمد',
  'נעים כהן (2026)',
  'क्षत्रिय हिन्दी श्री',
  'สมชาย น้ำ ที่',
  '김철수',
  'Zoë 👩‍💻👍🏽😀',
  'Anna 山田 محمد x',
  `Maximiliana ${'Wolfeschlegelsteinhausenbergerdorff '.repeat(3)}von Übelkraft`,
  `عبد الرحمن ${'محمد علي بن أحمد '.repeat(5)}الأنصاري`,
];
const TITLE = '契約書 عقد حוזה חוזה अनुबंध สัญญา 계약서 🤝 договор Mietvertrag for the flat 12 B';
const SENDER = 'شركة الإيجار 株式会社 Kotilinna Oy';

/** The share of ink that two renderers have in common, in letters of 37 pixels. */
const SAME = 0.92;

interface Printed {
  readonly page: number;
  /** In points from the top left. */
  readonly x: number;
  readonly top: number;
  readonly height: number;
  readonly line: Line;
  readonly paragraph: Paragraph;
}

/** Makes a file, and notes every line that is drawn, and where. */
async function printing(make: () => Promise<Uint8Array>): Promise<{ pdf: Uint8Array; lines: Printed[] }> {
  const lines: Printed[] = [];
  let page = 1;
  const { place, startPage } = Paper.prototype;
  Paper.prototype.startPage = function (this: Paper) {
    page += 1;
    startPage.call(this);
  };
  Paper.prototype.place = function (this: Paper, paragraph, x, top) {
    const { leading, style, isRtl } = paragraph;
    paragraph.lines.forEach((line, index) => {
      const indent = isRtl ? paragraph.width - (line.width * style.size) / 1000 : 0;
      lines.push({ page, x: x + indent, top: top + index * leading, height: leading, line, paragraph });
    });
    place.call(this, paragraph, x, top);
  };
  try {
    return { pdf: await make(), lines };
  } finally {
    Object.assign(Paper.prototype, { place, startPage });
  }
}

/** The lines of these texts, each once: all there is in a table's cell, a heading or beside a label. */
function linesOf(texts: readonly string[], lines: readonly Printed[]): Printed[] {
  const known = new Set<string>();
  return lines.filter(({ line: { text }, paragraph: { style, exact } }) => {
    const isOurs = texts.some((each) => each.includes(text) || text.includes(each));
    const key = `${style.face} ${style.size} ${text}`;
    if (!isOurs || text.length < 3 || exact !== null || known.has(key)) return false;
    known.add(key);
    return true;
  });
}

/** The fonts of a line's parts, in reading order; none for the marks around a name, which have no glyph. */
function fontsOf({ text, runs }: Line): { text: string; file: string | null }[] {
  const files = new Map<string, string>();
  for (const run of runs) {
    const file = 'face' in run ? `${FACES[run.face.name]}.ttf` : `scripts/${run.font.file}`;
    for (const cluster of clustersOf(run.text)) files.set(cluster, file);
  }
  return clustersOf(text).map((cluster) => ({
    text: cluster,
    file: isIsolate(cluster) ? null : (files.get(cluster) ?? ''),
  }));
}

const fetched = new Set<string>();

async function fetchFonts(browserPage: Page, files: readonly string[]): Promise<void> {
  for (const file of new Set(files)) {
    if (fetched.has(file)) continue;
    fetched.add(file);
    await browserPage.evaluate(
      async ([name = '', base64 = '']) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        document.fonts.add(await new FontFace(name, bytes).load());
      },
      [file, readFileSync(join(FONTS, file), 'base64')],
    );
  }
}

/** The browser's pictures of the lines, all in one screenshot. */
async function shownBy(browserPage: Page, lines: readonly Printed[]): Promise<Ink[]> {
  const shown = lines.map(({ line, paragraph: { style, isRtl } }) => ({
    parts: fontsOf(line),
    size: style.size,
    isRtl,
    ink: `rgb(${[style.ink.red, style.ink.green, style.ink.blue].map((part) => Math.round(part * 255))})`,
  }));
  await fetchFonts(
    browserPage,
    shown.flatMap(({ parts }) => parts.flatMap(({ file }) => file ?? [])),
  );
  const areas = await browserPage.evaluate((each) => {
    document.body.replaceChildren();
    const paragraphs = each.map(({ parts, size, isRtl, ink }) => {
      const paragraph = document.body.appendChild(document.createElement('p'));
      paragraph.dir = isRtl ? 'rtl' : 'ltr';
      Object.assign(paragraph.style, {
        margin: '0',
        padding: '8px',
        whiteSpace: 'pre',
        fontSize: `${size}px`,
        color: ink,
      });
      let last: HTMLElement | undefined;
      for (const { text, file } of parts) {
        if (last?.style.fontFamily !== JSON.stringify(file)) {
          last = paragraph.appendChild(document.createElement('span'));
          last.style.fontFamily = JSON.stringify(file);
        }
        last.append(text);
      }
      paragraph.normalize();
      return paragraph;
    });
    return paragraphs.map((paragraph) => {
      const { left, right, top, bottom } = paragraph.getBoundingClientRect();
      return { left, right, top, bottom };
    });
  }, shown);
  const picture = pictureOf(await browserPage.screenshot({ fullPage: true }));
  return areas.map(({ left, right, top, bottom }) =>
    inkOf(picture, {
      left: left * SCALE,
      right: right * SCALE,
      top: Math.ceil(top * SCALE),
      bottom: Math.floor(bottom * SCALE),
    }),
  );
}

let browser: Browser;
let browserPage: Page;
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  browser = await launchBrowser();
  const viewport = { width: 560, height: 300 };
  browserPage = await (await browser.newContext({ viewport, deviceScaleFactor: SCALE })).newPage();
});
afterAll(() => browser?.close());

const signaturePage = () =>
  makeSignaturePage(
    pageInput({
      title: TITLE,
      sender: SENDER,
      signers: NAMES.map((name) => signer(name, { representing: { name, role: null, entityId: null } })),
    }),
  );

function evidence(): Promise<Uint8Array> {
  const nameOf = (index: number) => NAMES[index] ?? '';
  const { request, ...input } = evidenceInput(NAMES.length, {
    state: { title: TITLE, ownerName: SENDER },
    onPage: (index) => ({
      nameAsSigned: nameOf(index),
      signature: { type: 'typed', text: nameOf(index) },
    }),
  });
  const signers = request.signers.map((each, index) => ({ ...each, nameAsSigned: nameOf(index) }));
  return makeEvidenceFile({ ...input, request: { ...request, signers } });
}

const FILES = [
  ['signature-page', signaturePage],
  ['evidence', evidence],
] as const;

it.each(someOf(FILES, 2))(
  'every line of the %s that names somebody or something looks as in a browser',
  async (name, make) => {
    const { pdf, lines } = await printing(make);
    const texts = [TITLE, SENDER, ...NAMES];
    const compared = linesOf(texts, lines);
    // Each name is a signature, a name and more; long ones have several lines.
    expect(compared.length).toBeGreaterThan(3 * NAMES.length);

    const prints: { text: string; ink: Ink }[] = [];
    const differing: string[] = [];
    for (const number of new Set(compared.map(({ page }) => page))) {
      const png = pngOf(pdf, SCALE * 72, number);
      writeFileSync(join(PICTURES, `${name}-${number}.png`), png);
      const picture = pictureOf(png);
      const onPage = compared.filter(({ page }) => page === number);
      const shown = await shownBy(browserPage, onPage);
      for (const [index, { x, top, height, line, paragraph }] of onPage.entries()) {
        const theirs = shown[index];
        if (theirs === undefined) throw new Error('Every line has a picture.');
        const width = (line.width * paragraph.style.size) / 1000;
        const ours = inkOf(picture, {
          left: Math.max(0, x - 3) * SCALE,
          right: Math.min(A4.width, x + width + 3) * SCALE,
          // Neither the lines above and below, nor the rule below a signature.
          top: Math.ceil(top * SCALE),
          bottom: Math.floor((top + height - 0.5) * SCALE),
        });
        prints.push({ text: line.text, ink: ours });
        const shared = overlap(ours, theirs);
        const growth = Math.max(Math.abs(ours.width - theirs.width), Math.abs(ours.height - theirs.height));
        if (shared < SAME || growth > SCALE)
          differing.push(
            `${line.text} (${paragraph.style.face} ${paragraph.style.size}): ${shared.toFixed(3)}, ${growth} px`,
          );
      }
    }
    expect(differing).toEqual([]);
    // The measure tells one text from another.
    for (const [index, { text, ink }] of prints.entries()) {
      const next = prints[index + 1];
      if (next === undefined || text.includes(next.text) || next.text.includes(text)) continue;
      expect(overlap(ink, next.ink)).toBeLessThan(SAME - 0.1);
    }
  },
  600_000,
);
