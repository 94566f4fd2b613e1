import type { SignerState } from '../requests/model.ts';
import type { SignerOnPage } from './page/signatures.ts';

/** The signers as the signature page shows them, with their drawings. */
export async function signersOnPage(
  readDrawing: (key: string) => Promise<Uint8Array>,
  signers: SignerState[],
): Promise<SignerOnPage[]> {
  const signed = signers.filter((signer) => signer.status === 'signed');
  return Promise.all(
    signed.map(async (signer) => ({
      nameAsSigned: signer.nameAsSigned ?? signer.name,
      email: signer.email,
      signedAt: signer.signedAt ?? '',
      ipAddress: signer.ipAddress,
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
          : ({ type: 'typed', text: signer.signature?.value ?? signer.name } as const),
    })),
  );
}
