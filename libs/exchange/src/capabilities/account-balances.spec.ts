import fc from 'fast-check';
import { Amount } from '#money';
import { pino } from 'pino';
import { Metrics } from '#platform/metrics';
import { ListReader, UnreadableEntries } from '../transport/list-reader.js';
import { balanceReader, mergeAccounts, type Account, type AccountBalance } from './account-balances.js';

const amount = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.nat({ max: 18 }))
  .map(([digits, places]) => Amount.of(`${digits}e-${places}`));
const balance: fc.Arbitrary<AccountBalance> = fc.record(
  {
    asset: fc.constantFrom('BTC', 'EUR'),
    free: amount,
    used: amount,
    withdrawable: amount,
    kind: fc.constantFrom<('earning' | 'locked')[]>('earning', 'locked'),
    owed: amount,
    isPartial: fc.constant(true as const),
  },
  { requiredKeys: ['asset', 'free', 'used'] },
);
const account: fc.Arbitrary<Account> = fc.record({
  name: fc.constantFrom('spot', 'funding'),
  paysWithdrawals: fc.boolean(),
  balances: fc.array(balance, { maxLength: 4 }),
});
const of = (free: string, more: Partial<AccountBalance> = {}): AccountBalance => ({
  asset: 'BTC',
  free: Amount.of(free),
  used: Amount.zero,
  ...more,
});
const spot = (...balances: AccountBalance[]): Account => ({ name: 'spot', paysWithdrawals: true, balances });

describe('the balances of all accounts of an owner', () => {
  it('are never negative and always add up, whatever the exchange reports', () => {
    fc.assert(
      fc.property(fc.array(account, { maxLength: 4 }), (accounts) => {
        for (const { free, used, total, withdrawable, elsewhere = [] } of mergeAccounts(accounts)) {
          const sumOf = (...kinds: string[]): Amount =>
            Amount.sum(elsewhere.filter(({ kind }) => kinds.includes(kind)).map((each) => each.amount));
          for (const each of [free, used, total, withdrawable]) expect(each?.isNegative()).toBe(false);
          for (const each of elsewhere) expect(each.amount.isPositive()).toBe(true);
          expect(free.plus(used)).toEqual(total);
          expect(free.lessThan((withdrawable ?? free).plus(sumOf('free', 'earning')))).toBe(false);
          expect(used.lessThan(sumOf('locked'))).toBe(false);
        }
      }),
    );
  });

  it('show a debt, and do not subtract it from what the owner has in another account', () => {
    const owing = { name: 'margin', paysWithdrawals: false, balances: [of('-2')] };
    expect(mergeAccounts([spot(of('5')), owing])).toEqual([
      {
        asset: 'BTC',
        free: Amount.of('5'),
        used: Amount.zero,
        total: Amount.of('5'),
        withdrawable: Amount.of('5'),
        elsewhere: [{ account: 'margin', kind: 'owed', amount: Amount.of('2') }],
      },
    ]);
  });

  it('count a debt once that the exchange states beside a negative balance', () => {
    const [merged] = mergeAccounts([spot(of('-2', { owed: Amount.of('3') }))]);
    expect(merged?.elsewhere).toEqual([{ account: 'spot', kind: 'owed', amount: Amount.of('3') }]);
  });

  it('count what earns as free and what is locked as used, and neither can be withdrawn', () => {
    const [merged] = mergeAccounts([spot(of('1'), of('2', { kind: 'earning' }), of('4', { kind: 'locked' }))]);
    expect(merged).toEqual({
      asset: 'BTC',
      free: Amount.of('3'),
      used: Amount.of('4'),
      total: Amount.of('7'),
      withdrawable: Amount.of('1'),
      elsewhere: [
        { account: 'spot', kind: 'earning', amount: Amount.of('2') },
        { account: 'spot', kind: 'locked', amount: Amount.of('4') },
      ],
    });
  });

  it('contain an asset of which an amount could not be read, and no asset of which the owner has and owes nothing', () => {
    expect(mergeAccounts([spot(of('0', { isPartial: true }), of('0', { asset: 'EUR' }))])).toMatchObject([
      { asset: 'BTC', isPartial: true },
    ]);
  });
});

describe('a list of balances', () => {
  it('is unusable when the asset of an entry is not readable, because any balance may then be too low', () => {
    const lists = new ListReader('okx', new UnreadableEntries(new Metrics(), pino({ level: 'silent' })));
    const read = balanceReader((body) => body as unknown[], { asset: 'coin', free: 'free', used: 'used' });
    const entry = { coin: 'BTC', free: '1', used: '0' };
    const readAll = (...entries: unknown[]) => read(entries, (id) => id, lists);
    expect(readAll(entry, { ...entry, free: 'much' })).toMatchObject([{ free: Amount.of('1') }, { isPartial: true }]);
    for (const unnamed of [{ ...entry, coin: undefined }, { ...entry, coin: '' }, null])
      expect(() => readAll(entry, unnamed)).toThrow('asset');
  });
});
