import { ApiError } from '../contract/api-error.ts';
import { deadLink, signerById } from '../requests/lifecycle.ts';
import type { SignatureRequest, SignerState } from '../requests/model.ts';
import { addLogFields } from '../runtime/log.ts';
import { systemNow } from '../runtime/time.ts';
import { findCopyLink } from '../store/copy-links.ts';
import { loadRequest } from '../store/requests.ts';
import type { Table } from '../store/table.ts';
import { type HttpEvent, header } from './call.ts';

export interface CopyHolder {
  request: SignatureRequest;
  signer: SignerState;
}

/** The link in the mail with the sealed document, whose token only that mailbox got; undefined without its header. */
export async function copyHolder(table: Table, event: HttpEvent): Promise<CopyHolder | undefined> {
  const token = header(event, 'x-copy-token');
  if (token === undefined) return undefined;
  const link = token.length <= 100 ? await findCopyLink(table, token) : undefined;
  const request = link && (await loadRequest(table, link.requestId));
  if (!link || !request) throw new ApiError('not_found', 'This link does not exist.');
  addLogFields({ signature_request_id: link.requestId, signer_id: link.signerId });
  const signer = signerById(request, link.signerId);
  const dead = deadLink(request, signer, systemNow());
  // Lets the page explain it in the signer's language.
  if (dead) throw new ApiError(dead, undefined, { fields: { locale: signer.locale } });
  return { request, signer };
}
