import type { Page } from 'playwright-core';

/** Notes whatever a document makes the browser do: dialogs, windows, and requests that leave the service. */
export function watchForStrangeness(page: Page, ownOrigin: string): string[] {
  const strange: string[] = [];
  page.on('dialog', (dialog) => {
    strange.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => strange.push(`window: ${popup.url()}`));
  page.on('request', (sent) => {
    if (new URL(sent.url()).origin !== ownOrigin) strange.push(`request: ${sent.url()}`);
  });
  return strange;
}

/** Clicks where `hostilePdf` has its links and buttons. */
export async function clickItsTraps(page: Page): Promise<void> {
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
