import { useEffect, useErrorBoundary, useLayoutEffect, useState } from 'preact/hooks';
import { PAGE_TEXTS } from '../../shared/texts/languages.ts';
import { useMessage } from '../parts/message.ts';
import { useStepFocus } from '../parts/step-focus.ts';
import type { SigningController } from './flow/controller.ts';
import type { Screen } from './flow/flow.ts';
import { Frame } from './frame.tsx';
import { PageContext } from './page.tsx';
import { CodeStep } from './steps/code.tsx';
import { DeclineStep } from './steps/decline.tsx';
import { DocumentStep } from './steps/document.tsx';
import { DoneStep } from './steps/done.tsx';
import { Ended } from './steps/ended.tsx';
import { LaterStep } from './steps/later.tsx';
import { Opening } from './steps/opening.tsx';
import { SignStep } from './steps/sign.tsx';
import { Trouble } from './steps/trouble.tsx';

const SCREENS: Record<Screen, () => preact.JSX.Element | null> = {
  opening: Opening,
  code: CodeStep,
  document: DocumentStep,
  later: LaterStep,
  sign: SignStep,
  decline: DeclineStep,
  done: DoneStep,
  ended: Ended,
  trouble: Trouble,
};

export function App({ controller, tryNow }: { controller: SigningController; tryNow(): void }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    const unsubscribe = controller.subscribe(() => redraw((count) => count + 1));
    redraw((count) => count + 1);
    return () => void unsubscribe();
  }, [controller]);
  const [announcement, announce] = useMessage();
  const [crash] = useErrorBoundary();

  const { flow, locale } = controller;
  const texts = PAGE_TEXTS[locale];
  const screen = crash ? 'trouble' : flow.screen;
  useStepFocus(screen);
  useLayoutEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  // Screen readers would still find a message of the previous step or language.
  useLayoutEffect(() => announce(''), [screen, locale]);

  const Shown = SCREENS[screen];
  return (
    <PageContext.Provider value={{ controller, texts, locale, announce }}>
      <Frame screen={screen} announcement={announcement} tryNow={tryNow}>
        <Shown key={screen} />
      </Frame>
    </PageContext.Provider>
  );
}
