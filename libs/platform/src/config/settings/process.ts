import { z } from 'zod';
import { integer, flag } from './kinds.js';

export const processSettings = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('Environment of the process.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level that is logged.'),
  LOG_PRETTY: flag(false, 'Human-readable log lines instead of JSON lines. For terminals.'),
  HOST: z.string().default('127.0.0.1').describe('Address that the API listens on; `0.0.0.0` in a container.'),
  PORT: integer(8787, 0, 65_535, 'TCP port of the API; 0 picks a free one.'),
  WORKER_PORT: integer(8788, 0, 65_535, 'TCP port of the worker’s `/livez` and `/readyz`; 0 picks a free one.'),
  TRUST_PROXY: flag(false, 'Whether `X-Forwarded-For` of a proxy in front is believed.'),
  TRUST_PROXY_HOPS: integer(
    1,
    1,
    10,
    'How many proxies in front each append to `X-Forwarded-For`; entries left of theirs are what the client wrote, and are not believed.',
  ),
  DOCS_ENABLED: flag(true, 'Whether the API shows its documentation, at `/docs` and `/openapi.json`.'),
  SHUTDOWN_DELAY_MS: integer(
    3_000,
    0,
    120_000,
    'How long a process that was told to stop goes on serving while `/readyz` says that it is not ready: as long as proxies and probes take to see that.',
  ),
  SHUTDOWN_TIMEOUT_MS: integer(
    30_000,
    100,
    300_000,
    'How long a stopping process may take after SHUTDOWN_DELAY_MS to finish what is in flight.',
  ),
};
