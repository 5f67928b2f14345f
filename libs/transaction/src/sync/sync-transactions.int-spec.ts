import { Amount } from '#money';
import { testOverrides } from '#platform/config';
import { Transactions } from '../history/transactions.service.js';
import { DAY, HOUR, SECOND, SyncHarness } from '../testing/sync-harness.js';
import { SyncStore } from './sync-store.js';

const inOrder = (ids: (string | null)[]): (string | null)[] =>
  ids.toSorted((a, b) => String(a).localeCompare(String(b)));

describe('reading the history of a wallet', () => {
  let harness: SyncHarness;

  beforeAll(async () => {
    harness = await SyncHarness.create({
      ...testOverrides({ TRANSACTION_SYNC_PAGES: 2, TRANSACTION_SYNC_PAGE_PAUSE_MS: 0, TRANSACTION_PENDING_DAYS: 4 }),
      TRANSACTION_SYNC_SECONDS: '3600',
    });
  });
  beforeEach(() => harness.newWallet());
  afterAll(() => harness.close());

  const oldRecords = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => harness.account.add(harness.ago((count - index) * DAY)).exchangeId);
  const progress = async (): Promise<unknown> =>
    (
      await harness.db.query<{ p: unknown }>(`select sync_progress as p from wallets where id = $1`, [
        harness.wallet.id,
      ])
    )[0]?.p;

  it('goes back to the beginning of the account, a few pages in each job', async () => {
    const ids = oldRecords(20);
    await harness.sync();
    expect(await harness.ids()).toEqual(ids.slice(-6));
    await harness.sync();
    expect(await harness.ids()).toEqual(ids.slice(-12));
    await harness.work(0);
    expect(await harness.ids()).toEqual(ids);
  });

  it('shows the progress of the first reading', async () => {
    expect(await progress()).toBeNull();
    const half = new Date((Date.UTC(2020, 0, 1) + harness.clock.at) / 2);
    for (let index = 0; index < 9; index++) harness.account.add(new Date(half.getTime() - index * SECOND));
    await harness.sync('withdrawal');
    await harness.sync();
    const reachedAt = new Date(half.getTime() - 5 * SECOND).toISOString();
    const reached = { records: 6, reachedAt, completeSince: reachedAt, unlistedAt: null };
    expect(await progress()).toEqual({ state: 'reading', fraction: expect.closeTo(0.75, 4) as number, ...reached });
    await harness.sync();
    const oldest = new Date(half.getTime() - 8 * SECOND).toISOString();
    const completeSince = new Date(Date.UTC(2020, 0, 1)).toISOString();
    const complete = { state: 'complete', fraction: 1, records: 9, reachedAt: oldest, completeSince, unlistedAt: null };
    expect(await progress()).toEqual(complete);
    harness.account.add(harness.clock.now());
    await harness.work(HOUR);
    expect(await progress()).toEqual(complete);
  });

  it('continues after it was killed in the middle of a page', async () => {
    const ids = oldRecords(10);
    harness.account.onPage = (cursor) => {
      if (cursor !== null) throw new Error('killed');
    };
    await expect(harness.sync()).rejects.toThrow('killed');
    harness.account.onPage = () => undefined;
    expect(await harness.ids()).toEqual(ids.slice(-3));
    harness.account.asked.length = 0;
    await harness.work(HOUR);
    expect(harness.account.asked.find(({ kind }) => kind === 'deposit')?.cursor).toBe(`0 ${ids.at(-3)}`);
    expect(await harness.ids()).toEqual(ids);
  });

  it('continues at the same second when the exchange no longer accepts the cursor', async () => {
    const at = harness.ago(DAY);
    const ids = [...oldRecords(3), ...[1, 2, 3, 4, 5].map(() => harness.account.add(at).exchangeId)];
    harness.account.pageSize = 7;
    harness.account.onPage = () => harness.account.forgetCursors();
    await harness.sync();
    harness.account.onPage = () => undefined;
    await harness.work(HOUR);
    expect(inOrder(await harness.ids())).toEqual(inOrder(ids));
  });

  it('requests a repeatedly refused cursor less and less often', async () => {
    const at = harness.ago(DAY);
    for (let index = 0; index < 9; index++) harness.account.add(at);
    harness.account.onPage = (cursor) => (cursor === null ? undefined : harness.account.forgetCursors());
    await harness.work(HOUR);
    expect(harness.account.asked.filter(({ kind }) => kind === 'deposit').length).toBeLessThan(40);
    harness.account.onPage = () => undefined;
    await harness.work(2 * HOUR);
    expect(await harness.ids()).toHaveLength(9);
  });

  it('loses no record that appears while pages are read', async () => {
    const ids = oldRecords(12);
    const late: string[] = [];
    harness.account.onPage = () => {
      harness.clock.at += SECOND;
      late.push(harness.account.add(harness.clock.now()).exchangeId);
    };
    await harness.work(HOUR);
    harness.account.onPage = () => undefined;
    await harness.work(HOUR);
    expect(inOrder(await harness.ids())).toEqual(inOrder([...ids, ...late]));
  });

  it('finds a record that the exchange lists late, when its time is within the overlap of the readings', async () => {
    oldRecords(1);
    await harness.work(DAY);
    const late = harness.account.add(harness.ago(47 * HOUR)).exchangeId;
    await harness.work(HOUR);
    expect(await harness.ids()).toContain(late);
  });

  it('follows pending records to their end, and reads no further back than these records require', async () => {
    const slow = harness.account.add(harness.ago(DAY), { status: 'pending', rawStatus: 'Initial' });
    await harness.work(0);
    await harness.work(2 * DAY);
    slow.status = 'ok';
    await harness.work(HOUR);
    expect(await harness.rows()).toMatchObject([{ status: 'ok' }]);
    await harness.work(HOUR);
    const last = harness.account.asked.findLast(({ kind }) => kind === 'deposit');
    expect(harness.clock.at - (last?.since.getTime() ?? 0)).toBeLessThanOrEqual(50 * HOUR);
  });

  it('follows a pending record that the exchange lists under an earlier time than the record’s own time', async () => {
    harness.account.lateByMs = 30 * DAY;
    const record = { status: 'pending', selectedAt: harness.ago(20 * DAY) } as const;
    const slow = harness.account.add(harness.clock.now(), record);
    await harness.work(0);
    slow.status = 'ok';
    await harness.work(2 * DAY + HOUR);
    await harness.work(HOUR);
    expect(await harness.rows()).toMatchObject([{ status: 'ok' }]);
  });

  it('stops following records that stay pending too long', async () => {
    harness.account.add(harness.ago(DAY), { status: 'pending' });
    const reachBack = (): number =>
      harness.clock.at - (harness.account.asked.findLast(({ kind }) => kind === 'deposit')?.since.getTime() ?? 0);
    await harness.work(2 * DAY);
    expect(reachBack()).toBeGreaterThanOrEqual(3 * DAY);
    await harness.work(2 * DAY);
    expect(reachBack()).toBeLessThanOrEqual(50 * HOUR);
  });

  it('moves no status back, and logs when the exchange reports another final status', async () => {
    const record = harness.account.add(harness.ago(HOUR));
    await harness.work(0);
    Object.assign(record, { status: 'failed', rawStatus: 'Failure' });
    await harness.work(HOUR);
    Object.assign(record, { status: 'pending', rawStatus: 'Pending' });
    await harness.work(HOUR);
    expect(await harness.rows()).toMatchObject([{ status: 'ok', rawStatus: 'Pending' }]);
    expect(harness.logged.filter(({ level }) => level === 50)).toHaveLength(1);
  });

  it('stores one row for each record, even when several jobs read the same page at once', async () => {
    const ids = oldRecords(8);
    await Promise.all([harness.sync(), harness.sync(), harness.sync()]);
    await harness.work(HOUR);
    expect(await harness.ids()).toEqual(ids);
    expect(Number((await harness.row())?.['records'])).toBe(8);
  });

  it('skips invalid records, stores the valid records of the same page, and logs one error for each kind of record', async () => {
    const good = harness.account.add(harness.ago(5 * HOUR)).exchangeId;
    harness.account.add(harness.ago(4 * HOUR), { amount: Amount.zero });
    harness.account.add(harness.ago(4 * HOUR), { amount: Amount.of('-1') });
    harness.account.add(harness.ago(4 * HOUR), { exchangeId: '' });
    harness.account.add(harness.ago(4 * HOUR), { exchangeId: 'x'.repeat(300) });
    harness.account.add(new Date(NaN));
    const odd = harness.account.add(harness.ago(HOUR), {
      fee: Amount.of('-1'),
      tag: 'NUL \0',
      address: 'half \ud800',
      rawStatus: '',
      hash: '\0',
    });
    harness.account.unreadable = 2;
    harness.account.pageSize = 10;
    await harness.work(HOUR);
    expect(await harness.ids()).toEqual([good, odd.exchangeId]);
    expect((await harness.rows())[1]).toMatchObject({ fee: null, tag: 'NUL ', addressTo: 'half \ufffd', hash: null });
    // One error for each kind of record.
    expect(harness.logged.filter(({ level }) => level === 50)).toHaveLength(2);
  });

  it('raises events for new records, but not for records from before the connect', async () => {
    oldRecords(3);
    await harness.work(0);
    expect(await harness.events()).toEqual([]);
    const fresh = harness.account.add(harness.clock.now(), { status: 'pending' });
    await harness.work(HOUR);
    fresh.status = 'ok';
    await harness.work(HOUR);
    await harness.work(HOUR);
    const [row] = (await harness.rows()).slice(-1);
    expect(await harness.events()).toMatchObject([
      { type: 'transaction.created', subject: row?.id, data: { id: row?.id, status: 'pending', amount: 0.5 } },
      { type: 'transaction.updated', subject: row?.id, data: { id: row?.id, status: 'ok' } },
    ]);
  });

  it('raises events for records of the second in which the wallet was connected, because exchanges report whole seconds', async () => {
    const second = Math.ceil(harness.clock.at / SECOND) * SECOND;
    harness.clock.at = second + 900;
    await harness.newWallet();
    harness.account.add(new Date(second - 1));
    const { exchangeId } = harness.account.add(new Date(second));
    await harness.work(0);
    const raised = (await harness.events()).map(({ data }) => data['exchangeTransactionId']);
    expect(raised).toEqual([exchangeId]);
  });

  describe('when the exchange', () => {
    it('is down, tries again less and less often, and loses nothing', async () => {
      const ids = oldRecords(5);
      harness.account.failure = 'unavailable';
      await harness.work(2 * HOUR);
      const tries = harness.account.asked.filter(({ kind }) => kind === 'deposit').length;
      expect(tries).toBeGreaterThan(5);
      expect(tries).toBeLessThan(15);
      harness.account.failure = null;
      await harness.work(2 * HOUR);
      expect(await harness.ids()).toEqual(ids);
    });

    it('answers that the credentials are invalid, flags the wallet, never deletes it, and makes no more requests', async () => {
      const ids = oldRecords(2);
      harness.account.failure = 'credentials_invalid';
      await harness.work(HOUR);
      const [wallet] = await harness.db.query(`select invalid_api, deleted_at from wallets where id = $1`, [
        harness.wallet.id,
      ]);
      expect(wallet).toEqual({ invalid_api: true, deleted_at: null });
      expect(harness.account.asked.length).toBeLessThanOrEqual(2);
      harness.account.failure = null;
      await harness.db.query(`update wallets set invalid_api = false where id = $1`, [harness.wallet.id]);
      await harness.work(HOUR);
      expect(await harness.ids()).toEqual(ids);
    });

    it('has no history, makes no requests within 12 hours', async () => {
      harness.account.hasHistory = false;
      await harness.work(12 * HOUR);
      expect(harness.account.asked).toEqual([]);
      expect(await harness.row()).toMatchObject({ complete_until: null });
    });
  });

  describe('when the wallet', () => {
    it('was deleted, ends', async () => {
      await harness.db.query(`update wallets set deleted_at = now() where id = $1`, [harness.wallet.id]);
      await harness.work(0);
      expect([await harness.row('deposit'), await harness.row('withdrawal')]).toEqual([undefined, undefined]);
      expect(harness.account.asked).toEqual([]);
    });

    it('was deleted with its project, ends', async () => {
      const { wallet, project } = harness;
      await harness.db.query(`update projects set deleted_at = now() where id = $1`, [project.id]);
      await harness.work(0);
      expect(await harness.row()).toBeDefined();
      await harness.db.query(`update wallets set deleted_at = now() where id = $1`, [wallet.id]);
      await harness.work(0);
      expect([await harness.row('deposit'), await harness.row('withdrawal')]).toEqual([undefined, undefined]);
      expect(harness.account.asked).toEqual([]);
    });

    it('was connected again under its id, duplicates nothing', async () => {
      const ids = oldRecords(4);
      const slow = harness.account.add(harness.ago(HOUR), { status: 'pending' });
      await harness.work(0);
      await harness.db.query(`update wallets set deleted_at = now() where id = $1`, [harness.wallet.id]);
      await harness.work(HOUR);
      harness.wallet = await harness.connect(harness.wallet.externalId);
      await harness.work(HOUR);
      slow.status = 'ok';
      await harness.work(DAY);
      expect(await harness.ids()).toEqual([...ids, slow.exchangeId]);
      expect((await harness.rows()).at(-1)).toMatchObject({ status: 'ok' });
    });

    it('has new credentials, begins again, and still raises the missing events', async () => {
      oldRecords(4);
      await harness.work(0);
      harness.clock.at += 60 * SECOND;
      const unread = harness.account.add(harness.clock.now());
      const other = harness.account.add(harness.ago(300 * DAY));
      await harness.db.query(`update wallets set history_tracked = false, sync_progress = null where id = $1`, [
        harness.wallet.id,
      ]);
      await harness.get(SyncStore).adopt();
      await harness.work(0);
      expect(await harness.ids()).toEqual(expect.arrayContaining([unread.exchangeId, other.exchangeId]));
      const raised = (await harness.events()).map(({ data }) => data['exchangeTransactionId']);
      expect(raised).toEqual([unread.exchangeId]);
      expect(await progress()).toMatchObject({ state: 'complete', records: 6 });
    });
  });

  describe('when the wallet has a withdrawal of ours', () => {
    const seen = (at = harness.clock.now(), rest = {}) => harness.account.add(at, { kind: 'withdrawal', ...rest });
    const event = async () => (await harness.events()).map(({ type, subject }) => [type, subject]);

    it('shows the withdrawal and its record as one row, with the facts of the exchange and the status of the settlement', async () => {
      const id = await harness.execution();
      await harness.link(id, 'R1');
      seen(undefined, {
        hash: 'abc',
        amount: Amount.of('0.4999'),
        fee: Amount.of('0.0002'),
        feeAsset: 'BTC',
        status: 'failed',
        rawStatus: 'Failure',
      });
      await harness.work(0);
      const moved = { amount: Amount.of('0.4999'), fee: Amount.of('0.0002') };
      const facts = { id, hash: 'abc', ...moved, rawStatus: 'Failure', exchangeTransactionId: 'R1' };
      expect(await harness.rows()).toMatchObject([{ ...facts, status: 'pending', origin: 'execution' }]);
      await harness.settle(id, 'failed');
      await harness.work(HOUR);
      expect(await harness.rows()).toMatchObject([{ ...facts, status: 'failed' }]);
      expect(await event()).toEqual([
        ['transaction.created', id],
        ['transaction.updated', id],
        ['transaction.updated', id],
        ['transaction.updated', id],
      ]);
    });

    it('logs when the record of the settled withdrawal has another final status, and keeps the status', async () => {
      const id = await harness.execution();
      await harness.link(id, 'R1');
      await harness.settle(id, 'ok');
      seen(undefined, { status: 'failed', rawStatus: 'Failure' });
      await harness.work(HOUR);
      expect(await harness.rows()).toMatchObject([{ id, status: 'ok' }]);
      expect(harness.logged.filter(({ level }) => level === 50)).toHaveLength(1);
    });

    it('defers a record whose asset and time fit the withdrawal, until the withdrawal has its exchange id', async () => {
      await harness.work(0);
      const before = seen(harness.ago(2 * HOUR)).exchangeId;
      const id = await harness.execution();
      const other = seen(harness.clock.now(), { asset: 'ETH' }).exchangeId;
      const own = seen(harness.ago(10 * SECOND)).exchangeId;
      const deposit = harness.account.add(harness.clock.now()).exchangeId;
      const shown = [before, other, deposit];
      for (const ms of [HOUR, 3 * DAY]) {
        await harness.work(ms);
        expect(inOrder((await harness.ids()).filter((each) => each !== null))).toEqual(inOrder(shown));
      }
      // This record is three days younger than the withdrawal. Only records up to 24 hours younger are deferred.
      // Therefore this record gets a row.
      const next = seen(harness.clock.now()).exchangeId;
      await harness.work(HOUR);
      expect(await harness.ids()).toContain(next);
      await harness.link(id, own);
      await harness.work(HOUR);
      expect(inOrder(await harness.ids())).toEqual(inOrder([...shown, own, next]));
    });

    it('stores the deferred records after the withdrawal has failed without being sent', async () => {
      const id = await harness.execution();
      const record = seen().exchangeId;
      await harness.work(3 * DAY);
      await harness.settle(id, 'failed');
      await harness.work(HOUR);
      expect(await harness.ids()).toEqual(expect.arrayContaining([null, record]));
    });

    it('merges the row of the record into that of the withdrawal when both are linked; both ids then return one transaction', async () => {
      // The record's time is an hour before the withdrawal, as at an exchange whose clock is behind. Therefore the sync
      // does not take the record for this withdrawal, and stores a row for it.
      const record = seen(harness.ago(HOUR), { hash: 'abc', rawStatus: 'Pending', status: 'pending' }).exchangeId;
      const id = await harness.execution();
      await harness.work(0);
      const found = (await harness.rows()).find(({ exchangeTransactionId }) => exchangeTransactionId === record);
      await harness.link(id, record);
      await harness.settle(id, 'ok');
      expect(await harness.rows()).toMatchObject([{ id, status: 'ok', hash: 'abc', exchangeTransactionId: record }]);
      expect((await harness.get(Transactions).get(harness.project, found?.id ?? '')).id).toBe(id);
      await harness.work(DAY);
      expect(await harness.ids()).toEqual([record]);
    });
  });
});
