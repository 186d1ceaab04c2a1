/** One configuration for every package: TypeScript through swc, ES modules, sources instead of builds. */
export default {
  testEnvironment: 'node',
  testMatch: [
    '<rootDir>/{apps/*,gateway,services/*,libs/*,stack,cli,seed,documents,bench,tests/*}/tests/**/*.test.ts',
    '<rootDir>/tests/e2e/**/*.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/'],
  modulePathIgnorePatterns: ['/dist/', '/.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testSequencer: './longest-first.mjs',
  testTimeout: 30_000,
  maxWorkers: 2,
  // A large worker takes longer to end than the runner waits.
  workerIdleMemoryLimit: '700MB',
};
