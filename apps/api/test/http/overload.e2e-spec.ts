import { request, type ClientRequest } from 'node:http';
import pg from 'pg';
import { until } from '#platform/testing';
import type { Answer } from '../support/documented-responses.js';
import { sendRaw } from '../support/raw-http.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, execute } from '../support/withdrawal-client.js';

const TIMEOUT_MS = 300_000;
/**
 * Limits for the list requests of one API key in one process: at most LISTS of them run or wait, and at most CONNECTED
 * of these run.
 */
const LISTS = 130;
const CONNECTED = 2;
/** Maximum number of list requests, of all API keys together, that run. */
const ALL_CONNECTED = 4;
/** The number of new connections with a list request each. */
const NEW_CONNECTIONS = 100;

interface Refusal {
  type: string;
}

describe('load above the capacity', () => {
  let app: TestApp;
  let greedy: TestProjectWithClient;
  let other: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    const longer = { DATABASE_LOCK_TIMEOUT_MS: '20000', DATABASE_STATEMENT_TIMEOUT_MS: '20000' };
    app = await TestApp.create({ env: longer });
    greedy = await app.project();
    other = await app.project();
    wallet = await app.wallet(other);
    await app.wallet(greedy);
  }, TIMEOUT_MS);
  afterAll(() => app.close());

  const lists = (project: TestProjectWithClient, count: number): Promise<Answer<Refusal>>[] =>
    Array.from({ length: count }, () => project.http.get<Refusal>('/v0/wallet/transactions'));
  const statuses = (answers: { status: number }[]): Record<number, number> =>
    answers.reduce<Record<number, number>>((all, { status }) => ({ ...all, [status]: (all[status] ?? 0) + 1 }), {});
  /** Counts the database connections that wait for a lock. */
  const waiting = async (owner: pg.Client): Promise<number> => {
    const { rows } = await owner.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  };

  it('of one key is refused, without an effect on requests of other keys', async () => {
    const table = await app.holdTable('transactions');
    const sent = lists(greedy, LISTS + 30);
    const refused = await firstOf(sent, sent.length - CONNECTED);
    expect(statuses(refused)).toEqual({ 429: refused.length });
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await other.http.get('/v0/wallet/list')).status).toBe(200);
    expect((await wallet.http.get('/v0/wallet/withdraw/balance')).status).toBe(200);
    await table.release();
    expect(statuses(await Promise.all(sent))).toMatchObject({ 200: CONNECTED });
    expect(statuses(await Promise.all(lists(greedy, 5)))).toEqual({ 200: 5 });
  });

  it('of one key on new connections delays no later connection of another client', async () => {
    await app.db.query(
      `insert into transactions (id, project_id, wallet_id, external_wallet_id, exchange, type, direction, status, asset,
         network, amount, occurred_at, origin)
       select gen_random_uuid(), $1, id, external_id, exchange, 'deposit', 'in', 'ok', 'BTC', 'bitcoin', n, now(), 'exchange'
       from wallets, generate_series(1, 1000) n where project_id = $1`,
      [greedy.projectId],
    );
    let listed = 0;
    const sent = Array.from({ length: NEW_CONNECTIONS }, async () => {
      const { status } = await sendRaw(`${app.url}/v0/wallet/transactions?limit=1000`, greedy.headers);
      if (status === 200) listed += 1;
    });
    expect((await sendRaw(`${app.url}/v0/oauth2/exchanges`)).status).toBe(200);
    expect(listed).toBeLessThan(NEW_CONNECTIONS / 4);
    await Promise.all(sent);
    expect((await greedy.http.get('/v0/wallet/transactions')).status).toBe(200);
  });

  it('of many keys is refused, but an execution of a quote is not', async () => {
    const keys = [greedy, other, ...(await Promise.all([1, 2, 3, 4].map(() => app.project())))];
    const body = await btcQuote(wallet);
    const table = await app.holdTable('wallet_balances');
    const sent = keys.flatMap((project) =>
      Array.from({ length: 10 }, () => project.http.get<Refusal>('/v0/wallet/list')),
    );
    const refused = await firstOf(sent, sent.length - ALL_CONNECTED);
    const { 429: beyond = 0, 503: inVain = 0 } = statuses(refused);
    expect(beyond + inVain).toBe(refused.length);
    expect(inVain).toBeGreaterThan(0);
    expect(
      refused.every(({ headers, body }) => headers['retry-after'] === '1' && body.type.startsWith('GENERIC_')),
    ).toBe(true);
    expect((await execute(wallet, body.id)).status).toBe(200);
    await table.release();
    await Promise.all(sent);
  });

  it('no longer waits in the database once its clients have left', async () => {
    const owner = new pg.Client(app.ownerUrl);
    await owner.connect();
    const table = await app.holdTable('transactions');
    const { port } = new URL(app.url);
    const sent: ClientRequest[] = Array.from({ length: CONNECTED }, () =>
      request({ port, path: '/v0/wallet/transactions', headers: greedy.headers, agent: false })
        .on('error', () => undefined)
        .end(),
    );
    await until('all wait for the table', async () => (await waiting(owner)) >= CONNECTED);
    for (const one of sent) one.destroy();
    await until('nobody waits for the table', async () => (await waiting(owner)) === 0);
    await table.release();
    await owner.end();
    expect((await greedy.http.get('/v0/wallet/transactions')).status).toBe(200);
  });

  it('of readiness probes shares one check of the database', async () => {
    const table = await app.holdTable('migrations');
    const probes = Array.from({ length: 50 }, () => app.http.get('/readyz'));
    await table.isWaitedFor();
    expect((await other.http.get('/v0/wallet/list')).status).toBe(200);
    expect(app.pool().waiting).toBe(0);
    await table.release();
    expect(statuses(await Promise.all(probes))).toEqual({ 200: 50 });
  });

  it('on a database that refuses connections gets 503, except at endpoints that need no database', async () => {
    const owner = new pg.Client(app.ownerUrl);
    await owner.connect();
    const { rows } = await owner.query<{ name: string }>('select quote_ident(current_database()) as name');
    await owner.query(`alter database ${rows[0]?.name} connection limit 0`);
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'causeway_api'`,
    );
    const paths = ['/v0/wallet/list', '/v0/wallet/transactions', '/v0/wallet/withdraw/balance', '/v0/wallet'];
    const answers = await Promise.all(paths.map((path) => wallet.http.get<Refusal>(path)));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(answers.every(({ headers }) => headers['retry-after'] !== undefined)).toBe(true);
    expect((await app.http.get('/readyz')).status).toBe(503);
    expect((await app.http.get('/livez')).status).toBe(200);
    expect((await app.http.get('/v0/oauth2/exchanges')).status).toBe(200);
    await owner.query(`alter database ${rows[0]?.name} connection limit -1`);
    await owner.end();
    await until('the API is ready', async () => (await app.http.get('/readyz')).status === 200);
    expect((await wallet.http.get('/v0/wallet/list')).status).toBe(200);
  });
});

/** Returns the first `count` results while the other promises wait. */
async function firstOf<T>(promises: Promise<T>[], count: number): Promise<T[]> {
  const settled: T[] = [];
  for (const promise of promises) void promise.then((value) => settled.push(value));
  await until(`${count} results`, () => settled.length >= count);
  return settled.slice(0, count);
}
