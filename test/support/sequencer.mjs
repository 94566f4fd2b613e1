import Sequencer from '@jest/test-sequencer';

/** The suites that take longest, whatever their size; some mostly wait. */
const LONGEST = [
  'edge/origin-secret',
  'local/process',
  'jobs/crashes',
  'api/changes',
  'edge/least-privilege',
  'jobs/retention',
  'sealing/stored-objects',
  'edge/smoke',
  'jobs/expiry',
  'jobs/operator',
];

/** Jest starts with the largest files. A long suite that starts last would run alone, on one of the processors. */
export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const longest = LONGEST.flatMap((name) =>
      sorted.filter(({ path }) => path.endsWith(`/test/integration/${name}.test.ts`)),
    );
    return [...longest, ...sorted.filter((test) => !longest.includes(test))];
  }
}
