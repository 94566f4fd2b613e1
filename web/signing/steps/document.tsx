import type { TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Heading } from '../../parts/heading.tsx';
import { MoreIcon } from '../../parts/icons.tsx';
import { useListener } from '../../parts/use-listener.ts';
import { Viewer } from '../document/viewer.tsx';
import { usePage } from '../page.tsx';
import { Letter } from './letter.tsx';
import { Notice } from './notice.tsx';

export function DocumentStep() {
  const { controller, texts } = usePage();
  const { view } = controller.flow;
  if (!view) return null;
  return (
    <div class="reading">
      <div class="reading-side stack-wide">
        <Heading>{texts.document.heading}</Heading>
        <Notice />
        <Letter view={view} />
        <p class="on-paper">{texts.document.toPrint}</p>
      </div>
      <Viewer />
      <div class="reading-actions">
        <Button kind="main" disabled={!controller.document.loaded} onClick={() => controller.goTo('sign')}>
          {texts.document.toSign}
        </Button>
        <OtherChoices />
      </div>
    </div>
  );
}

/** Escape closes a menu, and leads back to its button. */
function closeOnEscape({ key, currentTarget }: TargetedKeyboardEvent<HTMLDetailsElement>) {
  if (key !== 'Escape') return;
  currentTarget.open = false;
  currentTarget.querySelector('summary')?.focus();
}

/** A menu of other choices: two more buttons would take screen height from the document on a phone. */
function OtherChoices() {
  const { controller, texts } = usePage();
  const menu = useRef<HTMLDetailsElement>(null);
  /** The menu may cover what is pressed or focused. */
  const closeIfLeft = ({ target }: Event) => {
    if (menu.current && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
  };
  useListener('pointerdown', closeIfLeft);
  useListener('focusin', closeIfLeft);
  return (
    <details ref={menu} class="more" onKeyDown={closeOnEscape}>
      <summary class="button button-quiet">
        <MoreIcon />
        <span class="more-label">{texts.document.more}</span>
      </summary>
      <div class="more-choices">
        <Button kind="quiet" onClick={() => controller.goTo('later')}>
          {texts.document.toLater}
        </Button>
        <Button kind="quiet" onClick={() => controller.goTo('decline')}>
          {texts.document.toDecline}
        </Button>
      </div>
    </details>
  );
}
