import pg from 'pg';
import { listenBare } from './bare-server.js';

interface WalletRow {
  id: string;
  project_id: string;
  external_id: string;
  exchange: string;
  invalid_api: boolean;
  created_at: Date;
  updated_at: Date;
  last_sync_at: Date | null;
  sync_progress: unknown;
}

interface BalanceRow {
  asset: string;
  free: string;
  used: string;
  total: string;
}

// The same database queries as `GET /v0/wallet`, without the rest of its work.
const WALLET = `select id, project_id, external_id, exchange, invalid_api, created_at, updated_at, last_sync_at,
  next_sync_at, sync_failures, history_tracked, sync_progress, deleted_at
  from wallets where project_id = $1 and external_id = $2 and deleted_at is null limit 1`;
const BALANCES = `select wallet_id, asset, free, used, total, withdrawable, elsewhere from wallet_balances where wallet_id = any($1) order by asset`;
const POOL_MAX = 10;

const [databaseUrl] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_MAX });

await listenBare((app) => {
  app.get('/v0/wallet', async (request, reply) => {
    const { 'x-svc-project-id': projectId, 'x-svc-wallet-id': walletId } = request.headers;
    const wallets = await pool.query<WalletRow>(WALLET, [projectId, walletId]);
    const [wallet] = wallets.rows;
    if (wallet === undefined) return reply.status(404).send();
    const balances = await pool.query<BalanceRow>(BALANCES, [[wallet.id]]);
    return {
      id: wallet.external_id,
      walletId: wallet.external_id,
      exchange: wallet.exchange,
      projectId: wallet.project_id,
      invalidApi: wallet.invalid_api,
      createdAt: wallet.created_at,
      updatedAt: wallet.updated_at,
      lastSyncAt: wallet.last_sync_at,
      balances: Object.fromEntries(
        balances.rows.map(({ asset, free, used, total }) => [
          asset,
          { free: Number(free), used: Number(used), total: Number(total) },
        ]),
      ),
      ipPool: [],
      syncProgress: wallet.sync_progress,
    };
  });
});
