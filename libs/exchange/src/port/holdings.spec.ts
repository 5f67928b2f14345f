import { Amount } from '#money';
import type { AssetBalance } from './exchange.port.js';
import { holdingsOf } from './holdings.js';

const balance: AssetBalance = {
  asset: 'BTC',
  free: Amount.of('1'),
  used: Amount.of('2'),
  total: Amount.of('3'),
  elsewhere: [
    { account: 'spot', kind: 'owed', amount: Amount.of('0.5') },
    { account: 'spot', kind: 'locked', amount: Amount.of('2') },
  ],
};

describe('the holdings that prove whether money has left', () => {
  it('are what the owner has less what the owner owes', () => {
    expect(holdingsOf('kraken', [balance], 'BTC')).toEqual({ total: Amount.of('2.5'), free: Amount.of('1') });
    expect(holdingsOf('kraken', [balance], 'ETH')).toEqual({ total: Amount.zero, free: Amount.zero });
  });

  it('cannot be used when an amount of the asset could not be read', () => {
    const partial: AssetBalance[] = [{ ...balance, isPartial: true }];
    expect(() => holdingsOf('kraken', partial, 'BTC')).toThrow('could not be read');
    expect(holdingsOf('kraken', partial, 'ETH').total).toEqual(Amount.zero);
  });

  it('contain forms of the asset that we do not know, because the exchange may debit them for a withdrawal', () => {
    const form: AssetBalance = { asset: 'BTC.X', free: Amount.of('4'), used: Amount.zero, total: Amount.of('4') };
    expect(holdingsOf('kraken', [balance, form], 'BTC')).toEqual({ total: Amount.of('6.5'), free: Amount.of('5') });
    const partial: AssetBalance = { ...form, isPartial: true };
    expect(() => holdingsOf('kraken', [balance, partial], 'BTC')).toThrow('could not be read');
  });
});
