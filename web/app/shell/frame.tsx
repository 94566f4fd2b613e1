import type { ComponentChildren } from 'preact';
import { Connection } from '../../parts/connection.tsx';
import { AlertIcon, Logo } from '../../parts/icons.tsx';
import type { Message } from '../../parts/message.ts';
import { useListener } from '../../parts/use-listener.ts';
import { Unsent } from '../new/unsent.tsx';
import { usePage } from '../page.ts';
import { closeLeftMenu } from '../parts/close-menu.ts';
import { Account, Language } from './account.tsx';
import { DropTarget } from './drop.tsx';
import { Navigation } from './navigation.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Toast } from './toast.tsx';

interface FrameProps {
  message: Message | null;
  children: ComponentChildren;
}

/** Moves the focus without a history entry, which would lead from a new request's summary back to its form. */
const skip = (event: Event) => {
  event.preventDefault();
  document.getElementById('main')?.focus();
};

/** A link to the page that is shown leads to its top. The router would add a history entry, where “back” seems to do nothing. */
function stayOnPage(event: MouseEvent) {
  const link = event.target instanceof Element && event.target.closest('a');
  const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  if (!link || link.href !== location.href || isModified) return;
  event.preventDefault();
  event.stopPropagation();
  window.scrollTo(0, 0);
  document.querySelector<HTMLElement>('main h1')?.focus();
}

/** The layout around every page: header, banners, and short messages. */
export function Frame({ message, children }: FrameProps) {
  const { session, texts } = usePage();
  const isSignedIn = Boolean(session.me.value);
  useListener('focusin', closeLeftMenu);
  // Before the router, which listens to the window.
  useListener('click', stayOnPage, { capture: true });
  return (
    <div class="frame">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on the page, as screen readers expect of a skip link */}
      <a class="skip" href="#main" onClick={skip}>
        {texts.skip}
      </a>
      <header class="head">
        <a class="wordmark" href="/app" lang="en">
          <Logo />
          <span>Signature requests</span>
        </a>
        {isSignedIn && <Navigation />}
        {isSignedIn ? <Account /> : <Language />}
      </header>
      {isSignedIn && session.mode.value === 'test' && (
        <p class="banner banner-test">
          <span>
            <AlertIcon /> {texts.testMode.banner}
          </span>
        </p>
      )}
      <Connection delay={session.delay.value} texts={texts.connection} tryNow={() => void session.tryNow()} />
      <Unsent />
      <main class="main" id="main" tabIndex={-1}>
        {children}
      </main>
      <div class="toast-area" role="status">
        {message && <Toast key={message.number} sentence={message.sentence} />}
      </div>
      {isSignedIn && <Shortcuts />}
      {isSignedIn && <DropTarget />}
    </div>
  );
}
