import { SignatureRequestsError } from '../../../client/src/errors.ts';
import type { AppTexts } from '../../../shared/texts/en/app.ts';
import type { BrandChanges } from '../contract.ts';

type BrandField = keyof BrandChanges;

const sentencesOf = ({ settings, problems }: AppTexts): Record<BrandField, string> => ({
  display_name: problems.invalid_name,
  logo_png_base64: settings.brand.logoFault,
  accent: settings.brand.accentFault,
  reply_to: problems.invalid_signer_email,
  imprint_url: problems.invalid_return_url,
  privacy_url: problems.invalid_return_url,
  support_url: problems.invalid_return_url,
  time_zone: settings.brand.zoneFault,
});

/** The error of each field that the service rejected, unless its value was replaced since. */
export function brandFaults(
  thrown: unknown,
  texts: AppTexts,
  replaced: BrandChanges = {},
): Partial<Record<BrandField, string>> {
  if (!(thrown instanceof SignatureRequestsError)) return {};
  const refused = new Set([thrown, ...thrown.errors].map(({ field }) => field));
  return Object.fromEntries(
    Object.entries(sentencesOf(texts)).filter(([field]) => refused.has(`/${field}`) && !(field in replaced)),
  );
}
