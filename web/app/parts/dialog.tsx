import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { CloseIcon } from '../../parts/icons.tsx';
import { usePage } from '../page.ts';

interface DialogProps {
  heading: string;
  /** There is no way back to the page without it. */
  isForced?: boolean;
  /** Its work is under way: closing would look like stopping it. */
  isBusy?: boolean;
  onClose?(): void;
  /** Its subject. Screen readers say it with the heading, since the focus is on a control after it. */
  text?: string;
  children: ComponentChildren;
}

/** Shown while it is rendered. The browser keeps the focus inside; it goes back to the opener at the end. */
export function Dialog({ heading, isForced = false, isBusy = false, onClose, text, children }: DialogProps) {
  const { texts } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const textId = text && `${id}-text`;
  const mayClose = !isForced && !isBusy;
  useEffect(() => {
    const opener = openerOf(document.activeElement);
    dialog.current?.showModal();
    // It is inert as long as the dialog is in the document, and may leave with it.
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
      // Some browsers close it on a second Esc, whatever became of the first.
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

/** A menu closes under a dialog: its button stands for what was chosen in it. Without popovers a menu stays open. */
function openerOf(focused: Element | null) {
  const menu = 'popover' in HTMLElement.prototype && focused?.closest('[popover]');
  return menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : focused;
}

/** The page's heading takes the focus for an opener that is gone. */
function focusAgain(opener: Element | null) {
  const target = opener?.isConnected ? opener : document.querySelector('main h1');
  if (target instanceof HTMLElement) target.focus();
}
