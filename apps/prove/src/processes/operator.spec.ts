import type { AskedQuote } from './clients.js';
import type { LedgerRecord } from './installation/exchange-control.js';
import { decide, hasItsEnd } from './operator.js';
import type { Row } from './rows.js';

const row = (id: string, change: Partial<Row> = {}): Row => ({
  id,
  quoteId: `quote-${id}`,
  state: 'review',
  exchangeId: null,
  transactionId: `transaction-${id}`,
  transactionStatus: 'pending',
  outcomes: ['unknown'],
  ...change,
});

const quote = (id: string, amountNoFee = '0.5'): AskedQuote => ({
  id: `quote-${id}`,
  asset: 'BTC',
  address: 'address',
  amountNoFee,
  replies: [],
});

const record = (refid: string, change: Partial<LedgerRecord> = {}): LedgerRecord => ({
  refid,
  address: 'address',
  amount: '0.50000000',
  status: 'Success',
  ...change,
});

describe('the decision of an operator after a schedule', () => {
  it('links a record to one withdrawal only', () => {
    const findings = {
      rows: [row('a'), row('b'), row('c', { state: 'completed', exchangeId: 'X1' })],
      quotes: [quote('a'), quote('b'), quote('c')],
      ledger: [record('X1'), record('X2')],
    };
    expect(
      decide(findings).map(({ withdrawalId, record: found, unrelated }) => [withdrawalId, found?.refid, unrelated]),
    ).toEqual([
      ['a', 'X2', ['X1']],
      ['b', undefined, ['X1', 'X2']],
    ]);
  });

  it.each([
    ['another amount', record('X1', { amount: '0.6' })],
    ['another address', record('X1', { address: 'elsewhere' })],
  ])('is that the withdrawal was not executed when the only record has %s', (_, only) => {
    expect(decide({ rows: [row('a')], quotes: [quote('a')], ledger: [only] })).toEqual([
      { withdrawalId: 'a', record: null, unrelated: [] },
    ]);
  });

  it.each([
    ['completed', record('X1'), true],
    ['failed', record('X1'), false],
    ['failed', record('X1', { status: 'Failure' }), true],
    ['failed', null, true],
    ['completed', null, false],
    ['review', record('X1'), false],
  ] as const)('allows the final state %s with the record %j: %s', (state, found, isItsEnd) => {
    const decision = { withdrawalId: 'a', record: found, unrelated: [] };
    expect(hasItsEnd(row('a', { state }), decision)).toBe(isItsEnd);
  });
});
