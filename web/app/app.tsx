import { useEffect, useErrorBoundary, useLayoutEffect } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { useMessage } from '../parts/message.ts';
import { language, settleLanguage } from './language.ts';
import { RequestsPage } from './list/requests-page.tsx';
import { NewRequestPage } from './new/new-request-page.tsx';
import { PageContext, usePage } from './page.ts';
import { RequestPage } from './request/request-page.tsx';
import type { Session } from './session.ts';
import { SettingsPage } from './settings/settings-page.tsx';
import { Frame } from './shell/frame.tsx';
import { SignIn } from './shell/sign-in.tsx';
import { SignInAgain } from './shell/sign-in-again.tsx';
import { useStepFocus } from './shell/step-focus.ts';

const MESSAGE_MS = 6_000;

export function App({ session }: { session: Session }) {
  const [message, say] = useMessage();
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(say, MESSAGE_MS, '');
    return () => clearTimeout(timer);
  }, [message]);
  const spoken = language.value;
  useLayoutEffect(() => {
    document.documentElement.lang = spoken?.locale ?? 'en';
  }, [spoken]);
  const user = session.me.value?.user;
  useEffect(() => {
    if (!user) return;
    const keep = session.service.changeLanguage;
    // Without a connection it is kept in this browser, and with the user the next time.
    settleLanguage({ user, keep, memory: localStorage }).catch(() => undefined);
  }, [user?.user_id]);
  if (!spoken) return null;
  return (
    <PageContext.Provider value={{ session, service: session.service, say, ...spoken }}>
      <LocationProvider scope="/app">
        <Frame message={message}>
          <Content />
        </Frame>
        <SignInAgain />
      </LocationProvider>
    </PageContext.Provider>
  );
}

function Content() {
  const { session } = usePage();
  const [crash, reset] = useErrorBoundary();
  const { url } = useLocation();
  useStepFocus(url.split('?')[0] ?? '');
  if (crash) return <Trouble again={reset} />;
  if (session.startProblem.value) return <Trouble again={() => void session.start()} />;
  if (!session.me.value) return <SignIn />;
  return (
    <Router key={session.scope.value}>
      <Route path="/app" component={RequestsPage} />
      <Route path="/app/new" component={NewRequestPage} />
      <Route path="/app/requests/:id" component={RequestPage} />
      <Route path="/app/settings/:section?" component={SettingsPage} />
      <Route default component={NotFound} />
    </Router>
  );
}

function Trouble({ again }: { again(): void }) {
  const { texts } = usePage();
  return (
    <div class="card card-narrow">
      <Heading>{texts.trouble.heading}</Heading>
      <p>{texts.trouble.text}</p>
      <p class="actions">
        <Button kind="main" onClick={again}>
          {texts.trouble.again}
        </Button>
      </p>
    </div>
  );
}

function NotFound() {
  const { texts } = usePage();
  return (
    <div class="card card-narrow">
      <Heading>{texts.notFound.heading}</Heading>
      <p>{texts.notFound.text}</p>
      <p>
        <a href="/app">{texts.notFound.toList}</a>
      </p>
    </div>
  );
}
