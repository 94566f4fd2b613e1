import { useRef } from 'preact/hooks';
import { SteadyButton } from '../../parts/button.tsx';
import { usePage } from '../page.tsx';
import {
  beginStroke,
  type Drawing,
  drawingPath,
  EMPTY_DRAWING,
  extendStroke,
  INK_WIDTH,
  PAD_HEIGHT,
  PAD_WIDTH,
  type Point,
  undoStroke,
} from './drawing.ts';

/** The area to draw a signature in. The drawing is an SVG, which scales with the pad. */
export function SignaturePad({ drawing, onDraw }: { drawing: Drawing; onDraw(drawing: Drawing): void }) {
  const { texts } = usePage();
  const activePointer = useRef<number | null>(null);
  // Pointer events arrive faster than the page renders, so keep the latest drawing here.
  const latest = useRef(drawing);
  latest.current = drawing;
  const draw = (changed: Drawing) => {
    latest.current = changed;
    onDraw(changed);
  };
  /** Only for the pointer that draws: the browser also cancels that of a palm beside a pen. */
  const release = ({ pointerId }: PointerEvent) => {
    if (activePointer.current === pointerId) activePointer.current = null;
  };
  const isEmpty = drawing.strokes.length === 0;
  return (
    <div class="pad-frame">
      <svg
        class="pad"
        viewBox={`0 0 ${PAD_WIDTH} ${PAD_HEIGHT}`}
        role="img"
        aria-label={isEmpty ? texts.sign.pad : texts.sign.padDrawn}
        onPointerDown={(event) => {
          if (activePointer.current !== null || event.button !== 0) return;
          event.preventDefault();
          activePointer.current = event.pointerId;
          event.currentTarget.setPointerCapture(event.pointerId);
          draw(beginStroke(latest.current, toPad(event.currentTarget, event)));
        }}
        onPointerMove={(event) => {
          if (activePointer.current !== event.pointerId) return;
          const pad = event.currentTarget;
          const coalesced = event.getCoalescedEvents?.() ?? [];
          const points = (coalesced.length > 0 ? coalesced : [event]).map((each) => toPad(pad, each));
          draw(points.reduce(extendStroke, latest.current));
        }}
        onPointerUp={release}
        onPointerCancel={release}
      >
        <path class="pad-line" d={`M60 ${PAD_HEIGHT - 90}H${PAD_WIDTH - 60}`} />
        {isEmpty && (
          <text class="pad-hint" x="60" y={PAD_HEIGHT - 40}>
            {texts.sign.padHint}
          </text>
        )}
        <path class="pad-ink" d={drawingPath(drawing)} stroke-width={INK_WIDTH} />
      </svg>
      <div class="pad-tools">
        <SteadyButton class="link" idle={isEmpty} onClick={() => draw(undoStroke(latest.current))}>
          {texts.sign.undo}
        </SteadyButton>
        <SteadyButton class="link" idle={isEmpty} onClick={() => draw(EMPTY_DRAWING)}>
          {texts.sign.clear}
        </SteadyButton>
      </div>
    </div>
  );
}

function toPad(pad: Element, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const box = pad.getBoundingClientRect();
  return {
    x: ((clientX - box.left) / box.width) * PAD_WIDTH,
    y: ((clientY - box.top) / box.height) * PAD_HEIGHT,
  };
}
