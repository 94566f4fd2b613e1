import { WORKERS } from './test/support/workers.ts';

/** Packages that take long to load. Jest's own cannot be among them. */
const LOADED_BY_NODE = [
  '@aws-sdk',
  '@fastify',
  '@modelcontextprotocol',
  '@signpdf',
  '@smithy',
  'aws-cdk-lib',
  'aws-sdk-client-mock',
  'bidi-js',
  'cdk-nag',
  'constructs',
  'croner',
  'dependency-cruiser',
  'esbuild',
  'fast-check',
  'fast-png',
  'fflate',
  'harfbuzzjs',
  'ipaddr.js',
  'marked',
  'node-forge',
  'pdf-lib',
  'pdfjs-dist',
  'playwright-core',
  'postal-mime',
  'zod',
];

/** Jest may run a single file in its own process, where Node would keep what was changed since. */
const isWatching = process.argv.some((argument) => argument.startsWith('--watch'));

/**
 * Rooms that need neither clock nor environment nor log, so that it makes no difference whose they see. They are the lowest
 * floors, and what they import of `runtime` has no classes or state that a test could meet twice.
 */
const ROOMS_BY_NODE = isWatching ? [] : ['contract', 'requests', 'sealing', 'texts', 'typesetting'];

const SWC = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', tsx: true },
    experimental: { keepImportAttributes: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
  },
  module: { type: 'es6' },
};

const base = {
  // The folders that jest looks through at its start, and watches.
  roots: ['admin', 'client', 'docs', 'functions', 'infra', 'local', 'mcp', 'shared', 'test', 'web'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testEnvironment: '<rootDir>/test/support/environment.ts',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.tsx?$': ['@swc/jest', SWC] },
};

const project = (name, extra = {}) => ({
  ...base,
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`, `<rootDir>/test/${name}/**/*.test.tsx`],
  ...extra,
});

const withNodeLoading = {
  transform: {
    // The first pattern that fits counts.
    [`/shared/(?:${ROOMS_BY_NODE.join('|')})/.+\\.ts$`]: ['<rootDir>/test/support/rooms-by-node.mjs', SWC],
    ...base.transform,
    [`/node_modules/(?:${LOADED_BY_NODE.join('|')})/.+\\.[cm]?js$`]:
      '<rootDir>/test/support/packages-by-node.mjs',
  },
  transformIgnorePatterns: [],
};

/** For tests that share what one run of jest makes once. */
const sharing = (setup) => ({
  globalSetup: `<rootDir>/test/support/${setup}.ts`,
  globalTeardown: '<rootDir>/test/support/remove-run-folder.ts',
});

export default {
  projects: [
    project('unit', {
      ...withNodeLoading,
      ...sharing('run-folder'),
      setupFiles: ['<rootDir>/test/support/quiet.ts'],
    }),
    project('property', { ...withNodeLoading, setupFiles: ['<rootDir>/test/support/quiet.ts'] }),
    project('limits', withNodeLoading),
    project('integration', {
      ...withNodeLoading,
      ...sharing('prepare'),
      setupFiles: ['<rootDir>/test/support/quiet.ts'],
    }),
    // Claims about time run alone: another suite would take the processor that they measure.
    project('timing', sharing('prepare')),
    project('e2e', { ...withNodeLoading, ...sharing('prepare') }),
    project('conformance', sharing('prepare')),
  ],
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  // Longer than `until` waits, so that a failed test names what it waited for.
  testTimeout: 60_000,
  maxWorkers: WORKERS,
  // A worker that has grown is replaced: jest never frees the modules of the test files it ran.
  workerIdleMemoryLimit: '1000MB',
  // On a busy machine, ending its threads and freeing a gigabyte takes a worker longer than the half second that jest gives it.
  workerGracefulExitTimeout: 10_000,
  // Of the tests of one file that run at the same time. Each may have a service of its own.
  maxConcurrency: 5,
  // Istanbul, not V8, which counts comments and types as lines.
  coverageProvider: 'babel',
  collectCoverageFrom: ['shared/**/*.ts'],
  coverageDirectory: 'build/coverage',
  coverageReporters: ['text', 'json-summary'],
};
