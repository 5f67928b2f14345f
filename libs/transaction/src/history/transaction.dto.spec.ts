import { Amount } from '#money';
import { toTransactionResponse } from './transaction.dto.js';
import { Transaction } from './transaction.entity.js';

describe('a transaction over HTTP', () => {
  const at = new Date(1_767_268_800_123);
  const deposit: Transaction = Object.assign(new Transaction(), {
    id: '0199d3a0-5d3e-7c1a-9f60-2f1c3b8d4e55',
    projectId: 'p',
    walletId: 'w',
    externalWalletId: 'demo-wallet',
    exchange: 'kraken',
    exchangeTransactionId: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg',
    type: 'deposit' as const,
    direction: 'in' as const,
    status: 'ok' as const,
    asset: 'BTC',
    amount: Amount.of('0.05'),
    fee: null,
    feeAsset: null,
    amountInFiat: null,
    feeInFiat: null,
    fiatCurrency: null,
    addressTo: null,
    addressFrom: null,
    tag: null,
    network: 'unknown',
    hash: null,
    confirmedAt: null,
    blockHeight: null,
    occurredAt: at,
    createdAt: at,
    updatedAt: at,
  });

  it('has null, never 0, for unknown values', () => {
    expect(toTransactionResponse(deposit)).toMatchObject({
      feeCost: null,
      feeCurrency: null,
      amountInFiat: null,
      feeInFiat: null,
      fiatCurrency: null,
      addressTo: null,
      network: 'unknown',
      confirmedAt: null,
      blockHeight: null,
    });
  });

  it('has exact decimal strings beside its numbers, null where the numbers are null', () => {
    expect(toTransactionResponse(deposit).exact).toEqual({
      amount: '0.05',
      feeCost: null,
      amountInFiat: null,
      feeInFiat: null,
    });
    const amounts = {
      amount: Amount.of('123456789.123456789012345678'),
      fee: Amount.of('1e-18'),
      amountInFiat: Amount.of('90071992547409931.5'),
      feeInFiat: Amount.of('0.00000001'),
    };
    const large = Object.assign(new Transaction(), deposit, amounts);
    expect(toTransactionResponse(large).exact).toEqual({
      amount: '123456789.123456789012345678',
      feeCost: '0.000000000000000001',
      amountInFiat: '90071992547409931.5',
      feeInFiat: '0.00000001',
    });
  });

  it('has numbers, epoch milliseconds, and the caller’s wallet id', () => {
    expect(toTransactionResponse(deposit)).toMatchObject({
      walletId: 'demo-wallet',
      amount: 0.05,
      timestamp: 1_767_268_800_123,
      createdAt: 1_767_268_800_123,
      updatedAt: 1_767_268_800_123,
    });
  });

  it('has the time and the height of the block that confirmed it', () => {
    const confirmed = Object.assign(new Transaction(), deposit, { confirmedAt: at, blockHeight: '933000' });
    expect(toTransactionResponse(confirmed)).toMatchObject({ confirmedAt: 1_767_268_800_123, blockHeight: 933_000 });
  });

  it('shows no internal id but its own', () => {
    expect(Object.values(toTransactionResponse(deposit))).not.toContain('w');
    expect(toTransactionResponse(deposit)).not.toHaveProperty('projectId');
  });
});
