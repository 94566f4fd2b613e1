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

/** Ignores a first view after signing: it may happen while the seal is made, and a second run must print the same. */
const viewedBeforeSigning = ({ viewedAt, signedAt }: SignerState): string | null =>
  viewedAt && signedAt && viewedAt <= signedAt ? viewedAt : null;

/** The distinct consent texts in the order of the signers. */
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

/** The date of documents made from the signatures: a second run then makes the same bytes. */
export const lastSignatureAt = (signers: readonly SignerOnPage[]): string | undefined =>
  signers
    .map(({ signedAt }) => signedAt)
    .sort()
    .at(-1);
