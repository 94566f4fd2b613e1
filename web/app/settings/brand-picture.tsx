import { useEffect, useMemo } from 'preact/hooks';
import { visible } from '../../../shared/runtime/visible.ts';
import type { Brand, BrandChanges } from '../contract.ts';
import { usePage } from '../page.ts';

/** The brand as signers will see it, while it is edited. */
export function BrandPicture({ brand: saved, edited }: { brand: Brand; edited: BrandChanges }) {
  const { session, texts } = usePage();
  const { brand: words } = texts.settings;
  const brand = { ...saved, ...edited };
  const colour = brand.accent && { background: brand.accent, borderColor: brand.accent, color: '#ffffff' };
  return (
    <figure class="brand-picture stack">
      <figcaption class="small-label">{words.picture}</figcaption>
      <p class="wordmark">
        <BrandLogo stored={saved.logo?.path} chosen={edited.logo_png_base64} />
        <bdi>{visible(brand.display_name ?? '') || session.owner.value?.name}</bdi>
      </p>
      <p class="as-seen-title">{words.sample}</p>
      <span class="button button-main" style={colour || undefined}>
        {words.sampleButton}
      </span>
    </figure>
  );
}

interface BrandLogoProps {
  stored: string | undefined;
  /** Null to remove the stored one. */
  chosen: string | null | undefined;
}

function BrandLogo({ stored, chosen }: BrandLogoProps) {
  if (chosen) return <ChosenLogo png={chosen} />;
  return stored && chosen !== null ? <img class="brand-logo" src={stored} alt="" /> : null;
}

function ChosenLogo({ png }: { png: string }) {
  const url = useMemo(() => {
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    return URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
  }, [png]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img class="brand-logo" src={url} alt="" />;
}
