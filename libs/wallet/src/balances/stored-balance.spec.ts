import { toBalance, type BalanceRow } from './stored-balance.js';

describe('a stored balance', () => {
  const row = (elsewhere: unknown[]): BalanceRow =>
    ({ asset: 'BTC', free: '1', used: '0', total: '1', withdrawable: '0', elsewhere }) as BalanceRow;

  it('of an earlier version, which stored no kinds, has free amounts elsewhere', () => {
    expect(toBalance(row([{ account: 'trading', amount: '1' }])).elsewhere).toMatchObject([{ kind: 'free' }]);
    const locked = row([{ account: 'vault', kind: 'locked', amount: '1' }]);
    expect(toBalance(locked).elsewhere).toMatchObject([{ kind: 'locked' }]);
  });
});
