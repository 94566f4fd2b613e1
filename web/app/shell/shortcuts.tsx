import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useListener } from '../../parts/use-listener.ts';
import { browserMemory } from '../memory.ts';
import { usePage } from '../page.ts';
import { Check } from '../parts/check.tsx';
import { closeMenu } from '../parts/close-menu.ts';
import { Dialog, isDialogOpen } from '../parts/dialog.tsx';

const isShown = signal(false);
export const showShortcuts = () => {
  isShown.value = true;
};

const OFF = 'shortcuts-off';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null;

const focusSearch = () => document.getElementById('search')?.focus();

/** Single-key shortcuts, which can be turned off: speech input and slips press keys too. */
export function Shortcuts() {
  const { texts } = usePage();
  const { route, url } = useLocation();
  const [isOff, setOff] = useState(() => browserMemory.getItem(OFF) === 'true');
  const leadTo = (page: string) => () => {
    if (page !== url) route(page);
  };
  const actions: Record<string, () => void> = {
    '?': showShortcuts,
    n: leadTo('/app/new'),
    r: leadTo('/app'),
    s: leadTo('/app/settings'),
    '/': focusSearch,
  };
  useListener('keydown', (event) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if (isOff || isModified || isTyping(event.target) || isDialogOpen()) return;
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    // An open menu would cover the next page.
    closeMenu();
    actions[event.key]?.();
  });
  if (!isShown.value) return null;
  const { nav, shortcuts } = texts;
  const { keys } = shortcuts;
  const close = () => {
    isShown.value = false;
  };
  return (
    <Dialog heading={shortcuts.heading} onClose={close}>
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
