import * as z from 'zod';
import { MODES } from '../contract/fields.ts';
import { string, stringOrNull } from '../runtime/schemas.ts';
import { after, DAY, epochSeconds } from '../runtime/time.ts';
import { type OwnerMode, uploadKey } from './keys.ts';
import type { Table, Write } from './table.ts';

/** An uploaded PDF: belongs to one owner, serves one request, within an hour. */
const upload = z.object({
  ownerId: string,
  mode: z.enum(MODES),
  expiresAt: string,
  usedBy: stringOrNull,
});

export const addUpload = (
  table: Table,
  id: string,
  { ownerId, mode }: OwnerMode,
  expiresAt: string,
): Promise<void> =>
  table.put({
    ...uploadKey(id),
    ownerId,
    mode,
    expiresAt,
    ttl: epochSeconds(after(expiresAt, DAY)),
  });

export const findUpload = (table: Table, id: string) => table.find(upload, uploadKey(id));

/** Marks an upload as used by a request; goes into the transaction that creates the request. */
export const useUploadWrite = (id: string, requestId: string): Write => ({
  update: uploadKey(id),
  set: { usedBy: requestId },
  condition: { expression: 'attribute_not_exists(#usedBy)' },
});
