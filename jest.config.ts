/**
 * @jest-config-loader esbuild-register
 */
import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

const PLATFORM = '<rootDir>/dist/libs/platform/src';

const shared: Config = {
  // Each worker process imports the compiled code once: docs/decisions/0031-test-runtime.md.
  runtime: `${PLATFORM}/test-runtime/native-runtime.js`,
  testEnvironment: `${PLATFORM}/test-runtime/native-environment.js`,
  transform: {},
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
};

const SERVERS = `${PLATFORM}/test-server`;

/** Starts the servers of the tests before them, and stops the servers after them. */
const servers = (setup: string): Config => ({
  globalSetup: `${SERVERS}/${setup}.js`,
  globalTeardown: `${SERVERS}/global-teardown.js`,
});

const config: Config = {
  testSequencer: `${PLATFORM}/test-runtime/slowest-first.js`,
  reporters: ['default', `${PLATFORM}/test-runtime/progress-reporter.js`],
  workerIdleMemoryLimit: '1GB',
  // More workers than cores, because many tests wait for processes and time-outs.
  maxWorkers: Math.min(availableParallelism() + 1, 12),
  // Tests need far less, but other test files may keep all cores busy.
  testTimeout: 180_000,
  projects: [
    // Tests without a database or a network.
    { ...shared, displayName: 'unit', testMatch: ['**/*.spec.ts'] },
    // Tests with a real PostgreSQL. The e2e tests also use real HTTP and the sandbox exchange.
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
    // The proofs in their medium form: `.ci/run`.
    {
      ...shared,
      displayName: 'medium-proof',
      testMatch: ['**/*.proof-spec.ts'],
      globals: { proofExtent: 'medium' },
      ...servers('global-setup'),
    },
    // The proofs in their long form: `npm run test:proof`.
    {
      ...shared,
      displayName: 'proof',
      testMatch: ['**/*.proof-spec.ts'],
      globals: { proofExtent: 'long' },
      ...servers('global-setup'),
    },
    // Tests in Debian's Chromium, which has to be installed: `npm run test:browser`.
    {
      ...shared,
      displayName: 'browser',
      testMatch: ['**/*.browser-spec.ts'],
      ...servers('global-setup'),
    },
    // Tests with a real PostgreSQL and with redis-server, which has to be installed: `npm run test:redis`.
    {
      ...shared,
      displayName: 'redis',
      testMatch: ['**/*.redis-spec.ts'],
      ...servers('redis-global-setup'),
    },
    // Tests of processes behind nginx. nginx and redis-server have to be installed: `npm run test:proxy`.
    {
      ...shared,
      displayName: 'proxy',
      testMatch: ['**/*.proxy-spec.ts'],
      ...servers('proxy-global-setup'),
    },
  ],
};

export default config;
