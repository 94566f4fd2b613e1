const base = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
        module: { type: 'es6' },
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/cdk.out/', '<rootDir>/.local/'],
};

const project = (name, extra = {}) => ({
  ...base,
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`, `<rootDir>/test/${name}/**/*.test.tsx`],
  ...extra,
});

/** For tests that run the service: its stack, synthesized once. */
const theService = {
  globalSetup: '<rootDir>/test/support/synthesize.ts',
  globalTeardown: '<rootDir>/test/support/remove-assembly.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/once-more.ts'],
};

export default {
  projects: [
    project('unit', { setupFiles: ['<rootDir>/test/support/quiet.ts'] }),
    project('integration', theService),
    project('e2e', theService),
    project('conformance'),
  ],
  testTimeout: 30_000,
};
