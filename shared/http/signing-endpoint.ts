import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type SigningKeys, signingKeys } from '../codes/secrets.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { deadLink, Refusal, signerById } from '../requests/lifecycle.ts';
import type { SignatureRequest, SignerState } from '../requests/model.ts';
import { CLIENT_SETTINGS } from '../runtime/clients.ts';
import { setting } from '../runtime/config.ts';
import { addLogFields } from '../runtime/log.ts';
import { systemNow } from '../runtime/time.ts';
import { hasSession } from '../signing/session.ts';
import { findLink, loadRequest } from '../store/requests.ts';
import { Table } from '../store/table.ts';
import { ApiError } from './api-error.ts';
import { type Call, type HttpEvent, header, type Reply } from './call.ts';
import { serve } from './serve.ts';

/** Whose link it is, with the request as it stands. */
export interface LinkHolder {
  token: string;
  request: SignatureRequest;
  signer: SignerState;
  keys: SigningKeys;
}

export type SigningCall<E extends Endpoint> = Call<E, LinkHolder> & { table: Table };

async function holderOf(table: Table, event: HttpEvent): Promise<LinkHolder> {
  const token = header(event, 'x-signing-token');
  if (!token || token.length > 100)
    throw new ApiError('not_found', 'The link’s token must stand in the header X-Signing-Token.');
  const [link, keys] = await Promise.all([findLink(table, token), signingKeys()]);
  const request = link && (await loadRequest(table, link.requestId));
  if (!link || !request) throw new ApiError('not_found', 'This link does not exist.');
  addLogFields({ signature_request_id: link.requestId, signer_id: link.signerId });
  return { token, request, signer: signerById(request, link.signerId), keys };
}

/** A signer's endpoint: the link says who it is, and where the contract asks for it a verified code's session proves it. */
export function signingEndpoint<E extends Endpoint>(
  endpoint: E,
  handle: (call: SigningCall<E>) => Promise<Reply>,
) {
  const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
  return serve<E, LinkHolder>(endpoint, {
    identify: async (event) => {
      const holder = await holderOf(table, event);
      const now = systemNow();
      const dead = deadLink(holder.request, holder.signer, now);
      if (dead) throw new Refusal(dead);
      const proven =
        endpoint.access !== 'signing_session' ||
        hasSession(holder.keys.session, holder.token, holder.signer.id, header(event, 'cookie'), now);
      if (!proven) throw new ApiError('verification_required');
      return holder;
    },
    handle: async (call) => {
      const reply = await handle({ ...call, table });
      return { ...reply, headers: { 'Referrer-Policy': 'no-referrer', ...reply.headers } };
    },
  });
}
