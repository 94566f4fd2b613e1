import { ApiError } from '../contract/api-error.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { assertLink, deadLink } from '../requests/lifecycle.ts';
import type { Change, SignatureRequest, SignerState } from '../requests/model.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { addLogFields } from '../runtime/log.ts';
import { systemNow } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { configuredTable } from '../store/configured-table.ts';
import { type Changed, loadRequestOfLink } from '../store/requests.ts';
import type { Table, Write } from '../store/table.ts';
import { sameHash } from '../verification/code.ts';
import { hasSession } from '../verification/session.ts';
import { type Call, type HttpEvent, header, type Reply } from './call.ts';
import { type CopyHolder, copyHolder } from './copy-link.ts';
import { serve } from './serve.ts';

/** The signer that a link belongs to, with the current request. */
interface LinkHolder {
  token: string;
  request: SignatureRequest;
  signer: SignerState;
}

export type SigningCall<E extends Endpoint> = Call<E, LinkHolder> & { table: Table };

/** A corrected signer has another link. */
function signerWith({ signers }: SignatureRequest, token: string): SignerState | undefined {
  const hash = sha256Hex(token);
  return signers.find(({ accessToken }) => sameHash(sha256Hex(accessToken), hash));
}

async function holderOf(table: Table, event: HttpEvent): Promise<LinkHolder> {
  const token = header(event, 'x-signing-token');
  if (!token || token.length > 100)
    throw new ApiError('not_found', 'The link’s token must be in the X-Signing-Token header.');
  const request = await loadRequestOfLink(table, token);
  const signer = request && signerWith(request, token);
  if (!signer) throw new ApiError('not_found', 'This link does not exist.');
  addLogFields({ signature_request_id: request.state.id, signer_id: signer.id });
  return { token, request, signer };
}

/** The holder of a link that works, with a session if the contract requires one. */
async function identifySigner(
  table: Table,
  access: Endpoint['access'],
  event: HttpEvent,
): Promise<LinkHolder> {
  const holder = await holderOf(table, event);
  const now = systemNow();
  const dead = deadLink(holder.request, holder.signer, now);
  // Lets the page explain it in the signer's language, which the holder of the token may know.
  if (dead) throw new ApiError(dead, undefined, { fields: { locale: holder.signer.locale } });
  const isVerified =
    access === 'signing_link' || hasSession(holder.signer, holder.token, header(event, 'cookie'), now);
  if (!isVerified) throw new ApiError('verification_required');
  return holder;
}

/**
 * Changes a request for the holder of a link. Each attempt checks the link again: once the sender corrects the address,
 * the signer is another person with another link.
 */
export async function changeAsHolder(
  table: Table,
  { token, request, signer }: LinkHolder,
  decide: (request: SignatureRequest, now: Date) => Change | undefined,
  extraWrites: Write[] = [],
): Promise<Changed> {
  const changed = await changeRequest(
    { table, now: systemNow },
    request.state.id,
    (current, now) => {
      assertLink(current, signer.id, token);
      return decide(current, now);
    },
    { known: request, extraWrites },
  );
  if (!changed) throw new ApiError('not_found');
  return changed;
}

const HEADERS = { 'Referrer-Policy': 'no-referrer' };

/** An endpoint for signers: the link identifies them; if the contract requires it, a session from a verified code proves it. */
export function signingEndpoint<E extends Endpoint>(
  endpoint: E,
  handle: (call: SigningCall<E>) => Promise<Reply<E>>,
) {
  const table = configuredTable();
  return serve<E, LinkHolder>(endpoint, {
    identify: (event) => identifySigner(table, endpoint.access, event),
    headers: HEADERS,
    handle: (call) => handle({ ...call, table }),
  });
}

/** An endpoint for a sealed file: its mail's link opens it as well as a session. */
export function sealedFileEndpoint<E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<E, CopyHolder> & { table: Table }) => Promise<Reply<E>>,
) {
  const table = configuredTable();
  return serve<E, CopyHolder>(endpoint, {
    identify: async (event) =>
      (await copyHolder(table, event)) ?? identifySigner(table, endpoint.access, event),
    headers: HEADERS,
    handle: (call) => handle({ ...call, table }),
  });
}
