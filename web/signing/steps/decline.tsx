import { LIMITS } from '../../../shared/contract/limits.ts';
import { cleaned } from '../../../shared/runtime/visible.ts';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { FieldError, FieldLabel, linksOf } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
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
  // As the service counts: a string's length counts some characters twice.
  const left = LIMITS.reasonLength - [...cleaned(draft.reason)].length;
  const isTooLong = left < 0;
  return (
    <Form class="card card-narrow" onSubmit={() => void controller.decline()}>
      <Heading>{texts.decline.heading}</Heading>
      <RequestName />
      <p class="lead">{texts.decline.text}</p>
      <div class={`field ${isTooLong ? 'field-invalid' : ''}`}>
        <FieldLabel
          id="reason"
          label={texts.decline.reason}
          hint={texts.decline.reasonHint}
          optional={texts.optional}
        />
        <textarea
          {...linksOf('reason', true, isTooLong)}
          rows={4}
          dir="auto"
          value={draft.reason}
          onInput={(event) => controller.edit({ reason: event.currentTarget.value })}
        />
        <div role={left <= ANNOUNCED_CHARACTERS_LEFT ? 'status' : undefined}>
          {isTooLong ? (
            <FieldError id="reason">{texts.decline.tooMany(-left)}</FieldError>
          ) : (
            <p class="hint hint-end">
              <Changing>{texts.decline.left(left)}</Changing>
            </p>
          )}
        </div>
      </div>
      <div class="stack">
        <Notice />
        <Button kind="danger" submit deliberate busy={controller.task === 'decline'} waiting={isTooLong}>
          {controller.task === 'decline' ? texts.decline.submitting : texts.decline.submit}
        </Button>
        <Button kind="quiet" onClick={() => controller.goBack()}>
          {texts.document.back}
        </Button>
      </div>
    </Form>
  );
}
