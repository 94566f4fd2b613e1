import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { visible } from '../../../shared/runtime/visible.ts';
import { isolated } from '../../../shared/texts/isolate.ts';
import { useStepFocus } from '../../parts/step-focus.ts';
import { useIsShown } from '../../parts/use-is-shown.ts';
import { usePage } from '../page.ts';
import { messageOf } from '../parts/problem.tsx';
import { forgetDraft, loadDraft, loadFile, saveDraft, saveFile } from './draft-store.ts';
import { EditForm } from './edit-form.tsx';
import { incoming, takeIncoming } from './incoming.ts';
import { NewRequest } from './new-request.ts';
import { Review } from './review.tsx';
import { summaryEntry } from './summary-entry.ts';
import { reportUnsent } from './unsent.tsx';

/** Makes the browser ask before closing or reloading the page, which would abort the work. */
function askToStay<Result>(work: Promise<Result>): Promise<Result> {
  const ask = (event: Event) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return work.finally(() => removeEventListener('beforeunload', ask));
}

export function NewRequestPage() {
  const { session, service, locale, texts, say } = usePage();
  const { route } = useLocation();
  const request = useMemo(() => {
    const scope = session.scope.peek();
    // The user may switch owner or mode while the document is being sent.
    return new NewRequest(service.pinned(), {
      locale,
      loadDraft: () => loadDraft(scope),
      saveDraft: (draft) => saveDraft(scope, draft),
      loadFile: (id) => loadFile(scope, id),
      saveFile: (kept) => saveFile(scope, kept),
      forget: () => forgetDraft(scope),
    });
  }, []);
  useEffect(() => {
    void request.start(takeIncoming());
  }, []);
  const summary = useMemo(() => summaryEntry(request, history, window), []);
  useEffect(() => summary.follow(), []);
  const take = async (file: File) => {
    takeIncoming();
    if (!(await request.choose(file))) say(texts.create.dropTooLate);
  };
  useEffect(() => incoming.subscribe((file) => void (file && take(file))), [texts]);
  const isShown = useIsShown();
  const titleInSentence = () => isolated(visible(request.draft.peek().title));
  const reportFailure = () => {
    const title = titleInSentence();
    const problem = texts.create.sendingFailed(title, messageOf(request.thrown.peek(), texts));
    reportUnsent(request.isStored() ? `${problem} ${texts.create.kept}` : problem);
  };
  const send = async () => {
    const made = await askToStay(request.send());
    if (!made) {
      if (!isShown.current) reportFailure();
      return;
    }
    const isMailed = made.signers.every(({ email_sent }) => email_sent);
    if (!isMailed && !isShown.current) return reportUnsent(texts.create.unmailed(titleInSentence()));
    say(isMailed ? texts.create.sent : texts.create.sentPartly);
    // A user who has moved on stays where they are.
    if (!isShown.current) return;
    await summary.leave();
    route(`/app/requests/${made.id}`, true);
  };
  const isEditing = request.step.value === 'editing';
  useStepFocus(isEditing ? 'form' : 'summary');
  return isEditing ? <EditForm request={request} /> : <Review request={request} onSend={() => void send()} />;
}
