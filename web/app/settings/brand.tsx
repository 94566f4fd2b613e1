import { useState } from 'preact/hooks';
import { Field, FieldError, FieldLabel, linksOf } from '../../parts/field.tsx';
import type { Brand, BrandChanges } from '../contract.ts';
import { usePage } from '../page.ts';
import { asSent } from './brand-changes.ts';
import { brandFaults } from './brand-faults.ts';
import { BrandPicture } from './brand-picture.tsx';
import { editsBeyond, UnsavedEdits, useEdits } from './edits.ts';
import { LogoField } from './logo-field.tsx';
import { ActionForm, Section } from './section.tsx';

export function BrandSettings() {
  const { service, texts } = usePage();
  return (
    <Section intro={texts.settings.brand.intro} load={service.brand}>
      {(brand) => <BrandForm stored={brand} />}
    </Section>
  );
}

/** The colour of the buttons of a page without a brand. */
const USUAL_ACCENT = '#0c5446';

type TextField = Exclude<keyof Brand, 'accent' | 'logo'>;

const unsaved = new UnsavedEdits<BrandChanges>();

function BrandForm({ stored }: { stored: Brand }) {
  const { service, texts } = usePage();
  const { brand: words } = texts.settings;
  const [sent, setSent] = useState<BrandChanges>({});
  const [discards, setDiscards] = useState(0);
  const { saved, edited, save, isUnsaved, set, discard } = useEdits(unsaved, stored, (changes) => {
    setSent(changes);
    return service.changeBrand(asSent(changes));
  });
  const brand = { ...saved, ...edited };
  /** Moves the focus, because the button disappears. */
  const resetAccent = () => {
    set({ accent: null });
    document.getElementById('accent')?.focus();
  };
  const onDiscard = () => {
    discard();
    setDiscards(discards + 1);
  };
  const faults = brandFaults(save.thrown, texts, editsBeyond(edited, sent));
  const text = (name: TextField, hint?: string) => (
    <Field
      key={name}
      id={name}
      label={words.fields[name]}
      hint={hint}
      optional={texts.optional}
      value={brand[name] ?? ''}
      error={faults[name]}
      onInput={(value) => set({ [name]: value || null })}
    />
  );
  return (
    <ActionForm label={texts.save} action={save} onDiscard={isUnsaved ? onDiscard : null}>
      <BrandPicture brand={saved} edited={edited} />
      {text('display_name', words.nameHint)}
      <LogoField
        // A new element, which shows no chosen file.
        key={`logo ${discards}`}
        hasLogo={hasLogo(saved, edited)}
        fault={faults.logo_png_base64}
        onChange={(logo_png_base64) => set({ logo_png_base64 })}
      />
      <div class={`field ${faults.accent ? 'field-invalid' : ''}`}>
        <FieldLabel id="accent" label={words.accent} hint={words.accentHint} />
        <input
          {...linksOf('accent', true, faults.accent)}
          type="color"
          value={brand.accent ?? USUAL_ACCENT}
          onInput={(event) => set({ accent: event.currentTarget.value })}
        />
        <FieldError id="accent">{faults.accent}</FieldError>
        {brand.accent && (
          <button type="button" class="link" onClick={resetAccent}>
            {words.resetAccent}
          </button>
        )}
      </div>
      {text('reply_to', words.replyHint)}
      {(['imprint_url', 'privacy_url', 'support_url'] as const).map((name) => text(name, words.urlHint))}
      {text('time_zone', words.zoneHint)}
    </ActionForm>
  );
}

const hasLogo = ({ logo }: Brand, { logo_png_base64: chosen }: BrandChanges) =>
  chosen === undefined ? logo !== null : chosen !== null;
