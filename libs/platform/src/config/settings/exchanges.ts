import { integer, list, url } from './kinds.js';

export const exchangesSettings = {
  SANDBOX_URL: url('Base address of the sandbox exchange, where the wallets of test projects live.').optional(),
  SANDBOX_PUBLIC_URL: url(
    'The same as browsers reach it, for the login pages of the sandbox exchange; else SANDBOX_URL.',
  ).optional(),
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
  EXCHANGE_BUDGETS_MAX: integer(
    20_000,
    100,
    1_000_000,
    'Credentials whose budget of calls one process remembers for each exchange.',
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
