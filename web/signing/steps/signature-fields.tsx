import { useMemo } from 'preact/hooks';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { Choice } from '../../parts/choice.tsx';
import { Field, FieldAlert, FieldError } from '../../parts/field.tsx';
import { TYPED_STYLES } from '../contract.ts';
import { type Draft, type Field as FieldName, typedSignature } from '../flow/draft.ts';
import { usePage } from '../page.tsx';
import { ImageChoice } from '../signature/image-choice.tsx';
import { SignaturePad } from '../signature/pad.tsx';
import { canReadCanvas } from '../signature/png.ts';
import { PrintedSignature } from '../signature/printed.tsx';

export interface PartProps {
  draft: Draft;
  invalid(field: FieldName): boolean;
}

/** Three ways to make a signature: in letters, drawn, or from an image. */
export function SignatureFields({ draft, invalid }: PartProps) {
  const { controller, texts } = usePage();
  const isWithheld = useMemo(() => draft.way !== 'typed' && !canReadCanvas(), [draft.way]);
  const errors = isWithheld ? 'way-error' : invalid('drawing') ? 'drawing-error' : undefined;
  return (
    <fieldset class="group">
      <legend>{texts.sign.signature}</legend>
      <Choice
        name="way"
        selected={draft.way}
        options={[
          ['typed', texts.sign.typed],
          ['drawn', texts.sign.drawn],
          ['image', texts.sign.image],
        ]}
        describedBy={errors}
        onSelect={(way) => controller.edit({ way })}
      />
      <FieldAlert id="way">{isWithheld && texts.sign.withheld}</FieldAlert>
      {draft.way === 'typed' && <TypedFields draft={draft} invalid={invalid} />}
      {draft.way === 'drawn' && !isWithheld && (
        <>
          <SignaturePad drawing={draft.drawing} onDraw={(drawing) => controller.edit({ drawing })} />
          <FieldError id="drawing">{invalid('drawing') && texts.sign.drawnMissing}</FieldError>
        </>
      )}
      {draft.way === 'image' && !isWithheld && (
        <ImageChoice
          image={draft.image}
          isMissing={invalid('image')}
          onChoose={(image) => controller.edit({ image })}
        />
      )}
    </fieldset>
  );
}

function TypedFields({ draft, invalid }: PartProps) {
  const { controller, texts } = usePage();
  return (
    <>
      <Field
        id="typed"
        label={texts.sign.typedLabel}
        maxLength={LIMITS.nameLength}
        value={typedSignature(draft)}
        error={invalid('typed') && texts.sign.typedMissing}
        onInput={(typed) => controller.edit({ typed })}
      />
      <fieldset class="group styles">
        <legend>{texts.sign.style}</legend>
        <Choice
          name="style"
          selected={draft.style}
          options={TYPED_STYLES.map((style) => [style, texts.sign.styles[style]] as const)}
          onSelect={(style) => controller.edit({ style })}
        />
      </fieldset>
      <PrintedSignature text={typedSignature(draft)} style={draft.style} />
    </>
  );
}
