import type { ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { pino } from 'pino';
import { PlatformModule } from '#platform/app';
import { Clock } from '#platform/clock';
import { loadConfig, type Config } from '#platform/config';
import { Database, type ProcessRole } from '#platform/database';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** A value of API_KEY_PEPPER for tests. */
export const TEST_API_KEY_PEPPER = Buffer.alloc(32, 7).toString('base64');

/** Returns settings for a test: the secrets have values, and `env` has the settings that differ from the defaults. */
export function testConfig({ appUrl }: Pick<TestDatabase, 'appUrl'>, env: NodeJS.ProcessEnv = {}): Config {
  return loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: appUrl,
    API_KEY_PEPPER: TEST_API_KEY_PEPPER,
    VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    ...env,
  });
}

export interface TestModuleOptions {
  imports?: NonNullable<ModuleMetadata['imports']>;
  providers?: NonNullable<ModuleMetadata['providers']>;
  /** Settings that differ from the defaults of tests. */
  env?: NodeJS.ProcessEnv;
  /** Default: the real clock. */
  clock?: Clock;
  /** The role of a process. Default: the joint role, which sees the rows of all projects. */
  role?: ProcessRole;
  /** The database of another module, which drops it. Default: a new database. */
  database?: TestDatabase;
}

export interface TestModule {
  module: TestingModule;
  database: TestDatabase;
  /** Connects with the role of the application. */
  db: Database;
  /** Stops the module and drops its database. */
  close: () => Promise<void>;
}

/** Compiles modules of the application for a test, without an HTTP server. */
export async function createTestModule(options: TestModuleOptions = {}): Promise<TestModule> {
  const { imports = [], providers = [], env, clock, role } = options;
  const database = options.database ?? (await createTestDatabase());
  const appUrl = role === undefined ? database.appUrl : database.roleUrl(role);
  const platform = PlatformModule.forRoot(testConfig({ appUrl }, env), pino({ level: 'silent' }), 'test');
  const builder = Test.createTestingModule({ imports: [platform, ...imports], providers });
  if (clock !== undefined) builder.overrideProvider(Clock).useValue(clock);
  const module = await builder.compile();
  const close = async (): Promise<void> => {
    await module.close();
    if (options.database === undefined) await database.drop();
  };
  return { module, database, db: module.get(Database, { strict: false }), close };
}
