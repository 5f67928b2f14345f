import { testOverrides } from '#platform/config';
import { DAY, HOUR, SECOND, SyncHarness } from '../testing/sync-harness.js';

const PERIOD_MS = 900 * SECOND;

describe('a history that takes long to read', () => {
  let harness: SyncHarness;

  beforeAll(async () => {
    harness = await SyncHarness.create({
      ...testOverrides({
        TRANSACTION_SYNC_PAGES: 3,
        TRANSACTION_SYNC_PAGE_PAUSE_MS: 100_000,
        TRANSACTION_OVERLAP_HOURS: 1,
      }),
      TRANSACTION_SYNC_SECONDS: String(PERIOD_MS / SECOND),
    });
  });
  afterAll(() => harness.close());
  beforeEach(() => harness.newWallet());

  /** Adds records, one an hour, of which the youngest is a day old. Returns their ids, oldest first. */
  const oldRecords = (count: number): string[] =>
    Array.from(
      { length: count },
      (_, index) => harness.account.add(harness.ago(DAY + index * HOUR)).exchangeId,
    ).reverse();

  interface Progress {
    state: string;
    records: number;
    completeSince: string | null;
    unlistedAt: string | null;
  }
  async function progress(): Promise<Progress | null> {
    const [row] = await harness.db.query<{ progress: Progress | null }>(
      `select sync_progress as progress from wallets where id = $1`,
      [harness.wallet.id],
    );
    return row?.progress ?? null;
  }

  it('shows records that appear meanwhile, and still gets the old ones, each once', async () => {
    const ids = oldRecords(300);
    await harness.work(2 * PERIOD_MS);
    for (let round = 0; round < 5; round++) {
      const { exchangeId } = harness.account.add(harness.clock.now());
      ids.push(exchangeId);
      await harness.work(2 * PERIOD_MS);
      expect(await harness.row()).toMatchObject({ complete_until: null });
      expect(await harness.ids()).toContain(exchangeId);
    }
    const raised = (await harness.events()).map(({ data }) => data['exchangeTransactionId']);
    expect(raised).toEqual(ids.slice(-5));
    await harness.work(2 * DAY);
    expect(await harness.ids()).toEqual(ids);
    expect(await progress()).toMatchObject({ state: 'complete', records: 300 });
  });

  it('reads on from where it was, also when many records appear meanwhile', async () => {
    const ids = oldRecords(60);
    await harness.work(2 * PERIOD_MS);
    // More than may be read ahead in one job.
    const more = Array.from({ length: 40 }, (_, index) => harness.account.add(harness.ago((40 - index) * SECOND)));
    await harness.work(PERIOD_MS);
    expect((await harness.ids()).at(-1)).toBe(more.at(-1)?.exchangeId);
    await harness.work(DAY);
    expect(await harness.ids()).toEqual([...ids, ...more.map(({ exchangeId }) => exchangeId)]);
  });

  it('states since when it is complete', async () => {
    oldRecords(60);
    const times: number[] = [];
    while ((await progress())?.state !== 'complete') {
      await harness.work(250 * SECOND);
      const since = (await progress())?.completeSince ?? null;
      if (since !== null) times.push(Date.parse(since));
    }
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(times.at(-1)).toBe(Date.UTC(2020, 0, 1));
  });

  it('loses nothing when the exchange lists the oldest records first and forgets a cursor', async () => {
    const ids = oldRecords(30);
    harness.account.isOldestFirst = true;
    await harness.sync();
    expect((await harness.ids()).length).toBeLessThan(30);
    harness.account.forgetCursors();
    await harness.work(DAY);
    expect(await harness.ids()).toEqual(ids);
  });

  it('names a moment of which the exchange lists only a part', async () => {
    const [oldest] = oldRecords(2);
    harness.account.unlistedAt = harness.ago(DAY);
    await harness.work(0);
    expect(await harness.ids()).toContain(oldest);
    expect(await progress()).toMatchObject({ unlistedAt: harness.account.unlistedAt.toISOString() });
    expect(harness.logged.map(({ msg }) => msg)).toContain('some records of a wallet could not be read');
  });
});
