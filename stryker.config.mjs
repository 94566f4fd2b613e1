/** A lower score, in percent of killed mutants, fails the run. */
const LOWEST_SCORES = {
  accounts: 85,
  creation: 85,
  http: 85,
  notices: 85,
  requests: 85,
  runtime: 85,
  stamping: 85,
  verification: 85,
  views: 85,
  webhooks: 85,
  work: 85,
};

/** Rooms of `test/unit/` whose code is not in the folder of this name under `shared/`. */
const FOLDERS = { admin: 'admin', ingest: 'functions/ingest', verifier: 'client/verifier' };

const room = process.env.MUTATED_ROOM;
if (!room) throw new Error('Run it with `npm run test:mutation`, which names the room.');

/**
 * Mutates one room and runs only its own unit tests: the tests of other rooms would multiply the time. It also shows
 * whether a room's rules are tested where they are.
 */
export default {
  mutate: [`${FOLDERS[room] ?? `shared/${room}`}/**/*.ts`],
  plugins: ['./test/mutation/runner.ts'],
  testRunner: 'room',
  room,
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.MUTATION_WORKERS ?? 1),
  // Node never frees a module that was loaded.
  maxTestRunnerReuse: 400,
  timeoutMS: 10_000,
  thresholds: { high: 90, low: 85, break: LOWEST_SCORES[room] ?? null },
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `build/mutation/${room}.json` },
  tempDirName: 'build/mutation/sandbox',
  ignorePatterns: ['web', 'build', 'cdk.out', '.local', '.cache'],
};
