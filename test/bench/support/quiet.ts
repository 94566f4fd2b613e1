import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Waits until every message is worked on, so that nothing of what came before is measured with what comes now. */
export const untilQuiet = ({ cloud }: Service): Promise<true> =>
  until(
    () => cloud.services.queues().every(({ visible, in_flight: inFlight }) => visible + inFlight === 0),
    'the queues to be empty',
    60,
  );
