import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Waits until every message is processed, so that earlier work does not affect the measurement. */
export const untilQuiet = ({ cloud }: Service): Promise<true> =>
  until(
    () => cloud.services.queues().every(({ visible, in_flight: inFlight }) => visible + inFlight === 0),
    'the queues to be empty',
    60,
  );
