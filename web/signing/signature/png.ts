import { LIMITS } from '../../../shared/contract/limits.ts';
import { type Drawing, drawingPath, INK_WIDTH, inkBox } from './drawing.ts';

const PREFIX = 'data:image/png;base64,';

/** False if the browser returns noise against fingerprinting, as Tor Browser does. Others change only the lowest bits of colours. */
export function canReadCanvas(): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = 8;
  canvas.height = 8;
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, 8, 8) ?? {};
  return data?.every((value, place) => place % 4 < 3 || value < 128) ?? false;
}

/** A PNG in base64, scaled down only if it exceeds the API's limit. */
export function fittingPng(paint: (scale: number) => HTMLCanvasElement): string {
  if (!canReadCanvas()) throw new Error('The browser withholds what is drawn.');
  for (let scale = 1; scale > 0.1; scale *= 0.7) {
    const base64 = paint(scale).toDataURL('image/png').slice(PREFIX.length);
    if (base64.length <= LIMITS.signatureImageBase64Length) return base64;
  }
  throw new Error('The picture is too large at every scale.');
}

/** The drawing as a transparent PNG, cropped to its ink. */
export const drawingPng = (drawing: Drawing): string => fittingPng((scale) => paint(drawing, scale));

function paint(drawing: Drawing, scale: number): HTMLCanvasElement {
  const box = inkBox(drawing);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(box.width * scale);
  canvas.height = Math.ceil(box.height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no canvas.');
  context.scale(scale, scale);
  context.translate(-box.left, -box.top);
  context.lineWidth = INK_WIDTH;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = '#10202e';
  context.stroke(new Path2D(drawingPath(drawing)));
  return canvas;
}
