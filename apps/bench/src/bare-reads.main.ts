import type { FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import { listenBare } from './bare-server.js';

/**
 * The database queries that the API makes for reads with an API key. This program makes only the queries and returns
 * their rows. It omits the other work of the API: credentials, limits, metrics and log.
 */
const WALLET = `select id, project_id, external_id, exchange, invalid_api, created_at, updated_at, last_sync_at,
  next_sync_at, sync_failures, history_tracked, sync_progress, deleted_at
  from wallets where project_id = $1 and external_id = $2 and deleted_at is null limit 1`;
const BALANCES = `select wallet_id, asset, free, used, total, withdrawable, elsewhere from wallet_balances
  where wallet_id = any($1) order by asset`;
const WALLETS = `select id, project_id, external_id, exchange, invalid_api, created_at, updated_at, last_sync_at,
  next_sync_at, sync_failures, history_tracked, sync_progress, deleted_at
  from wallets where project_id = $1 and deleted_at is null order by created_at desc, id desc limit 10`;
const COUNT_WALLETS = 'select count(*) from wallets where project_id = $1 and deleted_at is null';
const TRANSACTION = 'select * from transactions where project_id = $1 and id = $2';
const TRANSACTIONS = `select * from transactions where project_id = $1 and superseded_by is null
  order by occurred_at desc, id desc limit 10`;
const COUNT_TRANSACTIONS = 'select count(*) from transactions where project_id = $1 and superseded_by is null';
const QUOTE = 'select * from quotes where id = $1 and project_id = $2 and wallet_id = $3';
const WITHDRAWAL = 'select * from withdrawals where project_id = $1 and quote_id = $2';
const CHALLENGE = 'select * from withdrawal_challenges where quote_id = $1';
const ORDER = 'select * from orders where id = $1 and project_id = $2 and external_wallet_id = $3 and exchange = $4';
const POOL_MAX = 10;

interface WalletRow {
  id: string;
  external_id: string;
  exchange: string;
}

const [databaseUrl] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_MAX });

async function rowsOf<Row extends pg.QueryResultRow>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>(sql, values)).rows;
}

const projectOf = ({ headers }: FastifyRequest): unknown => headers['x-svc-project-id'];
const idOf = ({ params }: FastifyRequest): string => (params as { id: string }).id;
const orMissing = (row: object | undefined, reply: FastifyReply): unknown => row ?? reply.status(404).send();

async function walletOf(request: FastifyRequest): Promise<WalletRow | undefined> {
  const [wallet] = await rowsOf<WalletRow>(WALLET, projectOf(request), request.headers['x-svc-wallet-id']);
  return wallet;
}

await listenBare((app) => {
  app.get('/v0/wallet', async (request, reply) => {
    const wallet = await walletOf(request);
    if (wallet === undefined) return reply.status(404).send();
    return { ...wallet, balances: await rowsOf(BALANCES, [wallet.id]) };
  });
  app.get('/v0/wallet/list', async (request) => {
    const wallets = await rowsOf<WalletRow>(WALLETS, projectOf(request));
    const count = await rowsOf(COUNT_WALLETS, projectOf(request));
    return { wallets, count, balances: await rowsOf(BALANCES, [wallets.map(({ id }) => id)]) };
  });
  app.get('/v0/wallet/transactions', async (request) => {
    const transactions = await rowsOf(TRANSACTIONS, projectOf(request));
    return { transactions, count: await rowsOf(COUNT_TRANSACTIONS, projectOf(request)) };
  });
  app.get('/v0/wallet/transaction/:id', async (request, reply) => {
    const [transaction] = await rowsOf(TRANSACTION, projectOf(request), idOf(request));
    return orMissing(transaction, reply);
  });
  app.get('/v0/wallet/withdraw/:id', async (request, reply) => {
    const wallet = await walletOf(request);
    const [quote] = await rowsOf(QUOTE, idOf(request), projectOf(request), wallet?.id);
    if (quote === undefined) return reply.status(404).send();
    const withdrawals = await rowsOf(WITHDRAWAL, projectOf(request), idOf(request));
    return { quote, withdrawals, challenges: await rowsOf(CHALLENGE, idOf(request)) };
  });
  app.get('/v0/wallet/trade/order/:id', async (request, reply) => {
    const wallet = await walletOf(request);
    const [order] = await rowsOf(ORDER, idOf(request), projectOf(request), wallet?.external_id, wallet?.exchange);
    return orMissing(order, reply);
  });
});
