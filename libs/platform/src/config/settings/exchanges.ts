import { addresses, integer, url } from './kinds.js';

export const exchangesSettings = {
  SANDBOX_URL: url()
    .describe('Base address of the sandbox exchange, which holds the wallets of test projects.')
    .optional(),
  SANDBOX_PUBLIC_URL: url()
    .describe(
      'Base address of the sandbox exchange for browsers, used for its login pages. Without it SANDBOX_URL is used.',
    )
    .optional(),
  EGRESS_IPS: addresses().describe(
    'IP addresses from which this installation calls exchanges, separated by commas. Shown as `ipPool` of each wallet.',
  ),
  EXCHANGE_TIMEOUT_MS: integer(10_000, 100, 60_000).describe(
    'Longest duration of a call to an exchange, except for calls that move money.',
  ),
  EXCHANGE_SUBMIT_TIMEOUT_MS: integer(15_000, 100, 19_000).describe(
    'Longest wait for the response to a submitted withdrawal or order. Must be below EXECUTE_WAIT_MS, and below the 20 seconds for which a process holds the lease of an order.',
  ),
  EXCHANGE_CALLS_PER_SECOND: integer(5, 1, 1_000).describe(
    'Maximum number of calls a second to an exchange with one credential. The budget refills continuously.',
  ),
  EXCHANGE_CALLS_BURST: integer(10, 1, 1_000).describe(
    'Maximum number of calls to an exchange with one credential at once, after a pause.',
  ),
  EXCHANGE_EGRESS_CALLS_PER_SECOND: integer(100, 1, 10_000).describe(
    'Maximum number of calls a second to one exchange with all credentials together, of all processes: each live process takes an equal part. The budget refills continuously. Where an exchange documents less for one address, less is used.',
  ),
  EXCHANGE_EGRESS_CALLS_BURST: integer(200, 1, 10_000).describe(
    'Maximum number of calls to one exchange at once, with all credentials together, after a pause, of all processes: each live process takes an equal part.',
  ),
};
