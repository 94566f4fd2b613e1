import { LocalClock } from '../../../local/clock.ts';
import type { Buckets } from '../../../local/services/s3/buckets.ts';
import { startLifecycle } from '../../../local/services/s3/lifecycle.ts';
import { until } from '../../support/until.ts';

/** @behaviour s3.lifecycle */
it('many moves of the clock at once cause one sweep of the buckets', async () => {
  const clock = new LocalClock();
  let sweeps = 0;
  const all = () => {
    sweeps += 1;
    return [];
  };
  const stop = startLifecycle({ all } as unknown as Buckets, clock, () => undefined);
  for (let move = 0; move < 20; move += 1) clock.advance(1);
  await until(() => sweeps > 0, 'the first sweep');
  await stop();
  expect(sweeps).toBe(1);
});
