import type { ComponentChildren } from 'preact';

/** The one heading of a step. It takes the focus when its step begins. */
export const Heading = ({ children }: { children: ComponentChildren }) => <h1 tabIndex={-1}>{children}</h1>;
