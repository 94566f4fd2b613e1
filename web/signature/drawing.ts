/**
 * A drawn signature as vectors, in units of the pad (PAD_WIDTH by PAD_HEIGHT): turning the phone or resizing the
 * window changes how large it is shown, never what was drawn.
 */
export const PAD_WIDTH = 1000;
export const PAD_HEIGHT = 400;
export const INK_WIDTH = 7;

export interface Point {
  readonly x: number;
  readonly y: number;
}
export type Stroke = readonly Point[];
export interface Drawing {
  readonly strokes: readonly Stroke[];
}

/** So many points make a signature; more is a machine or a pen left lying, and would make the picture too large. */
const MOST_POINTS = 6_000;
/** Points closer than this add nothing that can be seen. */
const LEAST_DISTANCE = 2;

export const EMPTY_DRAWING: Drawing = { strokes: [] };

const inPad = ({ x, y }: Point): Point => ({
  x: Math.round(Math.min(Math.max(x, 0), PAD_WIDTH) * 10) / 10,
  y: Math.round(Math.min(Math.max(y, 0), PAD_HEIGHT) * 10) / 10,
});

const pointCount = (drawing: Drawing) => drawing.strokes.reduce((sum, stroke) => sum + stroke.length, 0);

export const beginStroke = (drawing: Drawing, point: Point): Drawing =>
  pointCount(drawing) >= MOST_POINTS ? drawing : { strokes: [...drawing.strokes, [inPad(point)]] };

export function extendStroke(drawing: Drawing, point: Point): Drawing {
  const stroke = drawing.strokes.at(-1);
  const last = stroke?.at(-1);
  if (!stroke || !last || pointCount(drawing) >= MOST_POINTS) return drawing;
  const to = inPad(point);
  if (Math.hypot(to.x - last.x, to.y - last.y) < LEAST_DISTANCE) return drawing;
  return { strokes: [...drawing.strokes.slice(0, -1), [...stroke, to]] };
}

export const undoStroke = (drawing: Drawing): Drawing => ({ strokes: drawing.strokes.slice(0, -1) });

/** An SVG path: through the middles of neighbouring points, bent by the points themselves, so that corners are round. */
export const drawingPath = (drawing: Drawing) => drawing.strokes.map(strokePath).join('');

const tidy = (value: number) => Math.round(value * 10) / 10;
const spell = (point: Point) => `${tidy(point.x)} ${tidy(point.y)}`;
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

function strokePath(stroke: Stroke): string {
  const [first, ...rest] = stroke;
  if (!first) return '';
  // A tap leaves a dot: a line of no length with round ends.
  if (rest.length === 0) return `M${spell(first)}l0.1 0`;
  const bends = rest.slice(0, -1).map((point, i) => {
    const following = rest[i + 1] ?? point;
    return `Q${spell(point)} ${spell(middle(point, following))}`;
  });
  return `M${spell(first)}${bends.join('')}L${spell(rest.at(-1) ?? first)}`;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The part of the pad that holds ink, with room for the pen's width. */
export function inkBox(drawing: Drawing): Box {
  const points = drawing.strokes.flat();
  const room = INK_WIDTH * 2;
  const left = Math.max(0, Math.min(...points.map((point) => point.x)) - room);
  const top = Math.max(0, Math.min(...points.map((point) => point.y)) - room);
  const right = Math.min(PAD_WIDTH, Math.max(...points.map((point) => point.x)) + room);
  const bottom = Math.min(PAD_HEIGHT, Math.max(...points.map((point) => point.y)) + room);
  return { left, top, width: right - left, height: bottom - top };
}
