import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { browserMemory } from '../memory.ts';
import { usePage } from '../page.ts';
import { Check } from '../parts/check.tsx';
import { closeMenu } from '../parts/close-menu.ts';
import { Dialog, isDialogOpen } from '../parts/dialog.tsx';

export const SHOW_SHORTCUTS = 'show-shortcuts';
const OFF = 'shortcuts-off';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null;

const focusSearch = () => document.getElementById('search')?.focus();

/** Single-key shortcuts, which can be turned off: speech input and slips press keys too. */
export function Shortcuts() {
  const { texts } = usePage();
  const { route, url } = useLocation();
  const [isShown, show] = useState(false);
  const [isOff, setOff] = useState(() => browserMemory.getItem(OFF) === 'true');
  const leadTo = (page: string) => () => {
    if (page !== url) route(page);
  };
  const actions: Record<string, () => void> = {
    '?': () => show(true),
    n: leadTo('/app/new'),
    r: leadTo('/app'),
    s: leadTo('/app/settings'),
    '/': focusSearch,
  };
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener(SHOW_SHORTCUTS, () => show(true), { signal });
    document.addEventListener(
      'keydown',
      (event) => {
        const isModified = event.ctrlKey || event.metaKey || event.altKey;
        if (isOff || isModified || isTyping(event.target) || isDialogOpen()) return;
        if (!Object.hasOwn(actions, event.key)) return;
        event.preventDefault();
        // An open menu would cover the next page.
        closeMenu();
        actions[event.key]?.();
      },
      { signal },
    );
    return () => ending.abort();
  }, [isOff, route]);
  if (!isShown) return null;
  const { nav, shortcuts } = texts;
  const { keys } = shortcuts;
  return (
    <Dialog heading={shortcuts.heading} onClose={() => show(false)}>
      <dl class="shortcuts">
        {Object.entries({
          n: nav.create,
          r: texts.request.back,
          s: nav.settings,
          '/': keys.search,
          '?': keys.help,
          Esc: keys.close,
        }).map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Check
        label={shortcuts.use}
        isChecked={!isOff}
        onChange={(isOn) => {
          setOff(!isOn);
          browserMemory.setItem(OFF, String(!isOn));
        }}
      />
    </Dialog>
  );
}
