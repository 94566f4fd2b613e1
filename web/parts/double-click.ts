/** Time and place tell clicks apart. */
export type Click = Pick<MouseEvent, 'detail' | 'timeStamp' | 'clientX' | 'clientY'>;

/** At most so much time lies between the clicks of a double one, and a finger strays so far. */
const MILLISECONDS = 500;
const PIXELS = 40;

/**
 * True for the second click of a double one. Browsers count them in `detail`, which is 0 for the keyboard; Safari on iOS says 1
 * of each.
 */
export const isSecondClick = (click: Click, before: Click | undefined): boolean =>
  click.detail > 1 ||
  (click.detail === 1 &&
    before !== undefined &&
    click.timeStamp - before.timeStamp < MILLISECONDS &&
    Math.hypot(click.clientX - before.clientX, click.clientY - before.clientY) < PIXELS);
