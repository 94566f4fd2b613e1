import { REASON_LENGTH } from '../contract.ts';
import { usePage } from '../page.tsx';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';

/** Characters are counted aloud only when few are left. */
const FEW = 50;

export function DeclineStep() {
  const { conductor, texts } = usePage();
  const { draft } = conductor;
  if (!draft) return null;
  const left = REASON_LENGTH - draft.reason.length;
  return (
    <form
      class="card card-narrow"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void conductor.decline();
      }}
    >
      <Heading>{texts.decline.heading}</Heading>
      <p class="lead">{texts.decline.text}</p>
      <div class="field">
        <label for="reason">
          {texts.decline.reason}
          <span class="field-optional"> ({texts.optional})</span>
        </label>
        <p class="hint" id="reason-hint">
          {texts.decline.reasonHint}
        </p>
        <textarea
          id="reason"
          rows={4}
          dir="auto"
          maxLength={REASON_LENGTH}
          value={draft.reason}
          aria-describedby="reason-hint"
          onInput={(event) => conductor.edit({ reason: event.currentTarget.value })}
        />
        <p class="hint hint-end" role={left <= FEW ? 'status' : undefined}>
          {texts.decline.left(left)}
        </p>
      </div>
      <div class="stack">
        <Notice />
        <Button kind="danger" submit busy={conductor.task === 'decline'}>
          {conductor.task === 'decline' ? texts.decline.submitting : texts.decline.submit}
        </Button>
        <Button kind="quiet" onClick={() => conductor.goBack()}>
          {texts.document.back}
        </Button>
      </div>
    </form>
  );
}
