import type * as z from 'zod';
import { ApiError } from '../../shared/contract/api-error.ts';
import { sign } from '../../shared/contract/signing.ts';
import { changeAsHolder, signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { assertMaySign, type SignInput, sign as signRequest } from '../../shared/requests/signing.ts';
import { setting } from '../../shared/runtime/config.ts';
import { present } from '../../shared/runtime/present.ts';
import { after, SECOND, systemNow } from '../../shared/runtime/time.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import { claimObject, useClaimWrite } from '../../shared/store/object-claims.ts';
import { drawnSignatureKey } from '../../shared/store/objects.ts';
import { putOnce } from '../../shared/store/put-once.ts';
import { type Table, tryWrite } from '../../shared/store/table.ts';
import { CONSENT_VERSIONS } from '../../shared/texts/languages.ts';
import { redraw } from '../../shared/verification/drawn-signature.ts';

const { s3, bucket } = configuredDocuments();
const send = dispatchTo({ event: setting('EVENTS_QUEUE_URL'), seal: setting('SEAL_QUEUE_URL') });

interface Drawing {
  key: string;
  png: Uint8Array;
  sha256: string;
}

type GivenSignature = z.output<typeof sign.body>['signature'];

function drawingOf(given: GivenSignature, requestId: string, signerId: string): Drawing | undefined {
  if (given.type === 'typed') return undefined;
  const { png, sha256 } = redraw(given.png_base64);
  return { key: drawnSignatureKey(requestId, signerId, sha256), png, sha256 };
}

const typedOf = (given: GivenSignature): SignInput['signature'] => ({
  type: 'typed',
  ...(given.type === 'typed' ? { value: given.text, style: given.style } : { value: '' }),
});

/** Removing an image takes a moment. */
const REMOVAL_MS = 3 * SECOND;

/** Claims the image first, so that the sweep removes it if this call dies or is refused. */
async function storeDrawing(table: Table, { key, png }: Drawing): Promise<void> {
  const now = systemNow();
  if (!(await tryWrite(claimObject(table, key, now))))
    throw new ApiError('conflict', 'This drawing of an earlier call is being removed; try again.', {
      retryAt: after(now, REMOVAL_MS),
    });
  await putOnce(s3, { Bucket: bucket, Key: key, Body: png, ContentType: 'image/png' });
}

export const handler = signingEndpoint(sign, async ({ caller, body, visitor, table, json }) => {
  const requestId = caller.request.state.id;
  const signerId = caller.signer.id;
  const { signature, representing } = body;
  const mayChange = caller.signer.status !== 'signed';
  if (mayChange) {
    if (body.consent_version !== CONSENT_VERSIONS[body.consent_locale])
      throw new ApiError('consent_outdated');
    assertMaySign(caller.request, { signerId, documentSha256: body.document_sha256 });
  }
  // A repeated call gets the first answer, whatever its signature.
  const drawing = mayChange ? drawingOf(signature, requestId, signerId) : undefined;
  const input: SignInput = {
    signerId,
    visitor,
    name: body.name,
    documentSha256: body.document_sha256,
    consentVersion: body.consent_version,
    consentLocale: body.consent_locale,
    signature: drawing
      ? { type: 'drawn', value: drawing.key, drawingSha256: drawing.sha256 }
      : typedOf(signature),
    representing: representing
      ? { name: representing.name, role: representing.role || null, entityId: representing.entity_id || null }
      : null,
  };
  if (drawing) await storeDrawing(table, drawing);
  const changed = await changeAsHolder(
    table,
    caller,
    (request, now) => signRequest(request, input, now),
    drawing && [useClaimWrite(drawing.key)],
  );
  await send(changed.outbox);
  const { signedAt, signature: signed } = signerById(changed.request, signerId);
  const { remaining, requestStatus } = present(signed, 'signature');
  return json({
    status: 'signed',
    signed_at: present(signedAt, 'signedAt'),
    remaining_pending_signers: remaining,
    request_status: requestStatus,
  });
});
