import { createKey, shownKeys } from '../../../shared/accounts/keys.ts';
import { ApiError } from '../../../shared/contract/api-error.ts';
import * as app from '../../../shared/contract/app.ts';
import { adminRoute, byOf } from '../../../shared/http/app-endpoint.ts';
import type { Route } from '../../../shared/http/router.ts';
import { accountEventWrite } from '../../../shared/store/account-log.ts';
import { MAX_KEYS, revokeKey, TooManyKeys } from '../../../shared/store/api-keys.ts';
import { loadAccount } from '../../../shared/store/owners.ts';
import type { Table } from '../../../shared/store/table.ts';

type Shown = Awaited<ReturnType<typeof shownKeys>>[number];
const keyView = ({ mode, ...key }: Shown) => ({ ...key, test: mode === 'test' });

/** All that work, and the newest of the revoked. */
function shownOf(keys: readonly Shown[]): Shown[] {
  const revoked = keys.filter((key) => key.revoked_at).slice(-MAX_KEYS);
  return keys.filter((key) => !key.revoked_at || revoked.includes(key));
}

export const keyRoutes = (table: Table): Route[] => [
  adminRoute(table, app.listApiKeys, async ({ caller, json }) => {
    const { keys = [] } = (await loadAccount(table, caller.owner.id)) ?? {};
    return json({ data: shownOf(await shownKeys(keys, table)).map(keyView) });
  }),

  adminRoute(table, app.createApiKey, async (call) => {
    const { name, test = false } = call.body;
    const { owner } = call.caller;
    const key = { mode: test ? 'test' : 'live', name } as const;
    const eventsOf = (keyId: string) => [
      accountEventWrite(owner.id, 'key_created', byOf(call), { key_id: keyId, name }),
    ];
    const created = await createKey(
      owner,
      key,
      { table, now: () => call.now },
      { extraWrites: eventsOf, permit: call.caller.permit },
    ).catch((error: unknown) => {
      throw error instanceof TooManyKeys ? new ApiError('too_many_keys') : error;
    });
    return call.json({
      ...created,
      name,
      test,
      created_at: call.now.toISOString(),
      last_used_at: null,
      revoked_at: null,
    });
  }),

  adminRoute(table, app.revokeApiKey, async (call) => {
    const { owner, permit } = call.caller;
    const keyId = call.params.key_id;
    const account = await loadAccount(table, owner.id);
    const isOwn = account?.keys.some((key) => key.keyId === keyId);
    const event = accountEventWrite(owner.id, 'key_revoked', byOf(call), { key_id: keyId });
    const change = { extraWrites: [event], permit };
    const revokedAt = isOwn && (await revokeKey(table, keyId, call.now.toISOString(), change));
    if (!revokedAt) throw new ApiError('not_found', 'There is no such API key.');
    return call.json({ key_id: keyId, revoked_at: revokedAt });
  }),
];
