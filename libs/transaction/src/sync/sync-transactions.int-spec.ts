import { Amount } from '#money';
import { Transactions } from '../transactions.service.js';
import { DAY, HOUR, SECOND, SyncBed } from '../testing/sync-bed.js';
import { SyncStore } from './sync-store.js';

const inOrder = (ids: (string | null)[]): (string | null)[] =>
  ids.toSorted((a, b) => String(a).localeCompare(String(b)));

describe('reading the history of a wallet', () => {
  let bed: SyncBed;

  beforeAll(async () => {
    bed = await SyncBed.create({
      TRANSACTION_SYNC_PAGES: '2',
      TRANSACTION_SYNC_PAGE_PAUSE_MS: '0',
      TRANSACTION_SYNC_SECONDS: '3600',
      TRANSACTION_PENDING_DAYS: '4',
    });
  });
  beforeEach(() => bed.newWallet());
  afterAll(() => bed.close());

  const oldRecords = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => bed.account.add(bed.ago((count - index) * DAY)).exchangeId);
  const progress = async (): Promise<unknown> =>
    (await bed.db.query<{ p: unknown }>(`select sync_progress as p from wallets where id = $1`, [bed.wallet.id]))[0]?.p;

  it('goes back to the beginning of the account, some pages a job', async () => {
    const ids = oldRecords(20);
    await bed.sync();
    expect(await bed.ids()).toEqual(ids.slice(-6));
    await bed.sync();
    expect(await bed.ids()).toEqual(ids.slice(-12));
    await bed.work(0);
    expect(await bed.ids()).toEqual(ids);
  });

  it('shows how far it has come', async () => {
    expect(await progress()).toBeNull();
    const half = new Date((Date.UTC(2020, 0, 1) + bed.clock.at) / 2);
    for (let index = 0; index < 9; index++) bed.account.add(new Date(half.getTime() - index * SECOND));
    await bed.sync('withdrawal');
    await bed.sync();
    const reached = { records: 6, reachedAt: new Date(half.getTime() - 5 * SECOND).toISOString() };
    expect(await progress()).toEqual({ state: 'reading', fraction: expect.closeTo(0.75, 4) as number, ...reached });
    await bed.sync();
    const oldest = new Date(half.getTime() - 8 * SECOND).toISOString();
    const complete = { state: 'complete', fraction: 1, records: 9, reachedAt: oldest };
    expect(await progress()).toEqual(complete);
    bed.account.add(bed.clock.now());
    await bed.work(HOUR);
    expect(await progress()).toEqual(complete);
  });

  it('goes on where it was when it was killed in the middle of a page', async () => {
    const ids = oldRecords(10);
    bed.account.onPage = (cursor) => {
      if (cursor !== null) throw new Error('killed');
    };
    await expect(bed.sync()).rejects.toThrow('killed');
    bed.account.onPage = () => undefined;
    expect(await bed.ids()).toEqual(ids.slice(-3));
    bed.account.asked.length = 0;
    await bed.work(HOUR);
    expect(bed.account.asked.find(({ kind }) => kind === 'deposit')?.cursor).toBe(`0 ${ids.at(-3)}`);
    expect(await bed.ids()).toEqual(ids);
  });

  it('goes on at the same second when the exchange knows the cursor no more', async () => {
    const at = bed.ago(DAY);
    const ids = [...oldRecords(3), ...[1, 2, 3, 4, 5].map(() => bed.account.add(at).exchangeId)];
    bed.account.pageSize = 7;
    bed.account.onPage = () => bed.account.forgetCursors();
    await bed.sync();
    bed.account.onPage = () => undefined;
    await bed.work(HOUR);
    expect(inOrder(await bed.ids())).toEqual(inOrder(ids));
  });

  it('asks less and less often for a cursor that is refused again and again', async () => {
    const at = bed.ago(DAY);
    for (let index = 0; index < 9; index++) bed.account.add(at);
    bed.account.onPage = (cursor) => (cursor === null ? undefined : bed.account.forgetCursors());
    await bed.work(HOUR);
    expect(bed.account.asked.filter(({ kind }) => kind === 'deposit').length).toBeLessThan(40);
    bed.account.onPage = () => undefined;
    await bed.work(2 * HOUR);
    expect(await bed.ids()).toHaveLength(9);
  });

  it('loses nothing that appears while pages are read', async () => {
    const ids = oldRecords(12);
    const late: string[] = [];
    bed.account.onPage = () => {
      bed.clock.at += SECOND;
      late.push(bed.account.add(bed.clock.now()).exchangeId);
    };
    await bed.work(HOUR);
    bed.account.onPage = () => undefined;
    await bed.work(HOUR);
    expect(inOrder(await bed.ids())).toEqual(inOrder([...ids, ...late]));
  });

  it('finds what the exchange shows late, within the overlap', async () => {
    oldRecords(1);
    await bed.work(DAY);
    const late = bed.account.add(bed.ago(47 * HOUR)).exchangeId;
    await bed.work(HOUR);
    expect(await bed.ids()).toContain(late);
  });

  it('follows what is pending to its end, and asks no further back than it has to', async () => {
    const slow = bed.account.add(bed.ago(DAY), { status: 'pending', rawStatus: 'Initial' });
    await bed.work(0);
    await bed.work(2 * DAY);
    slow.status = 'ok';
    await bed.work(HOUR);
    expect(await bed.rows()).toMatchObject([{ status: 'ok' }]);
    await bed.work(HOUR);
    const last = bed.account.asked.findLast(({ kind }) => kind === 'deposit');
    expect(bed.clock.at - (last?.since.getTime() ?? 0)).toBeLessThanOrEqual(50 * HOUR);
  });

  it('gives up on what stays pending for ever', async () => {
    bed.account.add(bed.ago(DAY), { status: 'pending' });
    await bed.work(4 * DAY);
    const last = bed.account.asked.findLast(({ kind }) => kind === 'deposit');
    expect(bed.clock.at - (last?.since.getTime() ?? 0)).toBeLessThanOrEqual(50 * HOUR);
  });

  it('moves no status back, and says loudly what the exchange says otherwise', async () => {
    const record = bed.account.add(bed.ago(HOUR));
    await bed.work(0);
    Object.assign(record, { status: 'failed', rawStatus: 'Failure' });
    await bed.work(HOUR);
    Object.assign(record, { status: 'pending', rawStatus: 'Pending' });
    await bed.work(HOUR);
    expect(await bed.rows()).toMatchObject([{ status: 'ok', rawStatus: 'Pending' }]);
    expect(bed.logged.filter(({ level }) => level === 50)).toHaveLength(1);
  });

  it('has one row for each record, also when two jobs read the same page at once', async () => {
    const ids = oldRecords(8);
    await Promise.all([bed.sync(), bed.sync(), bed.sync()]);
    await bed.work(HOUR);
    expect(await bed.ids()).toEqual(ids);
    expect(Number((await bed.row())?.['records'])).toBe(8);
  });

  it('skips what is no record, keeps its neighbours, and says so once', async () => {
    const good = bed.account.add(bed.ago(5 * HOUR)).exchangeId;
    bed.account.add(bed.ago(4 * HOUR), { amount: Amount.zero });
    bed.account.add(bed.ago(4 * HOUR), { amount: Amount.of('-1') });
    bed.account.add(bed.ago(4 * HOUR), { exchangeId: '' });
    bed.account.add(bed.ago(4 * HOUR), { exchangeId: 'x'.repeat(300) });
    bed.account.add(new Date(NaN));
    const odd = bed.account.add(bed.ago(HOUR), {
      fee: Amount.of('-1'),
      tag: 'NUL \0',
      address: 'half \ud800',
      rawStatus: '',
      hash: '\0',
    });
    bed.account.unreadable = 2;
    bed.account.pageSize = 10;
    await bed.work(HOUR);
    expect(await bed.ids()).toEqual([good, odd.exchangeId]);
    expect((await bed.rows())[1]).toMatchObject({ fee: null, tag: 'NUL ', addressTo: 'half \ufffd', hash: null });
    // Once for each kind.
    expect(bed.logged.filter(({ level }) => level === 50)).toHaveLength(2);
  });

  it('tells by events of what happens, not of what had happened before', async () => {
    oldRecords(3);
    await bed.work(0);
    expect(await bed.events()).toEqual([]);
    const fresh = bed.account.add(bed.clock.now(), { status: 'pending' });
    await bed.work(HOUR);
    fresh.status = 'ok';
    await bed.work(HOUR);
    await bed.work(HOUR);
    const [row] = (await bed.rows()).slice(-1);
    expect(await bed.events()).toMatchObject([
      { type: 'transaction.created', subject: row?.id, data: { id: row?.id, status: 'pending', amount: 0.5 } },
      { type: 'transaction.updated', subject: row?.id, data: { id: row?.id, status: 'ok' } },
    ]);
  });

  describe('when the exchange', () => {
    it('is down, tries again less and less often, and loses nothing', async () => {
      const ids = oldRecords(5);
      bed.account.failure = 'unavailable';
      await bed.work(2 * HOUR);
      const tries = bed.account.asked.filter(({ kind }) => kind === 'deposit').length;
      expect(tries).toBeGreaterThan(5);
      expect(tries).toBeLessThan(15);
      bed.account.failure = null;
      await bed.work(2 * HOUR);
      expect(await bed.ids()).toEqual(ids);
    });

    it('says that the credentials are invalid, marks the wallet, deletes it never, and leaves the exchange alone', async () => {
      const ids = oldRecords(2);
      bed.account.failure = 'credentials_invalid';
      await bed.work(HOUR);
      const [wallet] = await bed.db.query(`select invalid_api, deleted_at from wallets where id = $1`, [bed.wallet.id]);
      expect(wallet).toEqual({ invalid_api: true, deleted_at: null });
      expect(bed.account.asked.length).toBeLessThanOrEqual(2);
      bed.account.failure = null;
      await bed.db.query(`update wallets set invalid_api = false where id = $1`, [bed.wallet.id]);
      await bed.work(HOUR);
      expect(await bed.ids()).toEqual(ids);
    });

    it('has no history, is left alone', async () => {
      bed.account.hasHistory = false;
      await bed.work(12 * HOUR);
      expect(bed.account.asked).toEqual([]);
      expect(await bed.row()).toMatchObject({ complete_until: null });
    });
  });

  describe('of a wallet', () => {
    it('that was deleted, ends', async () => {
      await bed.db.query(`update wallets set deleted_at = now() where id = $1`, [bed.wallet.id]);
      await bed.work(0);
      expect([await bed.row('deposit'), await bed.row('withdrawal')]).toEqual([undefined, undefined]);
      expect(bed.account.asked).toEqual([]);
    });

    it('that was connected again under its id, doubles nothing', async () => {
      const ids = oldRecords(4);
      const slow = bed.account.add(bed.ago(HOUR), { status: 'pending' });
      await bed.work(0);
      await bed.db.query(`update wallets set deleted_at = now() where id = $1`, [bed.wallet.id]);
      await bed.work(HOUR);
      bed.wallet = await bed.connect(bed.wallet.externalId);
      await bed.work(HOUR);
      slow.status = 'ok';
      await bed.work(DAY);
      expect(await bed.ids()).toEqual([...ids, slow.exchangeId]);
      expect((await bed.rows()).at(-1)).toMatchObject({ status: 'ok' });
    });

    it('whose credentials were replaced, begins anew, and still tells what it had not told', async () => {
      oldRecords(4);
      await bed.work(0);
      bed.clock.at += 60 * SECOND;
      const untold = bed.account.add(bed.clock.now());
      const other = bed.account.add(bed.ago(300 * DAY));
      await bed.db.query(`update wallets set history_tracked = false, sync_progress = null where id = $1`, [
        bed.wallet.id,
      ]);
      await bed.get(SyncStore).adopt();
      await bed.work(0);
      expect(await bed.ids()).toEqual(expect.arrayContaining([untold.exchangeId, other.exchangeId]));
      const told = (await bed.events()).map(({ data }) => data['exchangeTransactionId']);
      expect(told).toEqual([untold.exchangeId]);
      expect(await progress()).toMatchObject({ state: 'complete', records: 6 });
    });
  });

  describe('and a withdrawal of ours', () => {
    const seen = (at = bed.clock.now(), rest = {}) => bed.account.add(at, { kind: 'withdrawal', ...rest });
    const event = async () => (await bed.events()).map(({ type, subject }) => [type, subject]);

    it('are one row, with the facts of the exchange and the status of its settlement', async () => {
      const id = await bed.execution();
      await bed.link(id, 'R1');
      seen(undefined, {
        hash: 'abc',
        amount: Amount.of('0.4999'),
        fee: Amount.of('0.0002'),
        feeAsset: 'BTC',
        status: 'failed',
        rawStatus: 'Failure',
      });
      await bed.work(0);
      const moved = { amount: Amount.of('0.4999'), fee: Amount.of('0.0002') };
      const facts = { id, hash: 'abc', ...moved, rawStatus: 'Failure', exchangeTransactionId: 'R1' };
      expect(await bed.rows()).toMatchObject([{ ...facts, status: 'pending', origin: 'execution' }]);
      await bed.settle(id, 'failed');
      await bed.work(HOUR);
      expect(await bed.rows()).toMatchObject([{ ...facts, status: 'failed' }]);
      expect(await event()).toEqual([
        ['transaction.created', id],
        ['transaction.updated', id],
        ['transaction.updated', id],
        ['transaction.updated', id],
      ]);
    });

    it('whose end the history tells otherwise, is said loudly and not believed', async () => {
      const id = await bed.execution();
      await bed.link(id, 'R1');
      await bed.settle(id, 'ok');
      seen(undefined, { status: 'failed', rawStatus: 'Failure' });
      await bed.work(HOUR);
      expect(await bed.rows()).toMatchObject([{ id, status: 'ok' }]);
      expect(bed.logged.filter(({ level }) => level === 50)).toHaveLength(1);
    });

    it('puts off what may be it, of its asset and its time, until it has its id', async () => {
      await bed.work(0);
      const before = seen(bed.ago(2 * HOUR)).exchangeId;
      const id = await bed.execution();
      const other = seen(bed.clock.now(), { asset: 'ETH' }).exchangeId;
      const own = seen(bed.ago(10 * SECOND)).exchangeId;
      const deposit = bed.account.add(bed.clock.now()).exchangeId;
      const shown = [before, other, deposit];
      for (const ms of [HOUR, 3 * DAY]) {
        await bed.work(ms);
        expect(inOrder((await bed.ids()).filter((each) => each !== null))).toEqual(inOrder(shown));
      }
      // So long after it that it may take an operator: listed by itself.
      const next = seen(bed.clock.now()).exchangeId;
      await bed.work(HOUR);
      expect(await bed.ids()).toContain(next);
      await bed.link(id, own);
      await bed.work(HOUR);
      expect(inOrder(await bed.ids())).toEqual(inOrder([...shown, own, next]));
    });

    it('that never came to be, leaves what it had put off to the history', async () => {
      const id = await bed.execution();
      const record = seen().exchangeId;
      await bed.work(3 * DAY);
      await bed.settle(id, 'failed');
      await bed.work(HOUR);
      expect(await bed.ids()).toEqual(expect.arrayContaining([null, record]));
    });

    it('supersedes a row that its record has got: both ids answer the one', async () => {
      // Its clock was off by more than is put off.
      const record = seen(bed.ago(HOUR), { hash: 'abc', rawStatus: 'Pending', status: 'pending' }).exchangeId;
      const id = await bed.execution();
      await bed.work(0);
      const found = (await bed.rows()).find(({ exchangeTransactionId }) => exchangeTransactionId === record);
      await bed.link(id, record);
      await bed.settle(id, 'ok');
      expect(await bed.rows()).toMatchObject([{ id, status: 'ok', hash: 'abc', exchangeTransactionId: record }]);
      expect((await bed.get(Transactions).get(bed.project, found?.id ?? '')).id).toBe(id);
      await bed.work(DAY);
      expect(await bed.ids()).toEqual([record]);
    });
  });
});
