import { useEffect, useErrorBoundary, useLayoutEffect } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { useMessage } from '../parts/message.ts';
import { useStepFocus } from '../parts/step-focus.ts';
import { orNull } from '../parts/storage.ts';
import { useBusy } from '../parts/use-busy.ts';
import { language, settleLanguage } from './language.ts';
import { RequestsPage } from './list/requests-page.tsx';
import { browserMemory } from './memory.ts';
import { NewRequestPage } from './new/new-request-page.tsx';
import { PageContext, usePage } from './page.ts';
import { Loading } from './parts/loading.tsx';
import { messageOf } from './parts/problem.tsx';
import { repeat } from './parts/repetition.ts';
import { RequestPage } from './request/request-page.tsx';
import type { Session } from './session.ts';
import { SettingsPage } from './settings/settings-page.tsx';
import { ShownSecret } from './settings/shown-secret.tsx';
import { Frame } from './shell/frame.tsx';
import { SignIn } from './shell/sign-in.tsx';
import { SignInAgain } from './shell/sign-in-again.tsx';

export function App({ session }: { session: Session }) {
  const [message, say] = useMessage();
  const current = language.value;
  useLayoutEffect(() => {
    document.documentElement.lang = current?.locale ?? 'en';
  }, [current]);
  const isOffline = session.isOffline.value;
  useEffect(() => (isOffline ? repeat(() => session.tryNow()).stop : undefined), [isOffline]);
  const user = session.me.value?.user;
  useEffect(() => {
    if (!user) return;
    const keep = session.service.changeLanguage;
    // Offline the language is kept in this browser only; the user's profile gets it next time.
    settleLanguage({ user, keep, memory: browserMemory }).catch(() => undefined);
  }, [user?.user_id]);
  if (!current) return null;
  return (
    <PageContext.Provider value={{ session, service: session.service, say, ...current }}>
      <LocationProvider scope="/app">
        <Frame message={message}>
          <Content />
        </Frame>
        <ShownSecret />
        <SignInAgain />
      </LocationProvider>
    </PageContext.Provider>
  );
}

function Content() {
  const { session, texts } = usePage();
  const problem = session.startProblem.value;
  useStepFocus(problem ? 'trouble' : 'pages');
  if (problem) return <Trouble text={messageOf(problem, texts)} again={() => session.start()} />;
  if (session.me.value === undefined) return <Loading />;
  return <Pages />;
}

function Pages() {
  const { session, texts } = usePage();
  const { path } = useLocation();
  const [crash, reset] = useErrorBoundary();
  // After a crash, a link to another page starts afresh.
  useEffect(reset, [path]);
  const isSignedIn = Boolean(session.me.value);
  useStepFocus(crash ? 'crash' : `${isSignedIn} ${path}`);
  if (crash) return <Trouble text={texts.trouble.text} again={async () => reset()} />;
  if (!isSignedIn) return <SignIn />;
  if (!isReadable(path)) return <NotFound />;
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

/** False for an address that was cut within a character: the router would throw. */
const isReadable = (path: string): boolean => orNull(() => decodeURIComponent(path)) !== null;

function Trouble({ text, again }: { text: string; again(): Promise<void> }) {
  const { texts } = usePage();
  const { isBusy, run } = useBusy(again);
  return (
    <div class="card card-narrow">
      <Heading>{texts.trouble.heading}</Heading>
      <p>{text}</p>
      <p class="actions">
        <Button kind="main" busy={isBusy} onClick={run}>
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
