import { useEffect, useRef } from 'preact/hooks';
import { ENTITY_ID_LENGTH, NAME_LENGTH } from '../contract.ts';
import { type Draft, type Field as FieldName, typedSignature } from '../flow/draft.ts';
import { usePage } from '../page.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Field, FieldError } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { BackIcon } from '../parts/icons.tsx';
import { Notice } from '../parts/notice.tsx';
import { SignaturePad } from '../signature/pad.tsx';

const INPUT_OF: Record<FieldName, string> = {
  name: 'name',
  typed: 'typed',
  drawing: 'way-drawn',
  entity: 'entity',
  agreed: 'agreed',
};

export function SignStep() {
  const { conductor, texts } = usePage();
  const { draft, problems } = conductor;
  const { view } = conductor.flow;
  const form = useRef<HTMLFormElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    // The first thing to mend gets the focus once, when the button was pressed; not at each letter after.
    const [first] = problems;
    if (!pressed.current || conductor.task || !first) return;
    pressed.current = false;
    document.getElementById(INPUT_OF[first])?.focus();
  });
  if (!view || !draft) return null;
  const wrong = (field: FieldName) => problems.includes(field);
  return (
    <form
      ref={form}
      class="card signing"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        pressed.current = true;
        void conductor.sign();
      }}
    >
      <BackLink />
      <Heading>{texts.sign.heading}</Heading>
      <p class="signing-what">
        <span class="label-small">{texts.document.file}</span>
        <bdi>{view.document.filename}</bdi>
      </p>

      <Field
        id="name"
        label={texts.sign.name}
        hint={texts.sign.nameHint}
        autocomplete="name"
        maxLength={NAME_LENGTH}
        value={draft.name}
        error={wrong('name') && texts.sign.nameMissing}
        onInput={(name) => conductor.edit({ name })}
      />
      <SignatureFields draft={draft} wrong={wrong} />
      <BehalfFields draft={draft} wrong={wrong} />

      <section class="consent" aria-labelledby="consent-heading">
        <h2 id="consent-heading">{texts.sign.consent}</h2>
        <div class="consent-text" id="consent-text" lang={view.consent.locale}>
          {view.consent.text.split(/\n{2,}/).map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <div class={wrong('agreed') ? 'field-wrong' : ''}>
          <label class="check">
            <input
              id="agreed"
              type="checkbox"
              checked={draft.agreedTo === view.consent.version}
              aria-invalid={wrong('agreed') ? true : undefined}
              aria-describedby={`consent-text${wrong('agreed') ? ' agreed-error' : ''}`}
              onChange={(event) =>
                conductor.edit({ agreedTo: event.currentTarget.checked ? view.consent.version : null })
              }
            />
            <span>{texts.sign.agree}</span>
          </label>
          <FieldError id="agreed">{wrong('agreed') && texts.sign.agreeMissing}</FieldError>
        </div>
      </section>

      <div role="alert">
        {problems.length > 0 && <p class="error-count">{texts.checkFields(problems.length)}</p>}
      </div>
      <div class="stack">
        <Notice />
        <Button kind="main" submit busy={conductor.task === 'sign'}>
          {conductor.task === 'sign' ? texts.sign.submitting : texts.sign.submit}
        </Button>
      </div>
    </form>
  );
}

interface PartProps {
  draft: Draft;
  wrong(field: FieldName): boolean;
}

function SignatureFields({ draft, wrong }: PartProps) {
  const { conductor, texts } = usePage();
  return (
    <fieldset class="group">
      <legend>{texts.sign.signature}</legend>
      <Choice
        name="way"
        chosen={draft.way}
        options={[
          ['typed', texts.sign.typed],
          ['drawn', texts.sign.drawn],
        ]}
        describedBy={wrong('drawing') ? 'drawing-error' : undefined}
        onChoose={(way) => conductor.edit({ way })}
      />
      {draft.way === 'typed' ? (
        <Field
          id="typed"
          class="typed-signature"
          label={texts.sign.typedLabel}
          maxLength={NAME_LENGTH}
          value={typedSignature(draft)}
          error={wrong('typed') && texts.sign.typedMissing}
          onInput={(typed) => conductor.edit({ typed })}
        />
      ) : (
        <>
          <SignaturePad drawing={draft.drawing} onDraw={(drawing) => conductor.edit({ drawing })} />
          <FieldError id="drawing">{wrong('drawing') && texts.sign.drawnMissing}</FieldError>
        </>
      )}
    </fieldset>
  );
}

function BehalfFields({ draft, wrong }: PartProps) {
  const { conductor, texts } = usePage();
  return (
    <fieldset class="group">
      <legend>{texts.sign.behalf}</legend>
      <Choice
        name="behalf"
        chosen={draft.forEntity ? 'entity' : 'self'}
        options={[
          ['self', texts.sign.forSelf],
          ['entity', texts.sign.forEntity],
        ]}
        onChoose={(behalf) => conductor.edit({ forEntity: behalf === 'entity' })}
      />
      {draft.forEntity && (
        <div class="group-fields">
          <Field
            id="entity"
            label={texts.sign.entity}
            autocomplete="organization"
            maxLength={NAME_LENGTH}
            value={draft.entity}
            error={wrong('entity') && texts.sign.entityMissing}
            onInput={(entity) => conductor.edit({ entity })}
          />
          <Field
            id="role"
            label={texts.sign.role}
            hint={texts.sign.roleHint}
            optional
            autocomplete="organization-title"
            maxLength={NAME_LENGTH}
            value={draft.role}
            onInput={(role) => conductor.edit({ role })}
          />
          <Field
            id="entity-id"
            label={texts.sign.entityId}
            optional
            maxLength={ENTITY_ID_LENGTH}
            value={draft.entityId}
            onInput={(entityId) => conductor.edit({ entityId })}
          />
        </div>
      )}
    </fieldset>
  );
}

function BackLink() {
  const { conductor, texts } = usePage();
  return (
    <button type="button" class="back" onClick={() => conductor.goBack()}>
      <BackIcon />
      <span>{texts.document.back}</span>
    </button>
  );
}
