/** Time and place tell clicks apart. */
export type Click = Pick<MouseEvent, 'detail' | 'timeStamp' | 'clientX' | 'clientY'>;

/** The most time and distance between the clicks of a double click. */
const MILLISECONDS = 500;
const PIXELS = 40;

/** True for the second click of a double click. `detail` counts clicks: 0 for the keyboard, always 1 in Safari on iOS. */
export const isSecondClick = (click: Click, before: Click | undefined): boolean =>
  click.detail > 1 ||
  (click.detail === 1 &&
    before !== undefined &&
    click.timeStamp - before.timeStamp < MILLISECONDS &&
    Math.hypot(click.clientX - before.clientX, click.clientY - before.clientY) < PIXELS);
