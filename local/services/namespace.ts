import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The prefix of a data folder's tables, buckets and queues in services that others use too. It lasts as long as the folder's data, so
 * an emptied folder begins with empty ones.
 */
export function namespaceOf(dataDir: string): string {
  const file = join(dataDir, 'namespace');
  if (!existsSync(file)) writeFileSync(file, `l${randomBytes(4).toString('hex')}-`);
  return readFileSync(file, 'utf8');
}
