import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Heading } from '../../parts/heading.tsx';
import { MoreIcon } from '../../parts/icons.tsx';
import { Viewer } from '../document/viewer.tsx';
import { usePage } from '../page.tsx';
import { Letter } from './letter.tsx';
import { Notice } from './notice.tsx';

export function DocumentStep() {
  const { controller, texts, locale, announce } = usePage();
  const { view } = controller.flow;
  const { loaded, progress, hasFailed } = controller.document;
  if (!view) return null;
  return (
    <div class="reading">
      <div class="reading-side stack-wide">
        <Heading>{texts.document.heading}</Heading>
        <Notice />
        <Letter view={view} />
        <p class="on-paper">{texts.document.toPrint}</p>
      </div>
      <Viewer
        bytes={loaded?.bytes ?? null}
        progress={progress}
        hasFailed={hasFailed}
        onRetry={controller.loadDocument}
        reach={controller.reach}
        texts={texts}
        locale={locale}
        startAt={controller.draft?.page ?? 1}
        onPage={(page) => controller.edit({ page })}
        onSave={() => {
          controller.saveOriginal();
          announce(texts.document.downloaded);
        }}
        announce={announce}
      />
      <div class="reading-actions">
        <Button kind="main" disabled={!loaded} onClick={() => controller.goTo('sign')}>
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

/** Closes a menu when something else is pressed or focused, which it may cover. */
function useMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const ending = new AbortController();
    const closeIfLeft = ({ target }: Event) => {
      if (menu.current && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
    };
    for (const leaving of ['pointerdown', 'focusin'])
      document.addEventListener(leaving, closeIfLeft, { signal: ending.signal });
    return () => ending.abort();
  }, []);
  return menu;
}

/** A menu of other choices: two more buttons would take screen height from the document on a phone. */
function OtherChoices() {
  const { controller, texts } = usePage();
  const menu = useMenu();
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
