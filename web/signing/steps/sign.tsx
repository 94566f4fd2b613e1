import { useEffect, useRef } from 'preact/hooks';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field, FieldError } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Heading } from '../../parts/heading.tsx';
import { BackIcon } from '../../parts/icons.tsx';
import type { Field as FieldName } from '../flow/draft.ts';
import { usePage } from '../page.tsx';
import { Notice } from './notice.tsx';
import { RequestName } from './request-name.tsx';
import { type PartProps, SignatureFields } from './signature-fields.tsx';

const INPUT_OF: Record<FieldName, string> = {
  name: 'name',
  typed: 'typed',
  drawing: 'way-drawn',
  image: 'image',
  entity: 'entity',
  agreed: 'agreed',
};

export function SignStep() {
  const { controller, texts } = usePage();
  const { draft, problems } = controller;
  const { view } = controller.flow;
  const justSubmitted = useRef(false);
  useEffect(() => {
    // Focuses the first incomplete field once after a click on the button, not again at each keystroke.
    const [first] = problems;
    if (!justSubmitted.current || controller.task || !first) return;
    justSubmitted.current = false;
    document.getElementById(INPUT_OF[first])?.focus();
  });
  if (!view || !draft) return null;
  const invalid = (field: FieldName) => problems.includes(field);
  return (
    <Form
      class="card signing"
      onSubmit={() => {
        justSubmitted.current = true;
        void controller.sign();
      }}
    >
      <button type="button" class="back" onClick={() => controller.goBack()}>
        <BackIcon />
        <span>{texts.document.back}</span>
      </button>
      <Heading>{texts.sign.heading}</Heading>
      <RequestName />

      <Field
        id="name"
        label={texts.sign.name}
        hint={texts.sign.nameHint}
        autocomplete="name"
        maxLength={LIMITS.nameLength}
        value={draft.name}
        error={invalid('name') && texts.sign.nameMissing}
        onInput={(name) => controller.edit({ name })}
      />
      <SignatureFields draft={draft} invalid={invalid} />
      <BehalfFields draft={draft} invalid={invalid} />

      <section class="stack" aria-labelledby="consent-heading">
        <h2 id="consent-heading">{texts.sign.consent}</h2>
        <div class="consent-text" id="consent-text" lang={view.consent.locale}>
          {view.consent.text.split(/\n{2,}/).map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <div class={invalid('agreed') ? 'field-invalid' : ''}>
          <label class="check">
            <input
              id="agreed"
              type="checkbox"
              checked={draft.agreedTo === view.consent.version}
              aria-invalid={invalid('agreed') ? true : undefined}
              aria-describedby={`consent-text${invalid('agreed') ? ' agreed-error' : ''}`}
              onChange={(event) =>
                controller.edit({ agreedTo: event.currentTarget.checked ? view.consent.version : null })
              }
            />
            <span>{texts.sign.agree}</span>
          </label>
          <FieldError id="agreed">{invalid('agreed') && texts.sign.agreeMissing}</FieldError>
        </div>
      </section>

      <div role="alert">
        {problems.length > 0 && (
          <p class="error-count">
            <Changing>{texts.checkFields(problems.length)}</Changing>
          </p>
        )}
      </div>
      <div class="stack">
        <Notice />
        <Button kind="main" submit deliberate busy={controller.task === 'sign'}>
          {controller.task === 'sign' ? texts.sign.submitting : texts.sign.submit}
        </Button>
      </div>
    </Form>
  );
}

function BehalfFields({ draft, invalid }: PartProps) {
  const { controller, texts } = usePage();
  return (
    <fieldset class="group">
      <legend>{texts.sign.behalf}</legend>
      <Choice
        name="behalf"
        selected={draft.forEntity ? 'entity' : 'self'}
        options={[
          ['self', texts.sign.forSelf],
          ['entity', texts.sign.forEntity],
        ]}
        onSelect={(behalf) => controller.edit({ forEntity: behalf === 'entity' })}
      />
      {draft.forEntity && (
        <div class="group-fields stack-wide">
          <Field
            id="entity"
            label={texts.sign.entity}
            autocomplete="organization"
            maxLength={LIMITS.nameLength}
            value={draft.entity}
            error={invalid('entity') && texts.sign.entityMissing}
            onInput={(entity) => controller.edit({ entity })}
          />
          <Field
            id="role"
            label={texts.sign.role}
            hint={texts.sign.roleHint}
            optional={texts.optional}
            autocomplete="organization-title"
            maxLength={LIMITS.nameLength}
            value={draft.role}
            onInput={(role) => controller.edit({ role })}
          />
          <Field
            id="entity-id"
            label={texts.sign.entityId}
            optional={texts.optional}
            maxLength={LIMITS.entityIdLength}
            value={draft.entityId}
            onInput={(entityId) => controller.edit({ entityId })}
          />
        </div>
      )}
    </fieldset>
  );
}
