import {
  beginStroke,
  type Drawing,
  drawingPath,
  EMPTY_DRAWING,
  extendStroke,
  inkBox,
  PAD_HEIGHT,
  PAD_WIDTH,
  undoStroke,
} from '../../../web/signing/signature/drawing.ts';

const stroke = (...points: [number, number][]): Drawing =>
  points.reduce<Drawing>(
    (drawing, [x, y], index) =>
      index === 0 ? beginStroke(drawing, { x, y }) : extendStroke(drawing, { x, y }),
    EMPTY_DRAWING,
  );

describe('a drawn signature', () => {
  it('a drawing is stored as strokes of points', () => {
    const drawing = beginStroke(stroke([10, 10], [20, 30]), { x: 50, y: 50 });
    expect(drawing.strokes).toEqual([
      [
        { x: 10, y: 10 },
        { x: 20, y: 30 },
      ],
      [{ x: 50, y: 50 }],
    ]);
  });

  it('a stroke stays inside the pad when the finger leaves it', () => {
    expect(stroke([-40, 10], [PAD_WIDTH + 300, PAD_HEIGHT + 90]).strokes[0]).toEqual([
      { x: 0, y: 10 },
      { x: PAD_WIDTH, y: PAD_HEIGHT },
    ]);
  });

  it('a point too close to the last one to be visible is ignored', () => {
    expect(stroke([10, 10], [10.5, 10.5], [11, 11], [14, 10]).strokes[0]).toHaveLength(2);
  });

  it('a drawing without a stroke cannot be extended', () => {
    expect(extendStroke(EMPTY_DRAWING, { x: 1, y: 1 })).toBe(EMPTY_DRAWING);
  });

  it('a drawing stops growing at 6,000 points', () => {
    let drawing = beginStroke(EMPTY_DRAWING, { x: 0, y: 0 });
    for (let i = 1; i < 7_000; i++) drawing = extendStroke(drawing, { x: (i % 2) * 500, y: 0 });
    expect(drawing.strokes[0]).toHaveLength(6_000);
    expect(beginStroke(drawing, { x: 0, y: 0 })).toBe(drawing);
  });

  it('undo removes the last stroke', () => {
    const one = stroke([10, 10], [20, 30]);
    expect(undoStroke(beginStroke(one, { x: 5, y: 5 }))).toEqual(one);
    expect(undoStroke(EMPTY_DRAWING)).toEqual(EMPTY_DRAWING);
  });
});

describe('the path of a drawing', () => {
  it('a path starts and ends where the pen did, and curves in between', () => {
    expect(drawingPath(stroke([0, 0], [10, 0], [10, 10]))).toBe('M0 0Q10 0 10 5L10 10');
  });

  it('the path of a tap is a dot', () => {
    expect(drawingPath(stroke([7, 8]))).toBe('M7 8l0.1 0');
  });

  it('the path of an empty drawing is empty', () => {
    expect(drawingPath(EMPTY_DRAWING)).toBe('');
  });
});

it('the image is cropped to the ink plus a margin, within the pad', () => {
  expect(inkBox(stroke([100, 100], [200, 150]))).toEqual({ left: 86, top: 86, width: 128, height: 78 });
  expect(inkBox(stroke([0, 0], [1000, 400]))).toEqual({ left: 0, top: 0, width: 1000, height: 400 });
});
