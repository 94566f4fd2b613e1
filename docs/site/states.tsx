import type { RequestStatus } from '../../shared/contract/fields.ts';
import { REQUEST_STATUS_WORDS } from '../../shared/contract/words/enums.ts';
import { TRANSITIONS } from '../../shared/requests/transitions.ts';

/** The states of a request: drawn from the table of transitions, and told in words for those who do not see the drawing. */

const BOX = { width: 128, height: 38 };
const LEFT = 48;
const RIGHT = 236;

const PLACES: Readonly<Record<RequestStatus, { x: number; y: number }>> = {
  pending: { x: LEFT, y: 24 },
  sent: { x: LEFT, y: 100 },
  opened: { x: LEFT, y: 176 },
  awaiting_stamp: { x: LEFT, y: 288 },
  signed: { x: LEFT, y: 364 },
  declined: { x: RIGHT, y: 24 },
  cancelled: { x: RIGHT, y: 100 },
  expired: { x: RIGHT, y: 176 },
  stamp_failed: { x: RIGHT, y: 288 },
};
const SIZE = { width: RIGHT + BOX.width + 8, height: 412 };

/** An ending that any of them can have is drawn once, from the frame around them. */
const OPEN: readonly RequestStatus[] = ['pending', 'sent', 'opened'];
const FRAME = { x: 8, y: 8, width: LEFT + BOX.width + 4, height: 222 };

const STATUSES = Object.keys(TRANSITIONS) as RequestStatus[];
const targetsOf = (status: RequestStatus) => Object.keys(TRANSITIONS[status]) as RequestStatus[];
const leads = (from: RequestStatus, to: RequestStatus) => targetsOf(from).includes(to);

const shared = targetsOf('pending').filter(
  (to) => !OPEN.includes(to) && OPEN.every((status) => leads(status, to)),
);
const single = STATUSES.flatMap((from) =>
  targetsOf(from)
    .filter((to) => !(OPEN.includes(from) && shared.includes(to)))
    .map((to) => ({ from, to })),
);

const middle = ({ x, y }: { x: number; y: number }) => ({ x: x + BOX.width / 2, y: y + BOX.height / 2 });

/** From the frame, to the right or down. */
function arrowFromFrame(to: RequestStatus): string {
  const target = PLACES[to];
  const { x, y } = middle(target);
  return target.x === RIGHT
    ? `M${FRAME.x + FRAME.width} ${y}H${target.x}`
    : `M${x} ${FRAME.y + FRAME.height}V${target.y}`;
}

/** Side by side, one below the other, or past the one between them. */
function arrowBetween(from: RequestStatus, to: RequestStatus): string {
  const [start, end] = [PLACES[from], PLACES[to]];
  if (start.y === end.y) {
    const offset = leads(to, from) ? 8 : 0;
    const y = middle(start).y + (start.x < end.x ? -offset : offset);
    return start.x < end.x
      ? `M${start.x + BOX.width} ${y}H${end.x}`
      : `M${start.x} ${y}H${end.x + BOX.width}`;
  }
  if (end.y - start.y < 4 * BOX.height) return `M${middle(start).x} ${start.y + BOX.height}V${end.y}`;
  const [y1, y2] = [middle(start).y, middle(end).y];
  return `M${start.x} ${y1}C${start.x - 34} ${y1} ${start.x - 34} ${y2} ${end.x} ${y2}`;
}

const Box = ({ status }: { status: RequestStatus }) => {
  const { x, y } = PLACES[status];
  const centre = middle(PLACES[status]);
  const isFinal = targetsOf(status).length === 0;
  return (
    <g class={isFinal ? 'state final' : 'state'}>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="10" />
      <text x={centre.x} y={centre.y + 5}>
        {status}
      </text>
    </g>
  );
};

const Drawing = () => (
  <svg
    class="states"
    viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
    role="img"
    aria-labelledby="states-title"
    aria-describedby="states-words"
  >
    <title id="states-title">The states of a request, and the ways between them</title>
    <defs>
      <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
        <path class="tip" d="M0 0 8 4 0 8z" />
      </marker>
    </defs>
    <rect class="open" {...FRAME} rx="16" />
    {shared.map((to) => (
      <path class="way" d={arrowFromFrame(to)} marker-end="url(#tip)" />
    ))}
    {single.map(({ from, to }) => (
      <path class="way" d={arrowBetween(from, to)} marker-end="url(#tip)" />
    ))}
    {STATUSES.map((status) => (
      <Box status={status} />
    ))}
  </svg>
);

export const StatesPage = () => (
  <>
    <p>
      A request begins as <code>pending</code>. An arrow from the frame stands for one from each state in it.
      The states with a thick edge are final.
    </p>
    <figure>
      <Drawing />
    </figure>
    <h2 id="in-words">
      <a href="#in-words">In words</a>
    </h2>
    <dl id="states-words">
      {STATUSES.map((status) => (
        <div class="field" id={status}>
          <dt>
            <a href={`#${status}`}>
              <code>{status}</code>
            </a>
          </dt>
          <dd>
            {REQUEST_STATUS_WORDS[status]}.{targetsOf(status).length === 0 && ' Final.'}
            <ul>
              {Object.entries(TRANSITIONS[status]).map(([to, cause]) => (
                <li>
                  <a href={`#${to}`}>
                    <code>{to}</code>
                  </a>
                  {`: ${cause}`}
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  </>
);
