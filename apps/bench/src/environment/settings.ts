import { testOverrides, type TestOverrides } from '#platform/config';

/**
 * Settings of every process of the service: those of production, with free ports, higher limits and shorter waits.
 * NODE_ENV is `test`, because with `production` the service refuses prices of the sandbox exchange.
 */
export const serviceSettings = (overrides: TestOverrides): Record<string, string> => ({
  ...testOverrides({ METRICS_KEEP_MS: 0, ...overrides }),
  LOG_LEVEL: 'info',
  PORT: '0',
  WORKER_PORT: '0',
  METRICS_PORT: '0',
  SHUTDOWN_DELAY_MS: '0',
  WORKER_METRICS_PORT: '0',
  VAULT_KEYS: `bench:${Buffer.alloc(32, 3).toString('base64')}`,
  API_KEY_PEPPER: Buffer.alloc(32, 5).toString('base64'),
  API_KEY_RATE_PER_MINUTE: '1000000',
  TICKERS_RATE_PER_MINUTE: '1000000',
  WITHDRAWAL_RATE_PER_MINUTE: '10000',
  CONNECTIONS_PER_ADDRESS: '2000',
  CATALOGUE_EXCHANGES: 'none',
  EXCHANGE_CALLS_PER_SECOND: '1000',
  EXCHANGE_CALLS_BURST: '1000',
  EXCHANGE_EGRESS_CALLS_PER_SECOND: '10000',
  EXCHANGE_EGRESS_CALLS_BURST: '10000',
});

/** Reads the public tickers of all four exchanges from the sandbox exchange. */
export function tickerAddresses(sandboxUrl: string): Record<string, string> {
  const exchanges = ['KRAKEN', 'COINBASE', 'BITSTAMP', 'GEMINI'];
  return Object.fromEntries(exchanges.map((exchange) => [`EXCHANGE_${exchange}_URL`, sandboxUrl]));
}
