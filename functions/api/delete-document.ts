import { notFound } from '../../shared/contract/api-error.ts';
import { deleteDocument } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { deletionRequested, purged } from '../../shared/requests/ending.ts';
import { present } from '../../shared/runtime/present.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';
import { requestObjects } from '../../shared/store/objects.ts';
import { removeObjects } from '../../shared/store/remove-objects.ts';

const { s3, bucket } = configuredDocuments();

export const handler = apiEndpoint(deleteDocument, async ({ caller, params, visitor, table, json }) => {
  const by = { archive: caller.archive, actor: 'client', visitor } as const;
  const requested = await changeRequest({ table, now: systemNow }, params.id, (request, now) =>
    deletionRequested(requireOwned(request, caller), by, now),
  );
  if (!requested) throw notFound('id');
  await removeObjects(s3, bucket, requestObjects(params.id));
  const changed = await changeRequest({ table, now: systemNow }, params.id, (request, now) =>
    purged(request, now, 'client'),
  );
  const purgedAt = present(changed?.request.state.purgedAt, 'purgedAt');
  return json({ id: params.id, pdf_purged: true, pdf_purged_at: purgedAt });
});
