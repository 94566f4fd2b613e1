/** A drawn signature in units of the pad, PAD_WIDTH by PAD_HEIGHT: another size of the screen never changes the drawing. */
export const PAD_WIDTH = 1000;
export const PAD_HEIGHT = 400;
export const INK_WIDTH = 7;

export interface Point {
  readonly x: number;
  readonly y: number;
}
type Stroke = readonly Point[];
export interface Drawing {
  readonly strokes: readonly Stroke[];
}

/** No hand draws more points, and the image would become too large. */
const MAX_POINTS = 6_000;
/** Points closer than this make no visible difference. */
const MIN_DISTANCE = 2;

export const EMPTY_DRAWING: Drawing = { strokes: [] };

const round = (value: number) => Math.round(value * 10) / 10;
const clampToPad = ({ x, y }: Point): Point => ({
  x: round(Math.min(Math.max(x, 0), PAD_WIDTH)),
  y: round(Math.min(Math.max(y, 0), PAD_HEIGHT)),
});

const pointCount = (drawing: Drawing) => drawing.strokes.reduce((sum, stroke) => sum + stroke.length, 0);

export const beginStroke = (drawing: Drawing, point: Point): Drawing =>
  pointCount(drawing) >= MAX_POINTS ? drawing : { strokes: [...drawing.strokes, [clampToPad(point)]] };

export function extendStroke(drawing: Drawing, point: Point): Drawing {
  const stroke = drawing.strokes.at(-1);
  const last = stroke?.at(-1);
  if (!stroke || !last || pointCount(drawing) >= MAX_POINTS) return drawing;
  const to = clampToPad(point);
  if (Math.hypot(to.x - last.x, to.y - last.y) < MIN_DISTANCE) return drawing;
  return { strokes: [...drawing.strokes.slice(0, -1), [...stroke, to]] };
}

export const undoStroke = (drawing: Drawing): Drawing => ({ strokes: drawing.strokes.slice(0, -1) });

/** An SVG path of curves between the midpoints of neighbouring points, which rounds the corners. */
export const drawingPath = (drawing: Drawing) => drawing.strokes.map(strokePath).join('');

const coordinates = (point: Point) => `${round(point.x)} ${round(point.y)}`;
const midpoint = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

function strokePath(stroke: Stroke): string {
  const [first, ...rest] = stroke;
  if (!first) return '';
  // A tap draws a dot: a very short line with round ends.
  if (rest.length === 0) return `M${coordinates(first)}l0.1 0`;
  const curves = rest.slice(0, -1).map((point, i) => {
    const next = rest[i + 1] ?? point;
    return `Q${coordinates(point)} ${coordinates(midpoint(point, next))}`;
  });
  return `M${coordinates(first)}${curves.join('')}L${coordinates(rest.at(-1) ?? first)}`;
}

/** The bounding box of the ink, with a margin for the width of the pen. */
export function inkBox(drawing: Drawing) {
  const points = drawing.strokes.flat();
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const margin = INK_WIDTH * 2;
  const left = Math.max(0, Math.min(...xs) - margin);
  const top = Math.max(0, Math.min(...ys) - margin);
  const right = Math.min(PAD_WIDTH, Math.max(...xs) + margin);
  const bottom = Math.min(PAD_HEIGHT, Math.max(...ys) + margin);
  return { left, top, width: right - left, height: bottom - top };
}
