import { Amount } from '#money';
import { duplicateKeysOf } from './duplicate-keys.js';

const payment = {
  projectId: 'project',
  externalWalletId: 'wallet',
  asset: 'LTC',
  network: 'litecoin',
  address: 'MTf4tP1TCNBn8dNkyxeBVoPrFCcVzxJvvh',
  tag: null,
  amountNoFee: Amount.of('1'),
  amountWithFee: Amount.of('1.1'),
};

// The addresses are those of `account.spec.ts`.
describe('the duplicate keys of two payments', () => {
  it.each([
    ['forms of a Litecoin address', {}, { address: '3MSvaVbVFFLML86rt5eqgA9SvW23upaXdY' }],
    [
      'forms of a Bitcoin Cash address',
      { address: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a' },
      { address: '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu' },
    ],
    [
      'forms of a Stellar address, of which one contains the memo',
      { address: 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ' },
      { address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ', tag: '0' },
    ],
  ])('are equal for two %s', (_what, one, other) => {
    expect(duplicateKeysOf({ ...payment, ...one })).toEqual(duplicateKeysOf({ ...payment, ...other }));
  });

  it.each([
    ['address', { address: '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC' }],
    ['tag', { tag: '1' }],
    ['network', { network: 'bitcoin' }],
    ['wallet', { externalWalletId: 'other' }],
    ['project', { projectId: 'other' }],
  ])('differ when the %s differs', (_what, other) => {
    const [one, two] = [duplicateKeysOf(payment), duplicateKeysOf({ ...payment, ...other })];
    expect([one.debitKey === two.debitKey, one.receiptKey === two.receiptKey]).toEqual([false, false]);
  });

  it('share the key of the received amount when only the fee differs', () => {
    const [one, two] = [duplicateKeysOf(payment), duplicateKeysOf({ ...payment, amountWithFee: Amount.of('1.2') })];
    expect([one.debitKey === two.debitKey, one.receiptKey === two.receiptKey]).toEqual([false, true]);
  });
});
