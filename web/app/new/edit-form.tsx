import { useEffect, useRef } from 'preact/hooks';
import { visible } from '../../../shared/runtime/visible.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { Field, FieldError, FieldLabel, linksOf } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { formatDay } from '../../parts/format.ts';
import { Heading } from '../../parts/heading.tsx';
import { LocaleOptions } from '../../parts/language-choice.tsx';
import { useNow, usePage } from '../page.ts';
import { Check } from '../parts/check.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { messageOf } from '../parts/problem.tsx';
import { DocumentField } from './document-field.tsx';
import { endAfter, type FaultyField } from './draft.ts';
import type { NewRequest } from './new-request.ts';
import { PeopleFields } from './people-fields.tsx';
import { LackingSubscription } from './subscription.tsx';

/** The error of a field: found by the form, or returned by the service. */
function useFault(request: NewRequest): (field: FaultyField) => string | undefined {
  const { texts } = usePage();
  return (field) => {
    if (request.refused.value === field) return messageOf(request.thrown.value, texts);
    const fault = request.hasTried.value ? request.faults.value[field] : undefined;
    return fault && { ...texts.problems, ...texts.create.faults }[fault];
  };
}

export function EditForm({ request }: { request: NewRequest }) {
  const { session, texts, say } = usePage();
  const { create } = texts;
  const { draft } = request;
  const fault = useFault(request);
  const form = useRef<HTMLFormElement>(null);
  const leadToFaults = () => requestAnimationFrame(() => form.current && showFaults(form.current));
  const review = async () => {
    if (!(await request.review())) leadToFaults();
  };
  useEffect(() => {
    if (request.refused.peek() || request.fileFault.peek()) leadToFaults();
  }, []);
  const count = Object.keys(request.faults.value).length;
  return (
    <Form ref={form} class="card create" onSubmit={() => void review()}>
      <Heading>{session.mode.value === 'test' ? create.headingTest : texts.nav.create}</Heading>
      <LackingSubscription />
      <DocumentField request={request} error={fault('fileId')} />
      <Field
        id="title"
        isProse
        label={create.title}
        hint={create.titleHint}
        value={draft.value.title}
        error={fault('title')}
        onInput={(title) => request.edit({ title })}
      />
      <PeopleFields request={request} fault={fault} />
      <LanguageField request={request} />
      <Field
        id="message"
        rows={4}
        label={create.message}
        optional={texts.optional}
        value={draft.value.message}
        error={fault('message')}
        onInput={(message) => request.edit({ message })}
      />
      <More request={request} fault={fault} />
      <div role="alert">
        {request.hasTried.value && count > 0 && (
          <p class="error-count">
            <Changing>{texts.checkFields(count)}</Changing>
          </p>
        )}
      </div>
      <div class="actions">
        <Button kind="main" submit>
          {create.toReview}
        </Button>
        <ConfirmButton
          label={create.discard}
          about={visible(draft.value.title) || texts.list.untitled}
          question={create.discardQuestion}
          work={async () => {
            await request.discard();
            say(create.discarded);
          }}
        />
      </div>
      <p class="hint">{create.kept}</p>
    </Form>
  );
}

/** Opens the sections with faulty fields, and focuses the first such field. Only the user closes a section. */
function showFaults(form: HTMLElement) {
  const faulty = [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')];
  for (const field of faulty) field.closest('details')?.setAttribute('open', '');
  faulty[0]?.focus();
}

function LanguageField({ request }: { request: NewRequest }) {
  const { texts } = usePage();
  return (
    <div class="field">
      <FieldLabel id="locale" label={texts.create.language} hint={texts.create.languageHint} />
      <select
        {...linksOf('locale', true)}
        value={request.draft.value.locale}
        onChange={(event) => request.edit({ locale: event.currentTarget.value as Locale })}
      >
        <LocaleOptions />
      </select>
    </div>
  );
}

interface MoreProps {
  request: NewRequest;
  fault(field: FaultyField): string | undefined;
}

/** Fields that most requests leave as they are. */
function More({ request, fault }: MoreProps) {
  const { texts, locale } = usePage();
  const { create } = texts;
  const { days, reference, returnUrl, reminders } = request.draft.value;
  const error = fault('days');
  const now = useNow();
  return (
    <details class="disclosure arrow">
      <summary>{texts.more}</summary>
      <div class="group-fields stack-wide">
        <div class={`field ${error ? 'field-invalid' : ''}`}>
          <FieldLabel
            id="days"
            label={create.days}
            // The error says the same.
            hint={
              !error && (
                <Changing>
                  {request.faults.value.days
                    ? create.faults.days
                    : create.daysHint(formatDay(endAfter(now, days), locale))}
                </Changing>
              )
            }
          />
          <input
            {...linksOf('days', !error, error)}
            class="days-input"
            // Scrolling over an input of type number would change it.
            type="text"
            inputMode="numeric"
            value={days}
            onInput={(event) => request.edit({ days: event.currentTarget.value })}
          />
          <FieldError id="days">{error}</FieldError>
        </div>
        <Check
          label={create.reminders}
          isChecked={reminders}
          onChange={(isWanted) => request.edit({ reminders: isWanted })}
        />
        <Field
          id="reference"
          label={create.reference}
          hint={create.referenceHint}
          optional={texts.optional}
          value={reference}
          error={fault('reference')}
          onInput={(next) => request.edit({ reference: next })}
        />
        <Field
          id="return-url"
          inputMode="url"
          label={create.returnUrl}
          hint={create.returnUrlHint}
          optional={texts.optional}
          value={returnUrl}
          error={fault('returnUrl')}
          onInput={(next) => request.edit({ returnUrl: next })}
        />
      </div>
    </details>
  );
}
