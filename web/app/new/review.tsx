import { visible, visibleLines } from '../../../shared/runtime/visible.ts';
import { isolated } from '../../../shared/texts/isolate.ts';
import { LANGUAGE_TEXTS } from '../../../shared/texts/languages.ts';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { Fact } from '../../parts/fact.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { formatDayAndTime } from '../../parts/format.ts';
import { Heading } from '../../parts/heading.tsx';
import { BackIcon } from '../../parts/icons.tsx';
import { useNow, usePage } from '../page.ts';
import { messageOf } from '../parts/problem.tsx';
import { endAfter, signersOf } from './draft.ts';
import type { NewRequest } from './new-request.ts';
import { Preview } from './preview.tsx';

interface ReviewProps {
  request: NewRequest;
  onSend(): void;
}

/** The last check: who gets it, and the document and message as the signers will see them. */
export function Review({ request, onSend }: ReviewProps) {
  const { session, texts, locale } = usePage();
  const { review } = texts.create;
  const draft = request.draft.value;
  const file = request.file.value;
  const end = endAfter(useNow(), draft.days);
  const isSending = request.step.value === 'sending';
  const thrown = request.thrown.value;
  const sender = session.owner.value?.name ?? '';
  return (
    <div class="card create">
      {!isSending && (
        <button type="button" class="back" onClick={() => request.backToEditing()}>
          <BackIcon />
          <span>{review.back}</span>
        </button>
      )}
      <Heading>{texts.create.toReview}</Heading>
      <section class="as-seen stack" aria-label={review.asSeen}>
        <p class="small-label">{review.asSeen}</p>
        <p class="as-seen-title" dir="auto">
          {visible(draft.title)}
        </p>
        <p class="muted">{review.from(isolated(visible(sender)))}</p>
        {draft.message && (
          <blockquote class="message" dir="auto">
            {visibleLines(draft.message)}
          </blockquote>
        )}
        {file && <Preview file={file} />}
      </section>
      <dl class="facts">
        <Fact label={texts.create.signers}>
          <ul class="plain-list">
            {signersOf(draft).map(({ email, name }) => (
              <li key={email}>
                <bdi>{visible(name) || email}</bdi>
                {name && (
                  <span class="small-label">
                    <bdi>{email}</bdi>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Fact>
        <Fact label={texts.create.language} lang={draft.locale}>
          {LANGUAGE_TEXTS[draft.locale].name}
        </Fact>
        <Fact label={texts.request.facts.until}>
          <Changing>{formatDayAndTime(end, locale)}</Changing>
        </Fact>
        <Fact label={texts.request.facts.reminders}>{draft.reminders ? texts.yes : texts.no}</Fact>
        {draft.reference && (
          <Fact label={texts.create.reference} dir="auto">
            {visible(draft.reference)}
          </Fact>
        )}
      </dl>
      {session.mode.value === 'test' && <p class="hint">{texts.testMode.banner}</p>}
      <FieldAlert id="send">{thrown !== null && messageOf(thrown, texts)}</FieldAlert>
      {isSending && (
        <label class="stack-close">
          <Changing>{request.progress.value < 1 ? review.uploading : review.making}</Changing>
          <progress value={request.progress.value} max={1} />
        </label>
      )}
      <div class="actions">
        <Button kind="main" deliberate busy={isSending} onClick={onSend}>
          {review.send(signersOf(draft).length)}
        </Button>
      </div>
    </div>
  );
}
