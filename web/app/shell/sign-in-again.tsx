import { useEffect } from 'preact/hooks';
import { usePage } from '../page.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Repetition } from '../parts/repetition.ts';
import { SignInForm } from './sign-in.tsx';

/** A dialog over the page, so that nothing is lost: waiting calls continue after sign-in. */
export function SignInAgain() {
  const { session, texts } = usePage();
  const hasEnded = session.hasEnded.value;
  useEffect(() => {
    if (!hasEnded) return;
    const repetition = new Repetition(() => session.resume());
    return () => repetition.stop();
  }, [hasEnded]);
  if (!hasEnded) return null;
  return (
    <Dialog heading={texts.signIn.endedHeading} text={texts.signIn.ended} isForced>
      <SignInForm email={session.me.value?.user.email} />
    </Dialog>
  );
}
