import { DAY_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { WithdrawalHarness } from '../testing/index.js';
import { ExpiredQuotes } from './expired-quotes.js';
import type { Quote } from './quote.entity.js';

describe('quotes that were not executed', () => {
  let harness: WithdrawalHarness;
  let madeAt: number;
  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
    madeAt = harness.clock.at;
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.clock.at = madeAt;
    await harness.newWallet();
  });

  /** Runs the deletion as if `days` had passed since the quotes were made. Their ids contain the time. */
  async function deleteAfter(days: number): Promise<void> {
    harness.clock.at = Date.now() + days * DAY_MS;
    const { db, clock } = harness;
    await new ExpiredQuotes(db, clock, harness.get(Config), harness.get(PeriodicTasks)).delete();
  }

  async function isKept({ id }: Quote): Promise<boolean> {
    return (await harness.db.query(`select from quotes where id = $1`, [id])).length === 1;
  }

  async function beginVerification({ id, projectId, walletId, createdAt }: Quote): Promise<void> {
    await harness.db.query(
      `insert into withdrawal_challenges (quote_id, project_id, wallet_id, biz_no, mode, relation, steps, attempts,
         created_at, updated_at) values ($1, $2, $3, 'biz', 'step_by_step', 'AND', '[]', '[]', $4, $4)`,
      [id, projectId, walletId, createdAt],
    );
  }

  async function isVerified({ id }: Quote): Promise<boolean> {
    return (await harness.db.query(`select from withdrawal_challenges where quote_id = $1`, [id])).length === 1;
  }

  it('are deleted after 30 days, even if their expiry was recorded', async () => {
    const [quote, closed, executed] = [await harness.quote(), await harness.quote(), await harness.quote()];
    await harness.db.query(`insert into closed_quotes values ($1, now())`, [closed.id]);
    await harness.execute(executed);
    const keptAfter = async (days: number): Promise<boolean[]> => {
      await deleteAfter(days);
      return Promise.all([quote, closed, executed].map(isKept));
    };
    expect(await keptAfter(29)).toEqual([true, true, true]);
    expect(await keptAfter(31)).toEqual([false, false, true]);
  });

  it('lose their verifications after 30 days, and executed quotes, which are kept, do, too', async () => {
    const quotes = [await harness.quote(), await harness.quote()];
    for (const quote of quotes) await beginVerification(quote);
    const [executed] = quotes as [Quote, Quote];
    await harness.execute(executed);
    const countAfter = async (days: number): Promise<number> => {
      await deleteAfter(days);
      return (await Promise.all(quotes.map(isVerified))).filter(Boolean).length;
    };
    expect([await countAfter(29), await countAfter(31)]).toEqual([2, 0]);
    expect(await isKept(executed)).toBe(true);
  });

  it('are kept while they are the newest with a tag for their address', async () => {
    const [older, newer] = [await harness.quote({ tag: '1' }), await harness.quote({ tag: '2' })];
    const other = await harness.quote({ tag: '1', address: '16UMkmhauCp7rRo89SciYkppzcTdfxrEFR' });
    await deleteAfter(31);
    expect(await Promise.all([older, newer, other].map(isKept))).toEqual([false, true, true]);
  });

  it('are kept while, by the clock of the database, they can still be executed', async () => {
    harness.clock.at = Date.now();
    const quote = await harness.quote();
    await beginVerification(quote);
    await deleteAfter(31);
    expect(await isKept(quote)).toBe(true);
    expect(await isVerified(quote)).toBe(true);
  });
});
