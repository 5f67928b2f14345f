/**
 * What every process of the service is configured with: as in production, with the limits out of the way. Production
 * itself refuses to start with prices of the sandbox exchange; nothing else is different.
 */
export const serviceSettings: Readonly<Record<string, string>> = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'info',
  PORT: '0',
  WORKER_PORT: '0',
  METRICS_PORT: '0',
  SHUTDOWN_DELAY_MS: '0',
  WORKER_METRICS_PORT: '0',
  METRICS_KEEP_MS: '0',
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
};

/** The four whose public tickers are read, at the sandbox exchange. */
export function tickerAddresses(sandboxUrl: string): Record<string, string> {
  const exchanges = ['KRAKEN', 'COINBASE', 'BITSTAMP', 'GEMINI'];
  return Object.fromEntries(exchanges.map((exchange) => [`EXCHANGE_${exchange}_URL`, sandboxUrl]));
}
