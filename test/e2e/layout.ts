import type { Page } from 'playwright-core';
import { screenshot } from './browser.ts';

/** A desktop, the same at a zoom of 200 %, a phone, and the smallest phone. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
] as const;

/** Sideways scrolling, small targets, and fields in which Safari on a phone zooms in. */
const sizeFaults = (page: Page, width: number): Promise<string[]> =>
  page.evaluate((screen) => {
    const faults: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > screen) faults.push(`scrolls sideways: ${scrollWidth}`);
    for (const { id, scrollWidth, clientWidth } of document.querySelectorAll('dialog, [popover]'))
      if (scrollWidth > clientWidth) faults.push(`scrolls sideways: dialog ${id}`);
    for (const target of document.querySelectorAll('button, input, select, summary, textarea')) {
      const box = (target.closest('label') ?? target).getBoundingClientRect();
      if (box.width > 0 && (box.width < 44 || box.height < 44))
        faults.push(`small: ${target.outerHTML} ${box.width} x ${box.height}`);
    }
    for (const field of document.querySelectorAll('input, select, textarea')) {
      const { fontSize } = getComputedStyle(field);
      if (field.getBoundingClientRect().width > 0 && Number.parseFloat(fontSize) < 16)
        faults.push(`zooms in: ${field.outerHTML} ${fontSize}`);
    }
    return faults;
  }, width);

export const expectFits = async (page: Page, width: number) =>
  expect(await sizeFaults(page, width)).toEqual([]);

/** Labels that break or cut a word. */
export const labelFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = [];
    for (const label of document.querySelectorAll('.button, .choice label, .progress-name, dt, thead th')) {
      const isHidden = label.getBoundingClientRect().width <= 1;
      if (!isHidden && label.scrollWidth > label.clientWidth + 1)
        faults.push(`too narrow: ${label.textContent}`);
      const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const node = texts.currentNode;
        // A line may end after a word's own hyphen.
        for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[^\s-]+-?/g)) {
          const range = new Range();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) faults.push(`breaks a word: ${word}`);
        }
      }
    }
    return faults;
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
