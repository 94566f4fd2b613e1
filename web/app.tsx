import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Conductor } from './flow/conductor.ts';
import type { Screen } from './flow/flow.ts';
import { PageContext, textsOf } from './page.tsx';
import { Frame } from './parts/frame.tsx';
import { CodeStep } from './steps/code.tsx';
import { DeclineStep } from './steps/decline.tsx';
import { DocumentStep } from './steps/document.tsx';
import { DoneStep } from './steps/done.tsx';
import { Ended } from './steps/ended.tsx';
import { Opening } from './steps/opening.tsx';
import { SignStep } from './steps/sign.tsx';
import { Trouble } from './steps/trouble.tsx';

const SCREENS: Record<Screen, () => preact.JSX.Element | null> = {
  opening: Opening,
  code: CodeStep,
  document: DocumentStep,
  sign: SignStep,
  decline: DeclineStep,
  done: DoneStep,
  ended: Ended,
  trouble: Trouble,
};

export function App({ conductor, tryNow }: { conductor: Conductor; tryNow(): void }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    const stop = conductor.subscribe(() => redraw((drawn) => drawn + 1));
    redraw((drawn) => drawn + 1);
    return () => void stop();
  }, [conductor]);
  const [said, announce] = useState('');
  const [fault] = useErrorBoundary();

  const { flow, locale } = conductor;
  const texts = textsOf(locale);
  const screen = fault ? 'trouble' : flow.screen;
  useStepFocus(screen);
  useLayoutEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);

  const Shown = SCREENS[screen];
  return (
    <PageContext.Provider value={{ conductor, texts, locale, announce }}>
      <Frame screen={screen} said={said} tryNow={tryNow}>
        <Shown key={screen} />
      </Frame>
    </PageContext.Provider>
  );
}

/** A new step begins at its heading, for the eye and for the ear. The first one leaves the focus where the browser put it. */
function useStepFocus(screen: Screen) {
  const before = useRef<Screen>('opening');
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>('h1');
    if (heading) document.title = `${heading.textContent} – Signature requests`;
    if (before.current === screen) return;
    const first = before.current === 'opening';
    before.current = screen;
    if (first) return;
    window.scrollTo(0, 0);
    heading?.focus({ preventScroll: true });
  });
}
