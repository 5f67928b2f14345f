import { Amount } from '#money';
import { hasMoved, hasSameCredentials, isAlike } from './exchange-records.js';

const [ours, others] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
const withdrawal = { amountNoFee: Amount.of('1'), amountWithFee: Amount.of('1.1'), address: ours };
const record = (amount: string, fee: string | null, address: string | null = ours) => ({
  amountNoFee: Amount.of(amount),
  fee: fee === null ? null : Amount.of(fee),
  address,
});

describe('a record of the exchange', () => {
  it.each([
    ['the amount without the fee', record('1', null), true],
    ['the amount with the fee', record('1.1', null), true],
    ['the amount with the fee as the sum of its amount and its fee', record('1.05', '0.05'), true],
    ['the amount without the fee as the sum of its amount and its fee', record('0.9', '0.1'), true],
    ['another amount', record('1.05', null), false],
    ['another sum', record('1.05', '0.1'), false],
    ['no address', record('1', null, null), true],
    ['another address', record('1', null, others), false],
    ['another address and another amount', record('2', null, others), false],
  ])('with %s: it is like the withdrawal or not', (_what, listed, isLike) => {
    expect(isAlike(withdrawal, listed)).toBe(isLike);
  });

  it('may have moved money unless it has failed or was canceled', () => {
    const statuses = ['pending', 'completed', 'failed', 'canceled', 'unknown'] as const;
    expect(statuses.filter((status) => hasMoved({ status }))).toEqual(['pending', 'completed', 'unknown']);
  });
});

describe('two withdrawals', () => {
  it('have the same credentials when they are of one wallet and of one version of its credentials', () => {
    const one = { walletId: 'w', credentialVersion: 'v' };
    expect(hasSameCredentials(one, { ...one })).toBe(true);
    expect(hasSameCredentials(one, { ...one, walletId: 'other' })).toBe(false);
    expect(hasSameCredentials(one, { ...one, credentialVersion: 'other' })).toBe(false);
  });
});
