import { IMAGE_BASE64_LENGTH } from '../contract.ts';
import { type Drawing, drawingPath, INK_WIDTH, inkBox } from './drawing.ts';

/** The drawing as a picture, cut to its ink: dark on nothing, at the size of the pad, smaller only if it must be. */
export async function drawingPng(drawing: Drawing): Promise<string> {
  for (let scale = 1; scale > 0.2; scale /= 2) {
    const base64 = await pngAt(drawing, scale);
    if (base64.length <= IMAGE_BASE64_LENGTH) return base64;
  }
  throw new Error('the drawing does not fit');
}

async function pngAt(drawing: Drawing, scale: number): Promise<string> {
  const box = inkBox(drawing);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(box.width * scale);
  canvas.height = Math.ceil(box.height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.scale(scale, scale);
  context.translate(-box.left, -box.top);
  context.lineWidth = INK_WIDTH;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = '#10202e';
  context.stroke(new Path2D(drawingPath(drawing)));
  return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
}
