import { authenticate, type Caller } from '../accounts/authenticate.ts';
import { KeyUses } from '../accounts/key-uses.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { setting } from '../runtime/config.ts';
import { addLogFields } from '../runtime/log.ts';
import { systemNow } from '../runtime/time.ts';
import { type AccountEventType, accountEventWrite } from '../store/account-log.ts';
import { configuredTable } from '../store/configured-table.ts';
import type { Table, Write } from '../store/table.ts';
import { callerOnDashboard, isFromApp } from './app-endpoint.ts';
import { type Call, type HttpEvent, header, type Reply } from './call.ts';
import { serve } from './serve.ts';

export type ApiCall<E extends Endpoint> = Call<E, Caller> & { table: Table };

/** For the log of the account, which has what users do on the dashboard, and no calls of clients. */
export const accountEvents =
  (
    type: AccountEventType,
    { caller, visitor, now }: Pick<ApiCall<Endpoint>, 'caller' | 'visitor' | 'now'>,
  ): ((details: Record<string, string>) => Write[]) =>
  (details) =>
    caller.user
      ? [accountEventWrite(caller.ownerId, type, { userId: caller.user.id, visitor, now }, details)]
      : [];

/** An endpoint for API clients, authenticated by API key, and for the dashboard, by the user's session. */
export function apiEndpoint<E extends Endpoint>(
  endpoint: E,
  handle: (call: ApiCall<E>) => Promise<Reply<E>>,
  { readBody }: { readBody?: (event: HttpEvent) => Promise<string> } = {},
) {
  const table = configuredTable();
  const uses = new KeyUses(table);
  const docsBaseUrl = setting('BASE_URL');
  const identify = async (event: HttpEvent): Promise<Caller> => {
    const authorization = header(event, 'authorization');
    if (authorization === undefined && isFromApp(event)) return callerOnDashboard(table, endpoint, event);
    const caller = await authenticate(table, authorization);
    uses.note(caller.keyId, systemNow());
    return caller;
  };
  const settled = () => uses.settled();
  return serve<E, Caller>(endpoint, {
    identify: async (event) => {
      const caller = await identify(event);
      addLogFields({ owner_id: caller.ownerId, mode: caller.mode });
      return caller;
    },
    ...(readBody && { readBody }),
    docsBaseUrl,
    handle: (call) => handle({ ...call, table }),
  }).use({ after: settled, onError: settled });
}
