import jest from './jest.config.mjs';

/** A lower score, in percent of killed mutants, fails the run. */
const LOWEST_SCORES = { requests: 85, verification: 85, work: 85 };

const room = process.env.MUTATED_ROOM;
if (!room) throw new Error('Run it with `npm run test:mutation`, which names the room.');

const { displayName: _, ...unit } = jest.projects.find(({ displayName }) => displayName === 'unit');

/**
 * Mutates one room and runs only its own unit tests: each mutant reloads every test file with all its modules, so the
 * tests of other rooms would multiply the time. It also shows whether a room's rules are tested where they are.
 */
export default {
  mutate: [`shared/${room}/**/*.ts`],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  jest: {
    projectType: 'custom',
    configFile: 'jest.config.mjs',
    config: {
      ...unit,
      projects: [],
      testEnvironment: './test/support/environment.ts',
      testMatch: [`<rootDir>/test/unit/${room}/**/*.test.ts`],
    },
  },
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.MUTATION_WORKERS ?? 1),
  // Reloaded modules leak memory in V8's module contexts.
  maxTestRunnerReuse: 60,
  timeoutMS: 20_000,
  thresholds: { high: 90, low: 85, break: LOWEST_SCORES[room] ?? null },
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `build/mutation/${room}.json` },
  tempDirName: 'build/mutation/sandbox',
  ignorePatterns: ['web', 'build', 'cdk.out', '.local'],
};
