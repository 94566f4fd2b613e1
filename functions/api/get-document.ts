import { getDocument } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { recordedReply } from '../../shared/http/pdf-reply.ts';
import { sealedDocument } from '../../shared/http/sealed-document.ts';
import { documentDownloaded } from '../../shared/requests/ending.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';
import { loadRequest } from '../../shared/store/requests.ts';

const documents = configuredDocuments();

export const handler = apiEndpoint(
  getDocument,
  async ({ caller, params, query, headers, visitor, table }) => {
    const request = requireOwned(await loadRequest(table, params.id), caller);
    const reply = await sealedDocument({ table, ...documents }, request, { form: query.form, rest: headers });
    return recordedReply(reply, () =>
      changeRequest(
        { table, now: systemNow },
        params.id,
        (current, now) => documentDownloaded(current, visitor, now),
        { known: request },
      ),
    );
  },
);
