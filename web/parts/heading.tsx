import type { ComponentChildren } from 'preact';

/** The only heading of a step. It gets the focus when the step begins. */
export const Heading = ({ children }: { children: ComponentChildren }) => <h1 tabIndex={-1}>{children}</h1>;
