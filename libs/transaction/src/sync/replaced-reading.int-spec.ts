import { testOverrides } from '#platform/config';
import { DAY, SyncHarness } from '../testing/sync-harness.js';
import { SyncStore } from './sync-store.js';

describe('a reading of the history that new credentials interrupt', () => {
  let harness: SyncHarness;

  beforeAll(async () => {
    harness = await SyncHarness.create({
      ...testOverrides({ TRANSACTION_SYNC_PAGES: 1, TRANSACTION_SYNC_PAGE_PAUSE_MS: 0 }),
    });
    await harness.newWallet();
  });
  afterAll(() => harness.close());

  it('begins again on the first page, because a cursor of the former account means nothing for another one', async () => {
    for (let days = 10; days > 0; days--) harness.account.add(harness.ago(days * DAY));
    await harness.sync();
    expect(await harness.row()).toMatchObject({ cursor: expect.any(String) as string });
    await harness.db.query(`update wallets set history_tracked = false, sync_progress = null where id = $1`, [
      harness.wallet.id,
    ]);
    await harness.get(SyncStore).adopt();
    const begun = { window_since: null, window_until: null, cursor: null, complete_since: null, reached_at: null };
    expect(await harness.row()).toMatchObject({ ...begun, records: '0', failures: 0 });
    harness.account.asked.length = 0;
    await harness.sync();
    expect(harness.account.asked[0]?.cursor).toBeNull();
  });
});
