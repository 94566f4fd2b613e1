import { LIMITS } from '../../../shared/contract/limits.ts';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { FieldLabel, linksOf } from '../../parts/field.tsx';
import { Heading } from '../../parts/heading.tsx';
import { usePage } from '../page.tsx';
import { Notice } from './notice.tsx';
import { RequestName } from './request-name.tsx';

/** Screen readers announce how many characters are left if there are at most this many. */
const ANNOUNCED_CHARACTERS_LEFT = 50;

export function DeclineStep() {
  const { controller, texts } = usePage();
  const { draft } = controller;
  if (!draft) return null;
  const left = LIMITS.reasonLength - draft.reason.length;
  return (
    <form
      class="card card-narrow"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void controller.decline();
      }}
    >
      <Heading>{texts.decline.heading}</Heading>
      <RequestName />
      <p class="lead">{texts.decline.text}</p>
      <div class="field">
        <FieldLabel
          id="reason"
          label={texts.decline.reason}
          hint={texts.decline.reasonHint}
          optional={texts.optional}
        />
        <textarea
          {...linksOf('reason', true)}
          rows={4}
          dir="auto"
          maxLength={LIMITS.reasonLength}
          value={draft.reason}
          onInput={(event) => controller.edit({ reason: event.currentTarget.value })}
        />
        <p class="hint hint-end" role={left <= ANNOUNCED_CHARACTERS_LEFT ? 'status' : undefined}>
          <Changing>{texts.decline.left(left)}</Changing>
        </p>
      </div>
      <div class="stack">
        <Notice />
        <Button kind="danger" submit deliberate busy={controller.task === 'decline'}>
          {controller.task === 'decline' ? texts.decline.submitting : texts.decline.submit}
        </Button>
        <Button kind="quiet" onClick={() => controller.goBack()}>
          {texts.document.back}
        </Button>
      </div>
    </form>
  );
}
