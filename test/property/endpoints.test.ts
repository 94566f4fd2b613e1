import { jest } from '@jest/globals';
import fc from 'fast-check';
import { LIMITS } from '../../shared/contract/limits.ts';
import { type AccountEventType, accountEventWrite } from '../../shared/store/account-log.ts';
import { listEndpoints } from '../../shared/store/webhook-endpoints.ts';
import { createEndpoint, deleteEndpoint, updateEndpoint } from '../../shared/webhooks/endpoints.ts';
import { MemoryDynamo } from '../support/memory-dynamo.ts';
import { always } from '../support/property.ts';
import { Races, SOME_RACES, seeds } from '../support/races.ts';
import { NOON, VISITOR } from '../support/requests.ts';
import { skipPauses } from '../support/virtual-time.ts';

const owner = { ownerId: 'owner-1', mode: 'live' } as const;
type Action =
  | { does: 'create'; url: string }
  | { does: 'delete'; endpoint: number }
  | { does: 'change'; endpoint: number; patch: Parameters<typeof updateEndpoint>[1] };

const memory = new MemoryDynamo();
const { table } = memory;
/** As many as leave one place. */
const ids: string[] = [];

const parts = (type: AccountEventType) => ({
  table,
  owner,
  now: NOON,
  encrypt: async () => 'ciphertext',
  events: (details: Record<string, string>) => [
    accountEventWrite(owner.ownerId, type, { userId: 'mia', visitor: VISITOR, now: NOON }, details),
  ],
});
const create = (url: string) => createEndpoint({ url }, parts('webhook_created'));

async function act(action: Action): Promise<string> {
  if (action.does === 'create') {
    await create(action.url);
    return 'created';
  }
  const id = ids[action.endpoint] ?? '';
  if (action.does === 'delete') return String(await deleteEndpoint(id, parts('webhook_deleted')));
  const { url, disabledAt } = await updateEndpoint(id, action.patch, parts('webhook_changed'));
  return `${url} ${disabledAt}`;
}

/** Everything that people can see, without the random ids of new endpoints. */
async function look(): Promise<string> {
  const endpoints = await listEndpoints(table, owner);
  const logged = memory.items.filter(({ type }) => type);
  return JSON.stringify({
    endpoints: endpoints
      .map(({ url, description, disabledAt }) => [url, description, disabledAt].join(' '))
      .sort(),
    logged: logged.map(({ type, details }) => `${type} ${JSON.stringify(details, ['host'])}`).sort(),
  });
}

beforeAll(async () => {
  skipPauses(NOON);
  for (let n = 1; n < LIMITS.webhookEndpoints; n += 1)
    ids.push((await create(`https://${n}.example.com/`)).endpoint.id);
});
afterAll(() => jest.useRealTimers());

const url = fc.constantFrom('https://a.example.com/', 'https://b.example.com/');
const endpoint = fc.constantFrom(0, LIMITS.webhookEndpoints - 2);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ does: fc.constant('create'), url }),
  fc.record({ does: fc.constant('delete'), endpoint }),
  fc.record({
    does: fc.constant('change'),
    endpoint,
    patch: fc.oneof(
      fc.record({ url }),
      fc.record({ disabled: fc.boolean() }),
      fc.record({ description: fc.constantFrom('Ours', '') }),
    ),
  }),
);

describe('calls for the webhook endpoints of an owner at the same time', () => {
  it('leave endpoints and log as some order of them would, one after another', async () => {
    const races = new Races(memory, { act, look });
    await always(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 3 }), seeds, (actions, drawn) =>
        races.expectSomeOrder(actions, drawn),
      ),
      ...SOME_RACES,
    );
  });
});
