import type { ComponentChildren } from 'preact';

/**
 * A text that changes while it is shown. A browser's translator replaces text nodes, so an update of the old node would stay
 * invisible. A new element is shown.
 */
export const Changing = ({ children }: { children: ComponentChildren }) => (
  <span key={String(children)}>{children}</span>
);
