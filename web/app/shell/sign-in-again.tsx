import { usePage } from '../page.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SignInForm } from './sign-in.tsx';

/** Over the page, which keeps everything: calls go on where they stopped. */
export function SignInAgain() {
  const { session, texts } = usePage();
  if (!session.hasEnded.value) return null;
  return (
    <Dialog heading={texts.signIn.endedHeading} isForced>
      <SignInForm intro={texts.signIn.ended} email={session.me.value?.user.email} />
    </Dialog>
  );
}
