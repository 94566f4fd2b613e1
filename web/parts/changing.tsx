import type { ComponentChildren } from 'preact';

/** A text that changes while it is shown, in a new element each time: a browser's translator replaces the text node. */
export const Changing = ({ children }: { children: ComponentChildren }) => (
  <span key={String(children)}>{children}</span>
);

/** In the name of a button. Screen readers announce each change of the focused button's name, so what they read changes less often. */
export const Paced = ({ seen, heard }: { seen: string; heard: string }) => (
  <>
    <span aria-hidden="true">
      <Changing>{seen}</Changing>
    </span>
    <span class="visually-hidden">
      <Changing>{heard}</Changing>
    </span>
  </>
);
