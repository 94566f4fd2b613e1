import type { Page } from 'playwright-core';
import { screenshot } from './browser.ts';

/** A desktop, the same at a zoom of 200 %, a phone, and the smallest phone. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
] as const;

/** Sideways scrolling, small targets, icons smaller than the letters, and fields in which Safari on a phone zooms in. */
const sizeFaults = (page: Page, width: number): Promise<string[]> =>
  page.evaluate((screen) => {
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    const { scrollWidth } = document.documentElement;
    const isWide = (dialog: Element) => dialog.scrollWidth > dialog.clientWidth;
    const touched = (target: Element) => (target.closest('label') ?? target).getBoundingClientRect();
    const isSmall = ({ width, height }: DOMRect) => width > 0 && (width < 44 || height < 44);
    const fontSize = (field: Element) => Number.parseFloat(getComputedStyle(field).fontSize);
    const zoomsIn = (field: Element) => field.getBoundingClientRect().width > 0 && fontSize(field) < 16;
    const isTiny = (icon: Element) => {
      const { width } = icon.getBoundingClientRect();
      return width > 0 && width < fontSize(icon);
    };
    return [
      ...(scrollWidth > screen ? [`scrolls sideways: ${scrollWidth}`] : []),
      ...all('dialog, [popover]')
        .filter(isWide)
        .map(({ id }) => `scrolls sideways: dialog ${id}`),
      ...all('button, input, select, summary, textarea')
        .filter((target) => isSmall(touched(target)))
        .map((target) => `small: ${target.outerHTML} ${touched(target).width} x ${touched(target).height}`),
      ...all('input, select, textarea')
        .filter(zoomsIn)
        .map((field) => `zooms in: ${field.outerHTML} ${fontSize(field)}`),
      ...all('.icon')
        .filter(isTiny)
        .map((icon) => `tiny: an icon in ${icon.parentElement?.outerHTML}`),
    ];
  }, width);

export const expectFits = async (page: Page, width: number) =>
  expect(await sizeFaults(page, width)).toEqual([]);

/** Labels that break or cut a word. */
export const labelFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isNarrow = (label: Element) =>
      label.getBoundingClientRect().width > 1 && label.scrollWidth > label.clientWidth + 1;
    const isBroken = (node: Node, index: number, word: string) => {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    };
    const brokenWords = (label: Element) => {
      const faults: string[] = [];
      const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode())
        // A line may end after a word's own hyphen.
        for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[^\s-]+-?/g))
          if (isBroken(node, index, word)) faults.push(`breaks a word: ${word}`);
      return faults;
    };
    const labels = [
      ...document.querySelectorAll('.button, .pad-tools .link, .choice label, .progress-name, dt, thead th'),
    ];
    return [
      ...labels.filter(isNarrow).map(({ textContent }) => `too narrow: ${textContent}`),
      ...labels.flatMap(brokenWords),
    ];
  });

/** Shows the step on every size, and returns to the size before. */
export async function expectFitsEverywhere(page: Page, name: string) {
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const faults = [...(await sizeFaults(page, size.width)), ...(await labelFaults(page))];
    expect({ name, size, faults }).toEqual({ name, size, faults: [] });
    if (size.width === 1280) await screenshot(page, `${name}-1280`);
  }
  if (before) await page.setViewportSize(before);
}

type Named = readonly [role: Parameters<Page['getByRole']>[0], name: string];

/** Each is there once, under the name that a screen reader says. */
export async function expectNamed(page: Page, expected: readonly Named[]) {
  for (const [role, name] of expected)
    expect([role, name, await page.getByRole(role, { name, exact: true }).count()]).toEqual([role, name, 1]);
}
