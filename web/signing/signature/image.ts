import { PAD_HEIGHT, PAD_WIDTH } from './drawing.ts';
import { imageFacts } from './image-facts.ts';
import { fittingPng } from './png.ts';

/** Larger files are not decoded: a phone could run out of memory. */
const MAX_BYTES = 5_000_000;
const MAX_PIXELS = 50_000_000;

export type ImageFault = 'too_large' | 'unreadable';

/** Turns an image of a signature into a PNG in base64, scaled down to what the service takes. */
export async function readImage(file: Blob): Promise<{ png: string } | { fault: ImageFault }> {
  if (file.size > MAX_BYTES) return { fault: 'too_large' };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const facts = imageFacts(bytes);
    if (!facts) return { fault: 'unreadable' };
    if (facts.width * facts.height > MAX_PIXELS) return { fault: 'too_large' };
    const picture = await createImageBitmap(new Blob([bytes], { type: facts.type }));
    const fit = Math.min(1, PAD_WIDTH / picture.width, PAD_HEIGHT / picture.height);
    const png = fittingPng((scale) => paint(picture, fit * scale));
    picture.close();
    return { png };
  } catch {
    // The file may be gone, or the device out of memory.
    return { fault: 'unreadable' };
  }
}

function paint(picture: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Shows a PNG in base64. An image element would need `data:` in the page's policy. */
export async function showImage(png: string, canvas: HTMLCanvasElement): Promise<void> {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  picture.close();
}
