import type { ComponentChildren } from 'preact';
import type { Locale } from '../../shared/contract/fields.ts';
import type { Screen } from '../flow/flow.ts';
import { LANGUAGES, LOCALES_SHOWN } from '../language.ts';
import { usePage } from '../page.tsx';
import { AlertIcon, CheckIcon, Mark } from './icons.tsx';
import { Spinner } from './spinner.tsx';

interface FrameProps {
  screen: Screen;
  said: string;
  tryNow(): void;
  children: ComponentChildren;
}

const STEP_OF: Partial<Record<Screen, number>> = { code: 1, document: 2, sign: 3 };

/** What stays while the steps change: our name, the language, how far one is, and what concerns every step. */
export function Frame({ screen, said, tryNow, children }: FrameProps) {
  const { conductor, texts } = usePage();
  const { flow } = conductor;
  const isTest = flow.view?.request.test === true;
  return (
    <div class={`frame frame-${screen}`}>
      <header class="head">
        <p class="wordmark" lang="en">
          <Mark />
          <span>Signature requests</span>
        </p>
        <LanguageSwitch />
      </header>
      {isTest && (
        <p class="band band-test">
          <span>
            <AlertIcon /> {texts.test}
          </span>
        </p>
      )}
      <div class="band-place" role="status">
        {flow.connectionLost && (
          <p class="band band-lost">
            <span>
              <Spinner /> {texts.connection.lost}
            </span>
            <button type="button" class="band-button" onClick={tryNow}>
              {texts.connection.tryNow}
            </button>
          </p>
        )}
      </div>
      <Progress screen={screen} />
      <main class="main">{children}</main>
      <div class="unseen" aria-live="polite">
        {said}
      </div>
    </div>
  );
}

function Progress({ screen }: { screen: Screen }) {
  const { conductor, texts } = usePage();
  const signedAlready = conductor.flow.standing?.signer_status === 'signed';
  const current = STEP_OF[screen];
  if (!current || signedAlready) return null;
  return (
    <nav class="progress-place" aria-label={texts.progress(current, texts.steps.length)}>
      <ol class="progress">
        {texts.steps.map((step, index) => {
          const number = index + 1;
          const state = number < current ? 'over' : number === current ? 'now' : 'ahead';
          return (
            <li key={number} class={`progress-${state}`} aria-current={state === 'now' ? 'step' : undefined}>
              <span class="progress-dot" aria-hidden="true">
                {state === 'over' ? <CheckIcon /> : number}
              </span>
              <span class="progress-name">{step}</span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function LanguageSwitch() {
  const { conductor, texts, locale } = usePage();
  return (
    <label class="language">
      <span class="unseen">{texts.language}</span>
      <select value={locale} onChange={(event) => conductor.choose(event.currentTarget.value as Locale)}>
        {LOCALES_SHOWN.map((shown) => (
          <option key={shown} value={shown} lang={shown}>
            {LANGUAGES[shown]}
          </option>
        ))}
      </select>
    </label>
  );
}
