import { randomUUID } from 'node:crypto';
import { cpuRow, loadInTurns, p99Row, type LoadOptions } from '../load.js';
import type { Row } from '../report.js';
import type { BenchProcess } from '../environment/bench-process.js';
import { connectWallets } from '../environment/connect-wallets.js';
import { postJson } from '../environment/http.js';
import type { BenchEnvironment, Headers } from '../environment/environment.js';

const TRANSACTIONS = 1_000;
/** Number of connections. It is so low that the reads of one API key do not wait for each other. */
const CONNECTIONS = 4;
/** The request for a quote. New accounts of the sandbox exchange have saved its address for withdrawals. */
const WITHDRAWAL = {
  asset: 'BTC',
  network: 'bitcoin',
  amount: '0.01',
  address: 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp',
};

/** Measures reads with an API key, beside bare Fastify and pg with the same look-ups, and beside another commit. */
export async function benchKeyedReads(
  environment: BenchEnvironment,
  api: BenchProcess,
  options: LoadOptions,
): Promise<Row[]> {
  const project = await environment.createProject(api);
  const [wallet] = await connectWallets(environment, api, project, 20);
  const headers = { ...project, 'x-svc-wallet-id': wallet?.walletId ?? '' };
  const paths = await pathsOf(environment, api, headers);
  const bare = await environment.startBare('bare-reads', [environment.databaseUrl]);
  const other = await environment.startOther();
  const compared = [bare, ...(other === null ? [] : [other])];
  const rows: Row[] = [];
  for (const [name, path] of Object.entries(paths)) {
    const targets = [api, ...compared].map((process) => ({ process, path, headers, connections: CONNECTIONS }));
    const [ours, alone, before] = await loadInTurns(targets, options);
    rows.push(cpuRow(`${name}: CPU for each request`, [ours, alone], 'Fastify + pg'), p99Row([ours, alone]));
    if (other !== null) rows.push(cpuRow('… beside the other commit', [ours, before]));
  }
  for (const process of compared) await environment.stop(process);
  return rows;
}

/** Creates the rows that the reads return. @returns the path of each read, by its name. */
async function pathsOf(
  environment: BenchEnvironment,
  api: BenchProcess,
  headers: Headers,
): Promise<Record<string, string>> {
  const projectId = headers['x-svc-project-id'];
  const externalWalletId = headers['x-svc-wallet-id'];
  const quote = await postJson<{ id: string }>(`${api.baseUrl}/v0/wallet/withdraw/quote`, WITHDRAWAL, headers);
  const transaction = randomUUID();
  await environment.db.query(
    `insert into transactions (id, project_id, wallet_id, external_wallet_id, exchange, exchange_transaction_id, type,
       direction, status, asset, amount, fee, fee_asset, occurred_at, origin)
     select case when n = 1 then $3::uuid else gen_random_uuid() end, project_id, id, external_id, exchange, 'B' || n,
            'deposit', 'in', 'ok', 'BTC', n, 0.1, 'BTC', now() - interval '1 hour' * n, 'exchange'
       from wallets, generate_series(1, $4::int) as n where project_id = $1 and external_id = $2`,
    [projectId, externalWalletId, transaction, TRANSACTIONS],
  );
  const order = randomUUID();
  await environment.db.query(
    `insert into orders (id, project_id, wallet_id, external_wallet_id, exchange, connector_version, credential_version,
       route_id, base_asset, quote_asset, side, type, volume, asked, client_order_id, request, state, lease_until,
       exchange_ids, status, raw_status, executed_volume, cost, average_price, fees, description, order_text, raw_answer,
       created_at, updated_at)
     select $3::uuid, project_id, id, external_id, exchange, '1', '1', 'kraken:spot:BTC-USD', 'BTC', 'USD', 'sell', 'market', 0.01,
            'bench', $3::uuid::text, '{}', 'closed', now(), '{O1}', 'filled', 'closed', 0.01, 999.999, 99999.9,
            '[{"asset": "USD", "amount": "3.9999"}]', '{"pair": "XBTUSD", "side": "sell", "type": "market"}', 'sell 0.01', '{"status": "closed"}', now(), now()
       from wallets where project_id = $1 and external_id = $2`,
    [projectId, externalWalletId, order],
  );
  await environment.db.query('vacuum analyze wallets, transactions');
  return {
    'get wallet': '/v0/wallet',
    'get transaction': `/v0/wallet/transaction/${transaction}`,
    'list wallets': '/v0/wallet/list',
    'list transactions': '/v0/wallet/transactions',
    'status of a quote': `/v0/wallet/withdraw/${quote.id}`,
    'get order': `/v0/wallet/trade/order/${order}`,
  };
}
