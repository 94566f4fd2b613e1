import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { usePage } from '../page.ts';
import { useStepFocus } from '../shell/step-focus.ts';
import { forgetDraft, loadDraft, loadFile, saveDraft, saveFile } from './draft-store.ts';
import { EditForm } from './edit-form.tsx';
import { incoming, takeIncoming } from './incoming.ts';
import { NewRequest } from './new-request.ts';
import { Review } from './review.tsx';

export function NewRequestPage() {
  const { session, service, locale, texts, say } = usePage();
  const { route } = useLocation();
  const request = useMemo(() => {
    const scope = session.scope.peek();
    return new NewRequest(service, {
      locale,
      loadDraft: () => loadDraft(scope),
      saveDraft: (draft) => saveDraft(scope, draft),
      loadFile: () => loadFile(scope),
      saveFile: (file) => saveFile(scope, file),
      forget: () => forgetDraft(scope),
    });
  }, []);
  useEffect(() => {
    void request.start(takeIncoming());
  }, []);
  const take = async (file: File) => {
    takeIncoming();
    if (!(await request.choose(file))) say(texts.create.dropTooLate);
  };
  useEffect(() => incoming.subscribe((file) => void (file && take(file))), [texts]);
  const send = async () => {
    const made = await request.send();
    if (!made) return;
    const isMailed = made.signers.every(({ email_sent }) => email_sent);
    say(isMailed ? texts.create.sent : texts.create.sentPartly);
    route(`/app/requests/${made.id}`, true);
  };
  const isEditing = request.step.value === 'editing';
  useStepFocus(isEditing ? 'form' : 'summary');
  return isEditing ? <EditForm request={request} /> : <Review request={request} onSend={() => void send()} />;
}
