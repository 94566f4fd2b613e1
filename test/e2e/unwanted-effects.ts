import type { Page } from 'playwright-core';

/** Records the dialogs, windows and foreign requests that a document causes. */
export function recordUnwantedEffects(page: Page, ownOrigin: string): string[] {
  const effects: string[] = [];
  page.on('dialog', (dialog) => {
    effects.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => effects.push(`window: ${popup.url()}`));
  page.on('request', (sent) => {
    if (new URL(sent.url()).origin !== ownOrigin) effects.push(`request: ${sent.url()}`);
  });
  return effects;
}

/** Clicks where `hostilePdf` has its links and buttons. */
export async function clickLinksAndButtons(page: Page): Promise<void> {
  const sheet = page.locator('.sheet').first();
  const box = await sheet.boundingBox();
  for (const [x, y] of [
    [0.27, 0.8],
    [0.7, 0.8],
    [0.5, 0.5],
  ] as const) {
    await sheet.click({ position: { x: (box?.width ?? 0) * x, y: (box?.height ?? 0) * y } });
  }
}
