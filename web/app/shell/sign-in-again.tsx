import { useEffect } from 'preact/hooks';
import { usePage } from '../page.ts';
import { Dialog } from '../parts/dialog.tsx';
import { repeat } from '../parts/repetition.ts';
import { SignInForm } from './sign-in.tsx';

/** A dialog over the page, so that nothing is lost: waiting calls continue after sign-in. */
export function SignInAgain() {
  const { session, texts } = usePage();
  const hasEnded = session.hasEnded.value;
  useEffect(() => (hasEnded ? repeat(() => session.resume()).stop : undefined), [hasEnded]);
  if (!hasEnded) return null;
  return (
    <Dialog heading={texts.signIn.endedHeading} text={texts.signIn.ended} isForced>
      <SignInForm email={session.me.value?.user.email} />
    </Dialog>
  );
}
