import type { EventData } from '../contract/events.ts';
import { downloadUrl } from './links.ts';
import { type RequestState, requestHead, requestTimes, type SignerState } from './model.ts';

/** The `data` of webhook events. Payloads never contain access tokens, links or codes. */
export const requestData = (state: RequestState) => ({
  signature_request_id: state.id,
  ...requestHead(state),
  signer_count: state.signerCount,
  ...requestTimes(state),
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
  download_url: downloadUrl(baseUrl, state.id),
});
