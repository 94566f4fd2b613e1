import { openLink } from '../../shared/contract/signing.ts';
import { changeAsHolder, signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { codeExpiry, hasCodeEntryEnded, lockOf, MAX_ATTEMPTS } from '../../shared/requests/codes.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { open } from '../../shared/requests/signing.ts';
import { setting } from '../../shared/runtime/config.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import { brandOf } from '../../shared/views/brand.ts';

const send = dispatchTo({ event: setting('EVENTS_QUEUE_URL') });

/** Called by the page's script. Loading the page changes nothing, since mail scanners follow links. */
export const handler = signingEndpoint(openLink, async ({ caller, visitor, table, now, json }) => {
  const by = { signerId: caller.signer.id, visitor };
  const changed = await changeAsHolder(table, caller, (request, time) => open(request, by, time));
  const [brand] = await Promise.all([brandOf(table, changed.request.state), send(changed.outbox)]);
  const signer = signerById(changed.request, by.signerId);
  const lock = lockOf(signer, now);
  return json({
    ...brand,
    signer_status: signer.status,
    locale: signer.locale,
    code_expires_at: codeExpiry(changed.request.state, signer, now),
    attempts_left: lock ? 0 : Math.max(0, MAX_ATTEMPTS - signer.codeAttempts),
    locked_until: lock?.until ?? null,
    code_entry_ended: hasCodeEntryEnded(signer, now),
  });
});
