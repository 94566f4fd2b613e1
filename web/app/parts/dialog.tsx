import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { CloseIcon } from '../../parts/icons.tsx';
import { usePage } from '../page.ts';

interface DialogProps {
  heading: ComponentChildren;
  /** The user cannot dismiss it. */
  isForced?: boolean;
  /** Closing it during its work would look like cancelling the work. */
  isBusy?: boolean;
  onClose?(): void;
  /** Read by screen readers together with the heading, because the focus starts on a control below it. */
  text?: string;
  children: ComponentChildren;
}

/** Open as long as it is rendered. The browser keeps the focus inside; closing returns it to the opener. */
export function Dialog({ heading, isForced = false, isBusy = false, onClose, text, children }: DialogProps) {
  const { texts } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const textId = text && `${id}-text`;
  const mayClose = !isForced && !isBusy;
  // As part of rendering: between that and a later effect, a key would reach the page below.
  useLayoutEffect(() => {
    const opener = openerOf(document.activeElement);
    dialog.current?.showModal();
    // The opener is inert while the dialog is in the document, and may be removed with it.
    return () => queueMicrotask(() => focusAgain(opener));
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      aria-describedby={textId}
      closedby={mayClose ? 'closerequest' : 'none'}
      onCancel={(event) => {
        event.preventDefault();
        if (mayClose) onClose?.();
      }}
      // Some browsers close it on a second Esc even if the first was prevented.
      onClose={() => (mayClose ? onClose?.() : dialog.current?.showModal())}
    >
      <div class="dialog-head">
        <h2 id={id}>{heading}</h2>
        {!isForced && (
          <button
            type="button"
            class="icon-button"
            aria-label={texts.close}
            disabled={isBusy}
            onClick={onClose}
          >
            <CloseIcon />
          </button>
        )}
      </div>
      {text && <p id={textId}>{text}</p>}
      {children}
    </dialog>
  );
}

/** The focus does not tell: some browsers move it out of a dialog when its text is clicked. */
export const isDialogOpen = () => document.querySelector('dialog:modal') !== null;

/** A dialog closes the menu that opened it, so the menu's button gets the focus back. */
function openerOf(focused: Element | null) {
  const menu = 'popover' in HTMLElement.prototype && focused?.closest('[popover]');
  return menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : focused;
}

/** Focuses the page's heading if the opener is gone. */
function focusAgain(opener: Element | null) {
  const target = opener?.isConnected ? opener : document.querySelector('main h1');
  if (target instanceof HTMLElement) target.focus();
}
