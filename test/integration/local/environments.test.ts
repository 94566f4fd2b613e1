import { IdleEnvironments } from '../../../local/functions/idle-environments.ts';
import { Notes } from './notes.ts';

const DAY_MS = 86_400_000;

/** @behaviour lambda.environments */
it('the next run of a stack takes over warm environments, but neither data nor clock', async () => {
  const environments = new IdleEnvironments();
  const first = await Notes.start({ environments });
  const { environmentId } = await first.json('/behave');
  expect((await first.call('put', { id: 'note' })).status).toBe(200);
  first.cloud.clock.advance(40 * DAY_MS);
  await first.stop();

  const next = await Notes.start({ environments, endpointPort: new URL(first.cloud.endpointUrl).port });
  try {
    const answer = await next.json('/behave');
    expect(answer).toMatchObject({ environmentId, invocations: 2 });
    expect(Math.abs(answer.now - Date.now())).toBeLessThan(DAY_MS);
    const { status, body } = await next.call('get', { id: 'note' });
    expect([status, body.Item]).toEqual([200, undefined]);
  } finally {
    await next.stop();
    environments.stop();
  }
});
