import { logoKey } from './keys.ts';
import type { Table, Write } from './table.ts';

/** Logos of brands. One is stored under the hash of its bytes and never changed, so browsers may keep it for good. */

export const logoWrite = (sha256: string, png: Uint8Array): Write => ({ put: { ...logoKey(sha256), png } });

export async function findLogo(table: Table, sha256: string): Promise<Uint8Array | undefined> {
  const item = await table.get(logoKey(sha256));
  return item?.png instanceof Uint8Array ? item.png : undefined;
}
