import type * as z from 'zod';
import type { brandView } from '../contract/signing.ts';
import { type Brand, findBrand } from '../store/owners.ts';
import type { Table } from '../store/table.ts';

export const logoView = (logo: Brand['logo']) =>
  logo && { path: `/api/signing/v1/logos/${logo.sha256}`, width: logo.width, height: logo.height };

/**
 * An owner's brand as a page shows it. An owner without a name for it looks neutral, and is not named before the code. Read
 * when it is shown, so a change of the brand shows at once.
 */
export async function brandOf(
  table: Table,
  request: { ownerId: string },
): Promise<{ brand?: z.input<typeof brandView> }> {
  const brand = await findBrand(table, request);
  if (!brand?.name) return {};
  const { name, logo, accent, imprintUrl, privacyUrl, supportUrl } = brand;
  return {
    brand: {
      name,
      logo: logoView(logo),
      accent,
      imprint_url: imprintUrl,
      privacy_url: privacyUrl,
      support_url: supportUrl,
    },
  };
}
