import type { ComponentChildren } from 'preact';
import { Connection } from '../parts/connection.tsx';
import { Header } from '../parts/header.tsx';
import { AlertIcon, CheckIcon } from '../parts/icons.tsx';
import type { Message } from '../parts/message.ts';
import { Footer, useBrand } from './brand.tsx';
import type { Screen } from './flow/flow.ts';
import { usePage } from './page.tsx';

interface FrameProps {
  screen: Screen;
  announcement: Message | null;
  tryNow(): void;
  children: ComponentChildren;
}

const STEP_OF: Partial<Record<Screen, number>> = { code: 1, document: 2, sign: 3 };

/** The layout around every step: header, banners, progress and announcements for screen readers. */
export function Frame({ screen, announcement, tryNow, children }: FrameProps) {
  const { controller, texts, locale } = usePage();
  const { flow } = controller;
  const isTest = flow.view?.request.test === true;
  const brand = useBrand(flow.view?.brand ?? flow.linkStatus?.brand);
  return (
    <div class={`frame frame-${screen}`}>
      <Header brand={brand} locale={locale} onLanguage={(chosen) => controller.chooseLanguage(chosen)} />
      {isTest && (
        <p class="banner banner-test">
          <span>
            <AlertIcon /> {texts.test}
          </span>
        </p>
      )}
      <Connection delay={flow.delay} texts={texts.connection} tryNow={tryNow} />
      <Progress screen={screen} />
      <main class="main">{children}</main>
      <Footer brand={brand} locale={locale} />
      <div class="visually-hidden" aria-live="polite">
        {announcement && <p key={announcement.number}>{announcement.sentence}</p>}
      </div>
    </div>
  );
}

function Progress({ screen }: { screen: Screen }) {
  const { controller, texts } = usePage();
  const hasSigned = controller.flow.linkStatus?.signer_status === 'signed';
  const current = STEP_OF[screen];
  if (!current || hasSigned) return null;
  return (
    <nav class="progress-area" aria-label={texts.progress(current, texts.steps.length)}>
      <ol class="progress">
        {texts.steps.map((step, index) => {
          const number = index + 1;
          const state = number < current ? 'done' : number === current ? 'current' : 'upcoming';
          return (
            <li
              key={number}
              class={`progress-${state}`}
              aria-current={state === 'current' ? 'step' : undefined}
            >
              <span class="progress-dot" aria-hidden="true">
                {state === 'done' ? <CheckIcon /> : number}
              </span>
              <span class="progress-name">{step}</span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
