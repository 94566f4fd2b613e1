import type { ComponentChildren } from 'preact';

/** The only heading of a step. It is focused when the step starts. */
export const Heading = ({ children }: { children: ComponentChildren }) => <h1 tabIndex={-1}>{children}</h1>;
