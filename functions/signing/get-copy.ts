import { ApiError } from '../../shared/contract/api-error.ts';
import { getCopy } from '../../shared/contract/signing.ts';
import { copyHolder } from '../../shared/http/copy-link.ts';
import { serve } from '../../shared/http/serve.ts';
import { copyEndsAt } from '../../shared/requests/lifecycle.ts';
import { present } from '../../shared/runtime/present.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { brandOf } from '../../shared/views/brand.ts';

const table = configuredTable();

export const handler = serve(getCopy, {
  identify: async (event) => {
    const holder = await copyHolder(table, event);
    if (!holder) throw new ApiError('not_found', 'The link’s token must be in the X-Copy-Token header.');
    return holder;
  },
  headers: { 'Referrer-Policy': 'no-referrer' },
  handle: async ({ caller: { request, signer }, json }) => {
    const { state, content } = request;
    if (state.purgedAt)
      throw new ApiError('document_purged', undefined, {
        fields: { purged_at: state.purgedAt, locale: signer.locale },
      });
    return json({
      ...(await brandOf(table, state)),
      title: state.title,
      sender_name: state.ownerName,
      filename: content.filename,
      locale: signer.locale,
      available_until: present(copyEndsAt(state), 'copyEndsAt'),
      ...(state.mode === 'test' && { test: true }),
      ...(state.evidenceHash && { evidence: true }),
    });
  },
});
