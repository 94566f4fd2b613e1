import type { ComponentChildren } from 'preact';

/**
 * A text that changes while it is shown. Translators of browsers put nodes of their own in the place of text nodes, and a
 * change to the old node would not be seen; a new element is.
 */
export const Changing = ({ children }: { children: ComponentChildren }) => (
  <span key={String(children)}>{children}</span>
);
