import fc from 'fast-check';
import type { ProjectIdentity } from '#access';
import { ValidationFailed } from '#platform/errors';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { ListWallets, type WalletFilter } from './list-wallets.js';
import { connectedWallet } from '../testing/connected-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';

const at = (text: string): Date => new Date(`2026-01-${text}T00:00:00Z`);

describe('listing wallets', () => {
  let harness: WalletHarness;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createWalletHarness();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.project('test');
  });

  const list = async (filter: Partial<WalletFilter> = {}, withBalances = true) => {
    const given = { page: 0, limit: 1_000, ...filter };
    const { entries, totalCount } = await harness.get(ListWallets).execute(project, given, { withBalances });
    return { ids: entries.map(({ wallet }) => wallet.externalId), entries, totalCount };
  };

  describe('with filters', () => {
    beforeEach(async () => {
      await connectedWallet(harness.db, project, { externalWalletId: 'a', createdAt: at('01'), lastSyncAt: at('11') });
      await connectedWallet(harness.db, project, {
        externalWalletId: 'b',
        createdAt: at('02'),
        lastSyncAt: at('12'),
        exchange: 'okx',
      });
      await connectedWallet(harness.db, project, { externalWalletId: 'c', createdAt: at('03'), invalidApi: true });
      await connectedWallet(harness.db, await harness.project('test'), {
        externalWalletId: 'foreign',
        createdAt: at('02'),
      });
      await connectedWallet(harness.db, project, { externalWalletId: 'deleted', createdAt: at('02') });
      await harness.get(DeleteWallet).execute(project, 'deleted');
    });

    it.each<[string, Partial<WalletFilter>, string[]]>([
      ['no filter, newest first, without deleted wallets and wallets of other projects', {}, ['c', 'b', 'a']],
      ['an exchange', { exchange: 'okx' }, ['b']],
      ['invalid credentials', { invalidApi: true }, ['c']],
      ['credentials that are not known to be invalid', { invalidApi: false }, ['b', 'a']],
      ['createdSince, inclusive', { createdSince: at('02') }, ['c', 'b']],
      ['createdBefore, exclusive', { createdBefore: at('02') }, ['a']],
      ['both bounds of createdAt', { createdSince: at('02'), createdBefore: at('03') }, ['b']],
      ['lastSyncSince, inclusive, without wallets that were never synced', { lastSyncSince: at('12') }, ['b']],
      ['lastSyncBefore, exclusive, without wallets that were never synced', { lastSyncBefore: at('12') }, ['a']],
      [
        'several filters at once',
        { exchange: 'okx', invalidApi: false, createdSince: at('02'), lastSyncBefore: at('13') },
        ['b'],
      ],
      ['bounds that exclude each other', { createdSince: at('03'), createdBefore: at('02') }, []],
    ])('returns the wallets that match %s', async (_, filter, expected) => {
      const { ids, totalCount } = await list(filter);
      expect(ids).toEqual(expected);
      expect(totalCount).toBe(expected.length);
    });

    it('refuses an exchange that does not exist, and lists the supported exchanges', async () => {
      const refusal = list({ exchange: 'unheard-of' });
      await expect(refusal).rejects.toThrow(ValidationFailed);
      await expect(refusal).rejects.toMatchObject({
        details: {
          supportedExchanges: ['kraken', 'okx', 'gemini', 'sandbox'],
          result: { fields: [{ field: 'exchange' }] },
        },
      });
    });
  });

  it('returns each wallet with its own balances, read in one statement for the page', async () => {
    const holding = (total: string) => ({ balances: { BTC: { free: total, used: '0', total } } });
    for (const total of ['1', '2', '3'])
      await connectedWallet(harness.db, project, { externalWalletId: total, ...holding(total) });
    await connectedWallet(harness.db, project, { externalWalletId: 'empty' });
    const statements = await harness.statementsOf(async () => {
      const { entries } = await list({ limit: 3 });
      expect(entries).toHaveLength(3);
      for (const { wallet, balances } of entries) {
        expect(balances.map(({ total }) => total.toString())).toEqual(
          wallet.externalId === 'empty' ? [] : [wallet.externalId],
        );
      }
    });
    expect(statements).toHaveLength(1);
    expect((await list({}, false)).entries.every(({ balances }) => balances.length === 0)).toBe(true);
  });

  it('puts each wallet on exactly one page, newest first, for every page size', async () => {
    // Many wallets have the same time, so that the id must break the tie.
    for (let n = 0; n < 23; n++)
      await connectedWallet(harness.db, project, { createdAt: at(n % 2 === 0 ? '01' : '02') });
    const { ids: all, entries } = await list();
    const newestFirst = (one: Wallet, other: Wallet): number =>
      other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);
    expect(all).toEqual(
      entries
        .map(({ wallet }) => wallet)
        .sort(newestFirst)
        .map(({ externalId: externalWalletId }) => externalWalletId),
    );
    expect(new Set(all).size).toBe(23);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (limit) => {
        const pages = [];
        for (let page = 0; page * limit < 23; page++) pages.push(await list({ page, limit }));
        expect(pages.flatMap(({ ids }) => ids)).toEqual(all);
        expect(pages.every(({ totalCount }) => totalCount === 23)).toBe(true);
        expect(await list({ page: pages.length, limit })).toMatchObject({ ids: [], totalCount: 23 });
      }),
      { numRuns: 15 },
    );
  });
});
