import { createProject } from '#access/testing';
import { createTestModule, ManualClock, type TestModule } from '#platform/testing';
import { WalletModule, type Wallet } from '#wallet';
import { connectedWallet } from '#wallet/testing';
import { ListTransactions, type TransactionFilter } from './list-transactions.js';
import { TransactionModule } from './transaction.module.js';

const MANY = 10_400;
/** Few enough that one statement ends in time on a machine under load. */
const ROWS_OF_ONE_INSERT = 2_000;
const NO_FILTER: TransactionFilter = { page: 0, limit: 100 };

interface Row {
  id: string;
  wallet: string;
  asset: string;
  type: string;
  status: string;
  direction: string;
  network: string;
}

describe('the list of transactions', () => {
  const clock = new ManualClock();
  let module: TestModule['module'];
  let db: TestModule['db'];
  let close: TestModule['close'];
  let project: { id: string };
  let wallets: Wallet[];

  beforeAll(async () => {
    ({ module, db, close } = await createTestModule({ imports: [WalletModule, TransactionModule], clock }));
  });
  afterAll(() => close());
  beforeEach(async () => {
    const { projectId, organizationId } = await createProject(module, { mode: 'test' });
    project = { id: projectId };
    const owner = { id: projectId, organizationId };
    wallets = [await connectedWallet(db, owner), await connectedWallet(db, owner)];
  });

  const list = (filter: Partial<TransactionFilter> = {}) =>
    module.get(ListTransactions, { strict: false }).execute(project, { ...NO_FILTER, ...filter });

  /** Inserts transactions of both wallets. The last ones are the newest. */
  const fill = async (count: number, kind = `'deposit', 'in', 'ok', 'BTC', 'bitcoin'`): Promise<void> => {
    for (let first = 1; first <= count; first += ROWS_OF_ONE_INSERT) {
      await insertRows([first, Math.min(count, first + ROWS_OF_ONE_INSERT - 1)], kind);
    }
  };
  const insertRows = ([first, last]: [number, number], kind: string): Promise<unknown> =>
    db.query(
      `insert into transactions (id, project_id, wallet_id, external_wallet_id, exchange, type, direction, status, asset,
         network, amount, occurred_at, origin)
       select gen_random_uuid(), $1, w.id, w.external_id, 'kraken', ${kind}, n,
         timestamptz '2026-01-01' + n * interval '1 s', 'exchange'
       from generate_series($2::int, $3::int) n
         join wallets w on w.id = case when n % 2 = 0 then $4::uuid else $5::uuid end`,
      [project.id, first, last, wallets[0]?.id, wallets[1]?.id],
    );
  const rowsOf = (): Promise<Row[]> =>
    db.query<Row>(
      `select id, external_wallet_id as wallet, asset, type, status, direction, network from transactions
       where project_id = $1 order by occurred_at desc, id desc`,
      [project.id],
    );

  it('has the same rows and counts as a search of all rows, for every filter and page', async () => {
    await fill(
      60,
      `case when n % 3 = 0 then 'deposit' else 'withdrawal' end, case when n % 3 = 0 then 'in' else 'out' end,
       (array['ok', 'failed', 'canceled'])[1 + n % 3], (array['BTC', 'ETH', 'SOL'])[1 + n % 3],
       (array['bitcoin', 'tron', 'unknown', 'ethereum'])[1 + n % 4]`,
    );
    const rows = await rowsOf();
    const externalWalletId = wallets[0]?.externalId;
    const filters: Partial<TransactionFilter>[] = [
      {},
      { status: 'failed' },
      { status: 'pending' },
      { type: 'transaction' },
      { network: 'tron' },
      { network: 'tron', asset: 'ETH' },
      { direction: 'in', status: 'ok', externalWalletId },
      { externalWalletId, asset: 'SOL' },
    ];
    for (const filter of filters) {
      const hits = rows.filter(
        (row) =>
          (filter.externalWalletId === undefined || row.wallet === filter.externalWalletId) &&
          (['asset', 'type', 'status', 'direction', 'network'] as const).every(
            (field) => filter[field] === undefined || row[field] === filter[field],
          ),
      );
      for (const page of [0, 1, 7]) {
        const found = await list({ ...filter, page, limit: 7 });
        expect([filter, page, found.totalCount]).toEqual([filter, page, hits.length]);
        expect(found.transactions.map(({ id }) => id)).toEqual(hits.slice(page * 7, page * 7 + 7).map(({ id }) => id));
      }
    }
  });

  it('finds an asset by its exact name, by another spelling that names only this asset, and never another asset', async () => {
    for (const asset of ['OMNI', 'omni', '币安人生', 'Jade Protocol'])
      await fill(2, `'deposit', 'in', 'ok', '${asset}', 'bsc'`);
    const found = async (asset: string): Promise<string[]> => [
      ...new Set((await list({ asset })).transactions.map((each) => each.asset)),
    ];
    for (const asset of ['OMNI', 'omni', '币安人生', 'Jade Protocol']) expect(await found(asset)).toEqual([asset]);
    expect(await found('JADE protocol')).toEqual(['Jade Protocol']);
    expect(await found('NOPE')).toEqual([]);
    await expect(list({ asset: 'Omni' })).rejects.toMatchObject({
      details: { result: { candidates: ['OMNI', 'omni'] } },
    });
  });

  it('keeps the history of a renamed asset together, by each of its names and by the exchange’s id', async () => {
    await fill(2, `'deposit', 'in', 'ok', 'LOKI', 'unknown'`);
    await fill(2, `'withdrawal', 'out', 'ok', 'OXEN', 'unknown'`);
    await fill(2, `'deposit', 'in', 'ok', 'BSV', 'unknown'`);
    await db.query(
      `update transactions set exchange_asset = case asset when 'OXEN' then 'LOKI' else 'BCHSV' end
        where project_id = $1 and asset in ('OXEN', 'BSV')`,
      [project.id],
    );
    for (const asset of ['LOKI', 'OXEN', 'oxen']) expect((await list({ asset })).totalCount).toBe(4);
    expect((await list({ asset: 'LOKI', status: 'ok', type: 'deposit' })).totalCount).toBe(2);
    for (const asset of ['BSV', 'BCHSV', 'bchsv']) expect((await list({ asset })).totalCount).toBe(2);
  });

  describe('adds no prepared statement to its connection', () => {
    const read = async (filter: Partial<TransactionFilter>): Promise<number> => {
      await list(filter);
      const prepared = await db.query(`select from pg_prepared_statements where name like '%transactions%'`);
      return prepared.length;
    };

    it('for a far page', async () => {
      const first = await read({ page: 101, limit: 1000 });
      expect(first).toBeGreaterThan(0);
      for (const page of [102, 103, 500, 999, 1000]) expect(await read({ page, limit: 1000 })).toBe(first);
    });

    it('for a combination of more than two filters', async () => {
      const two = { status: 'ok', type: 'deposit' } as const;
      const first = await read(two);
      expect(await read({ ...two, direction: 'in' })).toBe(first);
      expect(await read({ ...two, asset: 'BTC', network: 'tron', page: 3 })).toBe(first);
    });
  });

  it('caches a count of more than 500 rows for one second', async () => {
    const read = async (): Promise<[totalCount: number, newest: string | undefined]> => {
      const { transactions, totalCount } = await list();
      return [totalCount, transactions[0]?.asset];
    };
    await fill(500);
    expect(await read()).toEqual([500, 'BTC']);
    await fill(501, `'deposit', 'in', 'ok', 'ETH', 'ethereum'`);
    expect(await read()).toEqual([1_001, 'ETH']);
    await fill(502, `'deposit', 'in', 'ok', 'SOL', 'solana'`);
    clock.advance(999);
    expect(await read()).toEqual([1_001, 'SOL']);
    clock.advance(1);
    expect(await read()).toEqual([1_503, 'SOL']);
  });

  describe('of more than 10,000 rows', () => {
    beforeEach(() => fill(MANY));

    it.each<[string, Partial<TransactionFilter>]>([
      ['without a filter', {}],
      ['with a filter by status and type', { status: 'ok', type: 'deposit' }],
    ])('has the exact count and the right rows on the first and on a far page, %s', async (_what, filter) => {
      const rows = await rowsOf();
      for (const page of [0, 103]) {
        const found = await list({ ...filter, page });
        expect(found.totalCount).toBe(MANY);
        expect(found.transactions.map(({ id }) => id)).toEqual(
          rows.slice(page * 100, (page + 1) * 100).map(({ id }) => id),
        );
      }
      expect(await list({ ...filter, page: 104 })).toEqual({ transactions: [], totalCount: MANY });
    });

    it('caches the count, and refreshes it in the background after ten seconds', async () => {
      const countOf = async (filter: Partial<TransactionFilter> = {}): Promise<number> =>
        (await list(filter)).totalCount;
      expect(await countOf()).toBe(MANY);
      await fill(5);
      expect(await countOf()).toBe(MANY);
      // Page 104 is the last page and is not full, so its rows give the exact count.
      expect(await countOf({ page: 104 })).toBe(MANY + 5);
      clock.advance(10_000);
      let counted = await countOf();
      expect(counted).toBe(MANY);
      // The count is refreshed in the background, so the loop calls until a response has the new count.
      while (counted === MANY) counted = await countOf();
      expect(counted).toBe(MANY + 5);
      await fill(5);
      clock.advance(600_000);
      expect(await countOf()).toBe(MANY + 10);
    });

    it('returns an exact count of zero for a filter that matches no row', async () => {
      expect(await list({ status: 'failed' })).toEqual({ transactions: [], totalCount: 0 });
    });
  });
});
