import { Readable } from 'node:stream';
import { ApiError } from '../../shared/contract/api-error.ts';
import { getLogo } from '../../shared/contract/signing.ts';
import { serve } from '../../shared/http/serve.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { findLogo } from '../../shared/store/logos.ts';

const table = configuredTable();

/** Open, since it is shown before the code. Only those who were answered its address know it. */
export const handler = serve(getLogo, {
  identify: async () => undefined,
  headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
  handle: async ({ params }) => {
    const png = await findLogo(table, params.sha256);
    if (!png) throw new ApiError('not_found', 'There is no such logo.');
    return { stream: Readable.from([png]), headers: { 'Content-Length': String(png.length) } };
  },
});
