import type { EventData } from '../contract/events.ts';
import type { RequestState, SignerState } from './model.ts';

/** The `data` of the webhook events. No payload carries an access token, a link or a code. */
export const requestData = (state: RequestState) => ({
  signature_request_id: state.id,
  status: state.status,
  title: state.title,
  signer_count: state.signerCount,
  created_at: state.createdAt,
  sent_at: state.sentAt,
  signed_at: state.signedAt,
  cancelled_at: state.cancelledAt,
  expires_at: state.expiresAt,
});

export const signerData = (signer: SignerState) => ({
  signer_id: signer.id,
  email: signer.email,
  name: signer.name,
  status: signer.status,
  locale: signer.locale,
  position: signer.position,
});

export const actingSigner = (signer: SignerState) => ({
  signer_id: signer.id,
  signer_email: signer.email,
  signer_name: signer.nameAsSigned ?? signer.name,
});

export const signedData = (
  state: RequestState,
  signer: SignerState,
  signedAt: string,
): EventData<'signer.signed'> => ({
  signature_request_id: state.id,
  ...actingSigner(signer),
  signed_at: signedAt,
  remaining_pending_signers: state.signerCount - state.signedCount,
});

export const completedData = (
  state: RequestState,
  signedAt: string,
  documentHash: string,
  baseUrl: string,
): EventData<'signature_request.completed'> => ({
  signature_request_id: state.id,
  status: 'signed',
  signed_at: signedAt,
  document_hash: documentHash,
  download_url: `${baseUrl}/api/v1/signatures/${state.id}/document`,
});
