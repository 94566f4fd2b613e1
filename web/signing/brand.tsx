import { useLayoutEffect } from 'preact/hooks';
import type * as z from 'zod';
import type { brandView } from '../../shared/contract/signing.ts';
import { visible } from '../../shared/runtime/visible.ts';
import { type Locale, PAGE_TEXTS } from '../../shared/texts/languages.ts';

type Brand = z.infer<typeof brandView>;

/** Applies the brand's accent colour to the page. Returns the brand with a safe name. */
export function useBrand(brand: Brand | undefined): Brand | undefined {
  const accent = brand?.accent;
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    if (!accent) return;
    style.setProperty('--brand', accent);
    style.setProperty('--on-brand', '#ffffff');
  }, [accent]);
  return brand && { ...brand, name: visible(brand.name) };
}

/** The brand's links, and the name of the service. Empty without a brand. */
export function Footer({ brand, locale }: { brand: Brand | undefined; locale: Locale }) {
  if (!brand) return null;
  const texts = PAGE_TEXTS[locale].brand;
  const links = [
    [texts.imprint, brand.imprint_url],
    [texts.privacy, brand.privacy_url],
    [texts.support, brand.support_url],
  ] as const;
  return (
    <footer class="foot">
      {links.map(
        ([label, url]) =>
          url && (
            <a key={label} href={url} target="_blank" rel="noreferrer noopener">
              {label}
            </a>
          ),
      )}
      <span>{texts.by}</span>
    </footer>
  );
}
