/**
 * @jest-config-loader esbuild-register
 */
import type { Config } from 'jest';

const swc = (type: 'es6' | 'commonjs') => ({
  swcrc: false,
  sourceMaps: 'inline',
  module: { type },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
});

// ESM-only packages that CommonJS packages require(): Jest can only require(esm) natively on Node >= 24.9.
const cjsify = 'cookie|content-disposition';

const shared: Config = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc('es6')],
    [`/node_modules/(${cjsify})/.+\\.js$`]: ['@swc/jest', swc('commonjs')],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${cjsify})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
};

const SERVERS = '<rootDir>/dist/libs/platform/src/test-server';

/** Starts the servers of the tests before them, and stops the servers after them. */
const servers = (setup: string): Config => ({
  globalSetup: `${SERVERS}/${setup}.js`,
  globalTeardown: `${SERVERS}/global-teardown.js`,
});

const config: Config = {
  workerIdleMemoryLimit: '512MB',
  // Jest leaves one core free; most of these tests wait for processes and time-outs.
  maxWorkers: '100%',
  // A bound, not an expectation: two cores may be busy with other test files.
  testTimeout: 30_000,
  projects: [
    // Pure code: no database, no network.
    { ...shared, displayName: 'unit', testMatch: ['**/*.spec.ts'] },
    // Real PostgreSQL, and for e2e the sandbox exchange and real HTTP.
    {
      ...shared,
      displayName: 'int',
      testMatch: ['**/*.{int,e2e}-spec.ts'],
      ...servers('global-setup'),
    },
    // The proofs in their short form.
    {
      ...shared,
      displayName: 'short-proof',
      testMatch: ['**/*.proof-spec.ts'],
      globals: { proofExtent: 'short' },
      ...servers('global-setup'),
    },
    // The same proofs in their long form: `npm run test:proof`.
    {
      ...shared,
      displayName: 'proof',
      testMatch: ['**/*.proof-spec.ts'],
      globals: { proofExtent: 'long' },
      ...servers('global-setup'),
    },
    // A person's browser: Debian's Chromium, which has to be installed: `npm run test:browser`.
    {
      ...shared,
      displayName: 'browser',
      testMatch: ['**/*.browser-spec.ts'],
      ...servers('global-setup'),
    },
    // Real PostgreSQL and redis-server, which has to be installed: `npm run test:redis`.
    {
      ...shared,
      displayName: 'redis',
      testMatch: ['**/*.redis-spec.ts'],
      ...servers('redis-global-setup'),
    },
    // All of it behind nginx; nginx and redis-server have to be installed: `npm run test:proxy`.
    {
      ...shared,
      displayName: 'proxy',
      testMatch: ['**/*.proxy-spec.ts'],
      ...servers('proxy-global-setup'),
    },
  ],
};

export default config;
