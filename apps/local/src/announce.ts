import path from 'node:path';
import type { Demo } from './demo.js';
import type { Settings } from './settings.js';
import { bold, say } from './terminal.js';

/** What runs where, and three commands that do the main job. */
export function announce(settings: Settings, demo: Demo): void {
  const { dataDir, workerPort, host } = settings;
  const file = (name: string): string => path.relative(process.cwd(), path.join(dataDir, name));
  const curl = `curl -K ${file('demo.curlrc')}`;
  const withdraw = `${demo.baseUrl}/v0/wallet/withdraw`;
  const quote = { asset: 'BTC', network: 'bitcoin', amount: '0.01', address: demo.addresses.BTC?.bitcoin };
  const idOf = (field: string): string => `tee /dev/stderr | sed -E 's/.*"${field}":"([^"]+)".*/\\1/'`;
  say(
    [
      '',
      bold('Causeway is ready.'),
      '',
      `  API               ${demo.baseUrl}`,
      `  Swagger UI        ${bold(demo.docsUrl)}   (credentials: ${file('demo.json')})`,
      `  Worker            http://${host}:${workerPort}/readyz`,
      `  Sandbox exchange  ${demo.sandboxUrl}`,
      `  PostgreSQL        ${settings.database === null ? 'embedded, data in ' + file('postgres') : 'DATABASE_URL'}`,
      '',
      bold('Withdraw from the demo wallet:'),
      '',
      `  ${curl} ${withdraw}/balance`,
      '',
      `  QUOTE=$(${curl} ${withdraw}/quote -d '${JSON.stringify(quote)}' | ${idOf('id')})`,
      '',
      `  TRANSACTION=$(${curl} -X PUT ${withdraw}/$QUOTE/execute -d '{}' | ${idOf('transactionId')})`,
      '',
      'and watch it become "ok" within seconds:',
      '',
      `  ${curl} ${demo.baseUrl}/v0/wallet/transaction/$TRANSACTION`,
      '',
      'Ctrl-C stops everything; the data stays. npm start -- --fresh begins anew.',
      '',
    ].join('\n'),
  );
}
