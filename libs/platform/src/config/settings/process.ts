import { z } from 'zod';
import { integer, flag } from './kinds.js';

export const processSettings = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe(
      'With `production`, the process refuses settings that only a local or test installation may have. `test` is only for the tests of Causeway itself.',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe(
      'Log lines below this level are not written. The levels from the least to the most serious: trace, debug, info, warn, error, fatal. `silent` writes no lines.',
    ),
  PUBLIC_READ_LOG_EVERY: integer(100, 1, 1_000_000).describe(
    'Of this many successful reads of public data (prices, API documentation), one is logged, with the member `sampled`. 1 logs every read. Errors are always logged.',
  ),
  LOG_PRETTY: flag(false).describe('Human-readable log lines instead of JSON lines. For terminals.'),
  HOST: z.string().default('127.0.0.1').describe('Address that API and worker listen on; `0.0.0.0` in a container.'),
  PORT: integer(8787, 0, 65_535).describe('TCP port of the API; 0 picks a free one.'),
  WORKER_PORT: integer(8788, 0, 65_535).describe(
    'TCP port of the worker’s `/livez` and `/readyz`; 0 picks a free one.',
  ),
  TRUST_PROXY: flag(false).describe('Whether the API trusts the `X-Forwarded-For` header of a proxy in front of it.'),
  TRUST_PROXY_HOPS: integer(1, 1, 10).describe(
    'Number of proxies in front of the API that each append an address to `X-Forwarded-For`. Only so many entries at the end of the header count; all earlier entries come from the client and are ignored. Needs TRUST_PROXY.',
  ),
  DOCS_ENABLED: flag(true).describe('Whether the API serves its documentation, at `/docs` and `/openapi.json`.'),
  DEMO_FILE: z
    .string()
    .optional()
    .describe(
      'File with the credentials of a demo, which a button at `/docs` fills in. `npm start` sets it. Refused in production.',
    ),
  SHUTDOWN_DELAY_MS: integer(3_000, 0, 120_000).describe(
    'How long a stopping process goes on serving while `/readyz` reports that it is not ready. Must be at least as long as proxies and probes take to notice that.',
  ),
  SHUTDOWN_TIMEOUT_MS: integer(30_000, 100, 300_000).describe(
    'How long a stopping process may take, after SHUTDOWN_DELAY_MS, to finish the work in progress. Must be longer than EXECUTE_WAIT_MS plus 4200 ms.',
  ),
};
