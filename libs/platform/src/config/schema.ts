import { z } from 'zod';

const integer = (fallback: number, min: number, max: number, meaning: string) =>
  z.coerce.number().int().min(min).max(max).default(fallback).describe(meaning);
const flag = (fallback: boolean, meaning: string) =>
  z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true')
    .describe(meaning);
const list = (meaning: string) =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .describe(meaning);
const url = (meaning: string) => z.url().describe(meaning);

const process_ = {
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
  SHUTDOWN_TIMEOUT_MS: integer(
    30_000,
    100,
    300_000,
    'How long a stopping process may take to finish what is in flight.',
  ),
};

const limits = {
  BODY_LIMIT_BYTES: integer(32_768, 1_024, 1_048_576, 'Largest request body.'),
  JSON_DEPTH_MAX: integer(20, 2, 100, 'Deepest nesting of a JSON body.'),
  HEADERS_TIMEOUT_MS: integer(10_000, 100, 60_000, 'How long a client may take to send its headers.'),
  REQUEST_TIMEOUT_MS: integer(30_000, 100, 120_000, 'How long a client may take to send its request.'),
  CONNECTIONS_MAX: integer(2_000, 1, 100_000, 'Open client connections of one API process.'),
  API_KEY_RATE_PER_MINUTE: integer(
    600,
    1,
    1_000_000,
    'Requests a minute of one API key. Counted in each API process by itself: N replicas admit up to N times as many.',
  ),
  AUTH_FAILURES_PER_MINUTE: integer(
    60,
    1,
    100_000,
    'Requests a minute with wrong credentials from one address (IPv6: one /64), counted in each API process; then 429. Behind a proxy it needs TRUST_PROXY.',
  ),
  API_KEY_CACHE_TTL_MS: integer(
    5_000,
    0,
    5_000,
    'How long a verified API key is believed without a look-up, and so how long a revoked one may go on working; 0 looks up every time.',
  ),
  API_KEY_CACHE_MAX: integer(10_000, 1, 1_000_000, 'API keys that one process remembers.'),
  API_KEY_LAST_USE_INTERVAL_MS: integer(
    60_000,
    1_000,
    86_400_000,
    'Least time between two writes of the last use of one API key.',
  ),
  IDEMPOTENCY_TTL_SECONDS: integer(
    86_400,
    600,
    2_592_000,
    'How long the first answer to a request with an `Idempotency-Key` is kept and repeated.',
  ),
  IDEMPOTENCY_LOCK_SECONDS: integer(
    120,
    1,
    600,
    'After this long without an answer (its process died) an equal request may take over an `Idempotency-Key`. Longer than any request takes.',
  ),
  IDEMPOTENCY_SWEEP_SECONDS: integer(60, 1, 3_600, 'How often a worker deletes idempotent answers whose time is over.'),
  IDEMPOTENCY_SWEEP_BATCH: integer(1_000, 1, 10_000, 'Idempotent answers that one statement deletes.'),
};

const storage = {
  DATABASE_URL: url(
    'PostgreSQL as the application role (it owns no tables). Required by API, worker and command line.',
  ).optional(),
  DATABASE_OWNER_URL: url('PostgreSQL as the owner of the tables. Read by `npm run migrate` alone.').optional(),
  DATABASE_APP_ROLE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/)
    .default('causeway_app')
    .describe('Name of the application role; the migration grants it what it needs.'),
  DATABASE_POOL_MAX: integer(10, 1, 200, 'Connections of one process to PostgreSQL.'),
  DATABASE_CONNECT_TIMEOUT_MS: integer(3_000, 100, 60_000, 'Longest wait for a free or new connection.'),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(3_000, 100, 60_000, 'Longest statement.'),
  DATABASE_LOCK_TIMEOUT_MS: integer(1_500, 50, 60_000, 'Longest wait for a row lock.'),
  REDIS_URL: url('Redis for the job queues. Without it they live in PostgreSQL.').optional(),
};

const secrets = {
  VAULT_KEYS: z
    .string()
    .optional()
    .describe(
      'Key-encryption keys as `id:base64`, comma separated, 32 bytes each; the first seals, all open. Refused in production unless VAULT_ALLOW_ENV_KEYS.',
    ),
  VAULT_KEYS_FILE: z
    .string()
    .optional()
    .describe('File with the same text as VAULT_KEYS, readable by its owner alone (mode 0400 or 0600).'),
  VAULT_ALLOW_ENV_KEYS: flag(false, 'Allows VAULT_KEYS in production.'),
  API_KEY_PEPPER: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
    .optional()
    .describe('32 bytes in base64; API keys are stored as HMAC-SHA256 under it. Changing it invalidates every key.'),
  ADMIN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/, 'must be at least 32 printable ASCII characters without a space')
    .optional()
    .describe(
      'Bearer token of `/v0/admin/*`, at least 32 printable ASCII characters. The routes are absent when it is unset.',
    ),
};

const exchanges = {
  SANDBOX_URL: url('Base address of the sandbox exchange, where the wallets of test projects live.').optional(),
  EGRESS_IPS: list('Addresses from which this installation calls exchanges; shown as `ipPool` of each wallet.'),
  EXCHANGE_TIMEOUT_MS: integer(10_000, 100, 60_000, 'Longest call to an exchange that moves nothing.'),
  EXCHANGE_SUBMIT_TIMEOUT_MS: integer(
    15_000,
    100,
    60_000,
    'Longest wait for the answer to a submitted withdrawal or order; below EXECUTE_WAIT_MS.',
  ),
  EXCHANGE_RESPONSE_MAX_BYTES: integer(8_388_608, 65_536, 67_108_864, 'Largest answer of an exchange that is read.'),
  EXCHANGE_SESSIONS_MAX: integer(500, 1, 10_000, 'Exchange sessions (one per credential) kept open in one process.'),
  EXCHANGE_SESSION_SECONDS: integer(
    900,
    1,
    86_400,
    'How long a session is kept open before it is made anew; also how long the credentials of a deleted wallet stay in memory at most.',
  ),
  EXCHANGE_QUEUE_MAX: integer(50, 1, 1_000, 'Calls of one credential that may wait for their turn.'),
  EXCHANGE_CALLS_PER_SECOND: integer(
    5,
    1,
    1_000,
    'Calls a second to an exchange with one credential, refilled continuously.',
  ),
  EXCHANGE_CALLS_BURST: integer(10, 1, 1_000, 'Calls to an exchange with one credential that may come at once.'),
  EXCHANGE_EGRESS_CALLS_PER_SECOND: integer(
    100,
    1,
    10_000,
    'Calls a second of this process to one exchange, all credentials together, refilled continuously.',
  ),
  EXCHANGE_EGRESS_CALLS_BURST: integer(
    200,
    1,
    10_000,
    'Calls of this process to one exchange, all credentials together, that may come at once.',
  ),
  EXCHANGE_METADATA_TTL_SECONDS: integer(
    300,
    1,
    86_400,
    'How long markets and withdrawal networks of an exchange are kept in memory.',
  ),
};

const withdrawals = {
  QUOTE_TTL_SECONDS: integer(300, 1, 86_400, 'How long a withdrawal quote can be executed.'),
  EXECUTE_WAIT_MS: integer(
    25_000,
    100,
    60_000,
    'Longest execution, and longest wait of a repeated call for the first one’s result.',
  ),
  WITHDRAWAL_RATE_PER_MINUTE: integer(10, 1, 10_000, 'Executions a minute of one wallet.'),
  WITHDRAWAL_DRY_RUN_RATE_PER_MINUTE: integer(60, 1, 10_000, 'Dry runs a minute of one wallet.'),
  WITHDRAWAL_LEASE_MS: integer(
    30_000,
    500,
    300_000,
    'After this long in `submitting` without a result, an attempt counts as unknown. Above EXCHANGE_SUBMIT_TIMEOUT_MS.',
  ),
  WITHDRAWAL_SWEEP_MS: integer(5_000, 50, 60_000, 'How often a worker looks for withdrawals that are due.'),
  WITHDRAWAL_SWEEP_BATCH: integer(
    100,
    1,
    1_000,
    'Withdrawals that one sweep takes up; after a restore, wallets to be compared.',
  ),
  WITHDRAWAL_CLEAN_LISTING_GAP_MS: integer(
    60_000,
    50,
    3_600_000,
    'Least time between two listings of the exchange that prove an absence.',
  ),
  WITHDRAWAL_ABSENCE_MS: integer(
    600_000,
    100,
    86_400_000,
    'Without a fence of the exchange: least time after an attempt before its absence can be proven. Also how long a restored database waits before it compares wallets with their exchanges.',
  ),
  WITHDRAWAL_CLOCK_SKEW_MS: integer(
    60_000,
    0,
    3_600_000,
    'How far the exchange’s clock may be off when a withdrawal is matched by its time.',
  ),
  RESTORE_LOOKBACK_HOURS: integer(
    48,
    1,
    720,
    'After the database was restored: how far before that the exchanges’ histories are searched for withdrawals that it has forgotten. Longer than the oldest backup that is used.',
  ),
};

const wallets = {
  CREDENTIALS_KEEP_SECONDS: integer(
    86_400,
    60,
    604_800,
    'How long the sealed credentials of a deleted wallet are kept at most for its unsettled withdrawals.',
  ),
  CREDENTIALS_SWEEP_SECONDS: integer(
    60,
    1,
    3_600,
    'How often a worker erases kept credentials and collected codes whose time is over.',
  ),
};

/** Every setting, with its meaning, unit, bounds and default. `docs/configuration.md` is generated from it. */
export const schema = z.object({
  ...process_,
  ...limits,
  ...storage,
  ...secrets,
  ...exchanges,
  ...wallets,
  ...withdrawals,
});

/** The settings by the headings of the generated documentation. */
export const groups = {
  Process: process_,
  Limits: limits,
  Storage: storage,
  Secrets: secrets,
  Exchanges: exchanges,
  Wallets: wallets,
  Withdrawals: withdrawals,
};
