import type { AccountAmount, AssetBalance } from '#exchange';
import { Amount } from '#money';
import { readFunds, showLess } from './order-funds.js';

const sale = { side: 'sell', baseAsset: 'BTC', quoteAsset: 'USD' } as const;
const holding = (more: Partial<AssetBalance> = {}): AssetBalance => ({
  ...{ asset: 'BTC', free: Amount.of('1'), used: Amount.zero, total: Amount.of('1') },
  ...more,
});
const read = (...balances: AssetBalance[]) => readFunds({ balances: () => Promise.resolve(balances) }, sale);
const owing = (amount: string) => {
  const owed: AccountAmount = { account: 'unified', kind: 'owed', amount: Amount.of(amount) };
  return holding({ free: Amount.zero, total: Amount.zero, elsewhere: [owed] });
};

describe('the funds for an order', () => {
  it('are not known when an amount of the asset could not be read', async () => {
    expect(await read(holding({ isPartial: true }))).toBeNull();
    expect(await read(holding(), holding({ asset: 'USD', isPartial: true }))).not.toBeNull();
  });

  it.each([
    ['the free balance is lower', holding(), holding({ free: Amount.of('0.9') }), true],
    ['more is reserved', holding(), holding({ used: Amount.of('0.1') }), true],
    ['the owner owes more, because the exchange may pay an order by a debt', owing('2'), owing('2.1'), true],
    ['nothing has changed', owing('2'), owing('2'), false],
  ])('show whether the order may have been executed: %s', async (_name, earlier, later, isLess) => {
    const [before, now] = [await read(earlier), await read(later)];
    if (before === null || now === null) throw new Error('the funds are not known');
    expect(showLess(before, now)).toBe(isLess);
  });
});
