import { Readable } from 'node:stream';
import { makeAuditTrailPdf } from '../../shared/audit/audit-trail.ts';
import { getAuditTrail } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { contentDisposition } from '../../shared/http/pdf-reply.ts';
import { signersOnPage } from '../../shared/stamping/signers-on-page.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';
import { findObject } from '../../shared/store/find-object.ts';
import { loadRequestWithTrail } from '../../shared/store/requests.ts';

const { s3, bucket } = configuredDocuments();

/** A purged drawing is empty; the page shows the name instead. */
const readDrawing = async (key: string): Promise<Uint8Array> =>
  (await findObject({ s3, bucket }, key)) ?? new Uint8Array();

export const handler = apiEndpoint(getAuditTrail, async ({ caller, params, table, now }) => {
  const request = requireOwned(await loadRequestWithTrail(table, params.id), caller);
  const { events, ...stored } = request;
  // A document that was already signed gets no signature page, so the trail shows the signatures.
  const signatures = request.content.alreadySigned ? await signersOnPage(readDrawing, request.signers) : [];
  const pdf = await makeAuditTrailPdf({
    request: stored,
    events,
    signatures,
    generatedAt: now.toISOString(),
  });
  return {
    stream: Readable.from([pdf]),
    headers: {
      'Content-Length': String(pdf.length),
      'Content-Disposition': contentDisposition('attachment', `audit-trail-${params.id}.pdf`),
    },
  };
});
