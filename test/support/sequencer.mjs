import Sequencer from '@jest/test-sequencer';

/** The suites that take longest, whatever their size; some partly wait. */
const LONGEST = [
  'edge/least-privilege',
  'signing/codes',
  'edge/smoke',
  'sealing/seal',
  'jobs/retention',
  'api/owners',
  'client/command',
  'sealing/stored-objects',
  'edge/origin-secret',
  'edge/smoke-faults',
  'jobs/runbook',
];

/**
 * Jest starts with the largest files. A long suite that starts last would run alone, on one of the processors. Suites of the
 * service follow each other, since each takes over the warm functions of the one before.
 */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const longest = LONGEST.flatMap((name) =>
      sorted.filter(({ path }) => path.endsWith(`/test/integration/${name}.test.ts`)),
    );
    const others = sorted.filter((test) => !longest.includes(test));
    const ofService = others.filter(({ path }) => path.includes('/test/integration/'));
    return [...longest, ...ofService, ...others.filter((test) => !ofService.includes(test))];
  }
}
