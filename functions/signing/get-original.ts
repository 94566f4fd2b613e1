import { ApiError } from '../../shared/contract/api-error.ts';
import { getOriginal } from '../../shared/contract/signing.ts';
import { pdfReply, recordedReply } from '../../shared/http/pdf-reply.ts';
import { missingFile } from '../../shared/http/sealed-document.ts';
import { changeAsHolder, signingEndpoint } from '../../shared/http/signing-endpoint.ts';
import { documentViewed } from '../../shared/requests/codes.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';

const { s3, bucket } = configuredDocuments();

export const handler = signingEndpoint(getOriginal, async ({ caller, headers, visitor, table }) => {
  const { state, content } = caller.request;
  // Those who had signed keep their link, but nobody reads the document of a cancelled request.
  if (state.status === 'cancelled') throw new ApiError('link_cancelled');
  const by = { signerId: caller.signer.id, visitor };
  const stored = {
    bucket,
    key: content.documentKey,
    filename: content.filename,
    disposition: 'inline',
    sha256: content.documentSha256,
  } as const;
  const reply = await pdfReply(s3, stored, headers);
  if (!reply) throw await missingFile(table, state.id);
  return recordedReply(reply, () =>
    changeAsHolder(table, caller, (request, now) => documentViewed(request, by, now)),
  );
});
