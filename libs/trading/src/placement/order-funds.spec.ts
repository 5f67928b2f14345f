import { ExchangeError, type AccountAmount, type AssetBalance } from '#exchange';
import { Amount } from '#money';
import { isTooLittle, readFunds, showLess } from './order-funds.js';

const sale = { side: 'sell', baseAsset: 'BTC', quoteAsset: 'USD' } as const;
const holding = (more: Partial<AssetBalance> = {}): AssetBalance => ({
  asset: 'BTC',
  free: Amount.of('1'),
  used: Amount.zero,
  total: Amount.of('1'),
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

  it('are those of the asset that the order spends, and zero without a balance of it', async () => {
    const usd = holding({ asset: 'USD', free: Amount.of('5') });
    const session = { balances: () => Promise.resolve([usd, holding()]) };
    expect(String((await readFunds(session, sale))?.free)).toBe('1');
    expect(String((await readFunds(session, { ...sale, side: 'buy' }))?.free)).toBe('5');
    expect(String((await readFunds(session, { ...sale, baseAsset: 'ETH' }))?.free)).toBe('0');
  });

  it.each(['unavailable', 'rate_limited', 'refused'] as const)(
    'are not known when the balances are %s',
    async (kind) => {
      const balances = () => Promise.reject(new ExchangeError(kind, 'kraken', 'scripted'));
      expect(await readFunds({ balances }, sale)).toBeNull();
    },
  );

  it.each([new ExchangeError('credentials_invalid', 'kraken', 'scripted'), new TypeError('a fault of ours')])(
    'are not read after %s',
    async (error) => {
      await expect(readFunds({ balances: () => Promise.reject(error) }, sale)).rejects.toBe(error);
    },
  );

  it.each([
    ['sell', '20000', '0.5', false],
    ['sell', '20000', '0.49', true],
    ['buy', '20000', '10000', false],
    ['buy', '20000', '9999', true],
    ['buy', null, '0.01', false],
    ['buy', null, '0', true],
    ['sell', null, '0', true],
  ] as const)('to %s 0.5 at the price %s: %s is too little is %s', (side, price, free, isLess) => {
    const funds = { free: Amount.of(free), used: Amount.zero, owed: Amount.zero };
    const order = { side, volume: Amount.of('0.5'), price: price === null ? null : Amount.of(price) };
    expect(isTooLittle(funds, order)).toBe(isLess);
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
