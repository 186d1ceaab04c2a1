/** One configuration for every package: Node.js loads TypeScript sources as ES modules. */
export default {
  testEnvironment: '<rootDir>/jest/environment.mjs',
  testRunner: '<rootDir>/jest/runner.mjs',
  testSequencer: '<rootDir>/jest/longest-first.mjs',
  // Suites with a browser (`*.browser.test.ts`) run with `pnpm test:browser`.
  testMatch: [
    '<rootDir>/{apps/*,gateway,services/*,libs/*,stack,cli,seed,documents,bench,tests/*}/tests/**/!(*.browser).test.ts',
    '<rootDir>/tests/e2e/**/*.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/'],
  modulePathIgnorePatterns: ['/dist/', '/.data/'],
  transform: {},
  testTimeout: 120_000,
  // Long suites wait for engines and processes most of the time: three keep two cores busy.
  maxWorkers: 3,
  workerIdleMemoryLimit: '700MB',
  // A worker that is replaced after its last suite ends only when its successor has started: longer than the default of 500 ms.
  workerGracefulExitTimeout: 10_000,
};
