import path from 'node:path';
import { ChildProgram } from '#platform/child-program';
import { projectRoot, TEST_API_KEY_PEPPER, urlAs } from '#platform/testing';

/** A compiled program as a separate process, as production runs it. */
export class BuiltProcess extends ChildProgram {
  /** @param env its DATABASE_URL may name the role of any process; the program connects with its own role. */
  static start(app: 'api' | 'worker', env: Record<string, string>): BuiltProcess {
    const file = path.join(projectRoot, `dist/apps/${app}/src/main.js`);
    const { DATABASE_URL } = env;
    return new BuiltProcess({
      file,
      env: DATABASE_URL === undefined ? env : { ...env, DATABASE_URL: urlAs(app, DATABASE_URL) },
    });
  }
}

export function processEnv(databaseUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    API_KEY_PEPPER: TEST_API_KEY_PEPPER,
    VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    SANDBOX_URL: 'http://127.0.0.1:9',
    TICKERS_FROM_SANDBOX: 'true',
    CATALOGUE_EXCHANGES: 'none',
    PORT: '0',
    WORKER_PORT: '0',
    METRICS_PORT: '0',
    SHUTDOWN_DELAY_MS: '0',
    WORKER_METRICS_PORT: '0',
  };
}
