import type { SignerOnPage } from '../audit/signatures.ts';
import type { SignerState } from '../requests/model.ts';
import { CONSENT_TEXTS, CONSENT_VERSIONS, type Locale } from '../texts/languages.ts';

/** Loads the signers who signed, with their drawings, for the signature page. */
export async function signersOnPage(
  readDrawing: (key: string) => Promise<Uint8Array>,
  signers: SignerState[],
): Promise<SignerOnPage[]> {
  const signed = signers.filter((signer) => signer.status === 'signed');
  return Promise.all(
    signed.map(async (signer) => ({
      nameAsSigned: signer.nameAsSigned ?? signer.name,
      email: signer.email,
      viewedAt: viewedBeforeSigning(signer),
      signedAt: signer.signedAt ?? '',
      ipAddress: signer.ipAddress,
      consent: signer.signature && {
        version: signer.signature.consentVersion,
        locale: signer.signature.consentLocale,
      },
      representing: signer.representingAsSigned
        ? {
            name: signer.representingAsSigned,
            role: signer.representingRole,
            entityId: signer.representingEntityId,
          }
        : null,
      signature:
        signer.signature?.type === 'drawn'
          ? ({ type: 'drawn', png: await readDrawing(signer.signature.value) } as const)
          : ({
              type: 'typed',
              text: signer.signature?.value ?? signer.name,
              style: signer.signature?.style ?? null,
            } as const),
    })),
  );
}

/** A signer may read the document only after signing, while the seal is made; a second run would then say something else. */
const viewedBeforeSigning = ({ viewedAt, signedAt }: SignerState): string | null =>
  viewedAt && signedAt && viewedAt <= signedAt ? viewedAt : null;

/** Each text that a signer agreed to, once, in the order of the signers. */
export function consentsOf(
  signers: readonly SignerOnPage[],
): { locale: Locale; version: string; text: string }[] {
  const given = signers.flatMap(({ consent }) =>
    consent && consent.version === CONSENT_VERSIONS[consent.locale] ? [consent.locale] : [],
  );
  return [...new Set(given)].map((locale) => ({
    locale,
    version: CONSENT_VERSIONS[locale],
    text: CONSENT_TEXTS[locale],
  }));
}

/** Dates what is made from the signatures, so that a second run makes the same. */
export const lastSignatureAt = (signers: readonly SignerOnPage[]): string | undefined =>
  signers
    .map(({ signedAt }) => signedAt)
    .sort()
    .at(-1);
