import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { CloseIcon } from '../../parts/icons.tsx';
import { usePage } from '../page.ts';

interface DialogProps {
  heading: string;
  /** There is no way back to the page without it. */
  isForced?: boolean;
  onClose?(): void;
  children: ComponentChildren;
}

/** Shown while it is rendered. The browser keeps the focus inside, and gives it back at the end. */
export function Dialog({ heading, isForced = false, onClose, children }: DialogProps) {
  const { texts } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isForced) onClose?.();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{heading}</h2>
        {!isForced && (
          <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
            <CloseIcon />
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}
