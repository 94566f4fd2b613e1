import { readFileSync } from 'node:fs';
import type { Item } from '../../../shared/store/items.ts';
import type { Key } from '../../../shared/store/keys.ts';

/** An opened request with one signer, as a version from before item versions, salts and anchors wrote it. */
export const OLDER_ITEMS: (Item & Key)[] = JSON.parse(
  readFileSync(new URL('../../fixtures/request-without-item-version.json', import.meta.url), 'utf8'),
);
export const OLDER_ID = String(OLDER_ITEMS[0]?.pk).slice('REQ#'.length);
