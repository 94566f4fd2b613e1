import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { sign } from '../../shared/contract/signing.ts';
import { ApiError } from '../../shared/http/api-error.ts';
import { signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { dispatch } from '../../shared/queues/dispatch.ts';
import { signerById } from '../../shared/requests/lifecycle.ts';
import { type SignInput, sign as signRequest } from '../../shared/requests/signing.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { redraw } from '../../shared/signing/drawn-signature.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { drawnSignatureKey } from '../../shared/store/objects.ts';
import { CONSENT_VERSION } from '../../shared/texts/consent.ts';

const s3 = new S3Client(CLIENT_SETTINGS);
const sqs = new SQSClient(CLIENT_SETTINGS);
const bucket = setting('DOCUMENTS_BUCKET');
const queues = { event: setting('EVENTS_QUEUE_URL'), seal: setting('SEAL_QUEUE_URL') };

async function storeDrawing(requestId: string, signerId: string, base64: string): Promise<string> {
  const { png, sha256 } = redraw(base64);
  const key = drawnSignatureKey(requestId, signerId, sha256);
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: png, ContentType: 'image/png' }));
  return key;
}

export const handler = signingEndpoint(sign, async ({ caller, body, visitor, table }) => {
  const requestId = caller.request.state.id;
  const signerId = caller.signer.id;
  const { signature, representing } = body;
  const mayChange = caller.signer.status !== 'signed';
  if (mayChange && body.consent_version !== CONSENT_VERSION) throw new ApiError('consent_outdated');
  const value =
    signature.type === 'typed'
      ? signature.text
      : mayChange
        ? await storeDrawing(requestId, signerId, signature.png_base64)
        : '';
  const input: SignInput = {
    signerId,
    visitor,
    name: body.name,
    documentSha256: body.document_sha256,
    consentVersion: body.consent_version,
    consentLocale: body.consent_locale,
    signature: { type: signature.type, value },
    representing: representing
      ? { name: representing.name, role: representing.role ?? null, entityId: representing.entity_id ?? null }
      : null,
  };
  const changed = await changeRequest(
    table,
    requestId,
    (request, now) => signRequest(request, input, now),
    systemNow,
    {
      known: caller.request,
    },
  );
  if (!changed) throw new ApiError('not_found');
  await dispatch(sqs, queues, changed.outbox);
  const signed = signerById(changed.request, signerId);
  return {
    json: {
      status: 'signed',
      signed_at: signed.signedAt,
      remaining_pending_signers: signed.signature?.remaining,
      request_status: signed.signature?.requestStatus,
    },
  };
});
