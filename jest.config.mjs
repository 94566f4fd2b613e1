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

export default {
  projects: [
    project('unit'),
    project('integration', { globalSetup: '<rootDir>/test/support/synthesize.ts' }),
    project('e2e'),
    project('conformance'),
  ],
  testTimeout: 30_000,
};
