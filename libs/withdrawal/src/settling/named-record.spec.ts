import type { ExchangeWithdrawal } from '#exchange';
import { verdictOn } from './named-record.js';

describe('the id that the exchange gave for a withdrawal', () => {
  const record = (exchangeId: string, isCertain = true): ExchangeWithdrawal => ({
    exchangeId,
    status: 'completed',
    rawStatus: 'Success',
    hash: null,
    amountNoFee: null,
    fee: null,
    at: new Date(0),
    isCertain,
  });

  it.each([
    ['the record with the id has our reference', [record('X1')], false, 'right'],
    ['that record has our reference, but perhaps another amount', [record('X1', false)], false, 'right'],
    ['only another record has our reference', [record('X2')], false, 'wrong'],
    ['both records have our reference', [record('X1'), record('X2')], false, 'several'],
    ['two other records have our reference', [record('X2'), record('X3')], false, 'several'],
    ['no record has our reference', [], false, 'unproven'],
    ['another record fits, but perhaps has another reference', [record('X2', false)], false, 'unproven'],
    ['no record has our reference at an exchange that may change it', [], true, 'right'],
    ['another record has our reference at an exchange that may change it', [record('X2')], true, 'wrong'],
  ] as const)('is judged when %s', (_case, records, mayChangeReference, kind) => {
    expect(verdictOn('X1', records, mayChangeReference).kind).toBe(kind);
  });
});
