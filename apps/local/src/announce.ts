import path from 'node:path';
import { CURL_FILE, DEMO_FILE, OWN_CURL_FILE, SANDBOX_CURL_FILE, type Demo } from './demo.js';
import { DEMO_EXCHANGE } from './demo-exchange.js';
import { SECRETS_FILE } from './secrets.js';
import type { Settings } from './settings.js';
import { bold, say } from './terminal.js';

/**
 * Prints the addresses of all processes, and commands that do the main tasks.
 * @param postgresDir the folder of the embedded PostgreSQL; absent = the database is not embedded.
 */
export function announce(settings: Settings, demo: Demo, postgresDir: string | undefined): void {
  const file = (name: string): string => path.relative(process.cwd(), path.join(settings.dataDir, name));
  const postgres =
    postgresDir === undefined ? 'DATABASE_OWNER_URL' : `embedded, data in ${path.relative(process.cwd(), postgresDir)}`;
  const curl = `curl -K ${file(CURL_FILE)}`;
  const own = `curl -K ${file(OWN_CURL_FILE)}`;
  const withdraw = `${demo.baseUrl}/v0/wallet/withdraw`;
  const trade = `${demo.baseUrl}/v0/wallet/trade`;
  const order = { routeId: `${DEMO_EXCHANGE}:spot:BTC-USD`, volume: '0.01', side: 'sell' };
  const quote = { asset: 'BTC', network: 'bitcoin', amount: '0.01', address: demo.addresses.BTC?.bitcoin };
  const idOf = (field: string): string => `tee /dev/stderr | sed -E 's/.*"${field}":"([^"]+)".*/\\1/'`;
  say(
    [
      '',
      bold('Causeway is ready.'),
      '',
      ...places(settings, demo, file),
      `  PostgreSQL        ${postgres}`,
      '',
      bold('Public prices, and the deposits and withdrawals of the demo wallet:'),
      '',
      `  curl -w '\\n' '${demo.tickersUrl}?coins=btc,eth'`,
      `  ${curl} '${demo.baseUrl}/v0/wallet/transactions?limit=3'`,
      '',
      bold('Withdraw from the demo wallet:'),
      '',
      `  ${curl} ${withdraw}/balance`,
      '',
      `  QUOTE=$(${curl} ${withdraw}/quote -d '${JSON.stringify(quote)}' | ${idOf('id')})`,
      '',
      `  TRANSACTION=$(${curl} -X PUT ${withdraw}/$QUOTE/execute -d '{}' | ${idOf('transactionId')})`,
      '',
      'and watch the transaction become "ok" within seconds:',
      '',
      `  ${curl} ${demo.baseUrl}/v0/wallet/transaction/$TRANSACTION`,
      '',
      bold('Trade, and get a deposit address:'),
      '',
      `  ${curl} '${trade}/tradable-assets?source=BTC&destination=USD'`,
      '',
      `  ORDER=$(${curl} ${trade}/order -d '${JSON.stringify(order)}' | ${idOf('orderId')})`,
      '',
      `  ${curl} ${trade}/order/$ORDER`,
      '',
      `  ${curl} '${demo.baseUrl}/v0/wallet/deposit/address?asset=ETH&network=arbitrum'`,
      '',
      bold('Connect your own account in a browser. Open the url in the response:'),
      '',
      `  IDEM=$(node -p 'crypto.randomUUID()'); ${own} "${demo.baseUrl}/v0/oauth2/${DEMO_EXCHANGE}/url?idem=$IDEM"`,
      '',
      'sign in at the sandbox exchange and allow access. Then read the result and the balance:',
      '',
      `  curl -w '\\n' "${demo.baseUrl}/v0/oauth2/status?idem=$IDEM&orgId=${demo.orgId}"`,
      '',
      `  ${own} ${withdraw}/balance`,
      '',
      bold('The second wallet requires two codes for a withdrawal:'),
      '',
      `  run the same commands with curl -K ${file(SANDBOX_CURL_FILE)}; execute lists the missing codes,`,
      '  and the page of the sandbox exchange shows the codes. Then execute again:',
      '',
      `  curl -K ${file(SANDBOX_CURL_FILE)} -X PUT ${withdraw}/$QUOTE/execute \\`,
      `    -d '{"bizNo": "…", "twofa": "…", "emailCode": "…"}'`,
      '',
      ...exchangeWallets(demo, file),
      'Ctrl-C stops all processes and keeps the data. npm start -- --fresh deletes the data first.',
      '',
    ].join('\n'),
  );
}

/** The wallets of --exchanges, each with its id, its file for curl, and what differs in its commands. */
function exchangeWallets({ exchangeWallets: wallets }: Demo, file: (name: string) => string): string[] {
  if (wallets.length === 0) return [];
  const rows = wallets.flatMap(({ walletId, curlFile, withdrawal, order, deposit }) => [
    `  ${walletId.padEnd(14)}  curl -K ${file(curlFile)}`,
    `    quote    ${withdrawal === null ? 'no withdrawals' : JSON.stringify(withdrawal)}`,
    `    order    ${order === null ? 'no orders' : JSON.stringify(order)}`,
    `    deposit  ${deposit === null ? 'no deposits' : `asset=${deposit.asset}&network=${deposit.network}`}`,
  ]);
  return [
    bold('One wallet of each exchange. Use its file, bodies and query in the commands of the demo wallet:'),
    '',
    ...[...rows, ''],
  ];
}

/** The addresses of all processes. */
function places(settings: Settings, demo: Demo, file: (name: string) => string): string[] {
  const { workerPort, metricsPort, workerMetricsPort, host } = settings;
  return [
    `  API               ${demo.baseUrl}`,
    `  Swagger UI        ${bold(demo.docsUrl)}   (a button fills in the credentials of ${file(DEMO_FILE)})`,
    `  Worker            http://${host}:${workerPort}/readyz`,
    `  Queues            http://${host}:${workerPort}/queues   (any name; the password is adminToken of ${file(SECRETS_FILE)})`,
    `  Metrics           http://${host}:${metricsPort}/metrics   and of the worker http://${host}:${workerMetricsPort}/metrics`,
    `  Sandbox exchange  ${bold(demo.sandboxWallet.inboxUrl)}   (its accounts, and the codes that it has sent)`,
  ];
}
