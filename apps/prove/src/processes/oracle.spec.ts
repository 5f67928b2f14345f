import type { AskedQuote } from './clients.js';
import type { LedgerRecord } from './installation/exchange-control.js';
import { judge, type Facts } from './oracle.js';
import type { Row } from './rows.js';

const ADDRESS = 'bc1q-somewhere';
const from = 'http://api';

const success = { from, status: 200, body: { success: true, result: { id: 'w1' } } };
const refusal = (requestId: string) => ({ from, status: 422, body: { error: 'no', type: 'REFUSED', requestId } });
const quote = (changes: Partial<AskedQuote> = {}): AskedQuote => ({
  id: 'q1',
  asset: 'BTC',
  address: ADDRESS,
  amountNoFee: '0.110',
  replies: [{ from, failure: 'ECONNRESET' }, success],
  ...changes,
});
const record = (changes: Partial<LedgerRecord> = {}): LedgerRecord => ({
  refid: 'A1',
  address: ADDRESS,
  amount: '0.11',
  status: 'Success',
  ...changes,
});
const row = (changes: Partial<Row> = {}): Row => ({
  id: 'w1',
  quoteId: 'q1',
  state: 'completed',
  exchangeId: 'A1',
  transactionId: 't1',
  transactionStatus: 'ok',
  outcomes: ['accepted'],
  ...changes,
});
const failed = row({ state: 'failed', exchangeId: null, transactionStatus: 'failed', outcomes: ['not_executed'] });
const conflict = { from, status: 409, body: {} };
const notSent = row({
  id: 'w2',
  quoteId: 'q2',
  transactionId: 't2',
  exchangeId: null,
  state: 'created',
  transactionStatus: 'pending',
  outcomes: ['not_sent'],
});
const inReview = row({ state: 'review', exchangeId: null, transactionStatus: 'pending', outcomes: ['unknown'] });

/** The facts of a withdrawal that was paid once and is recorded as paid, with the changes of the test. */
function facts(changes: Partial<Facts> = {}): Facts {
  const rows = changes.rows ?? [row()];
  return {
    quotes: [quote()],
    ledger: [record()],
    rows,
    statuses: new Map(rows.map(({ transactionId, transactionStatus }) => [transactionId, transactionStatus])),
    reviews: new Map(),
    fired: [],
    crashed: [],
    surprises: [],
    ...changes,
  };
}

describe('the oracle', () => {
  it.each<[string, Facts]>([
    ['a withdrawal that was paid once', facts()],
    ['a withdrawal that was never sent and is recorded as failed', facts({ ledger: [], rows: [failed] })],
    [
      'a failed withdrawal whose money came back',
      facts({ ledger: [record({ status: 'Failure' })], rows: [{ ...failed, exchangeId: 'A1' }] }),
    ],
    [
      'the same refusal in two responses with different request ids',
      facts({
        quotes: [quote({ replies: [refusal('r1'), refusal('r2')] })],
        ledger: [],
        rows: [row({ state: 'rejected', exchangeId: null, transactionStatus: 'failed', outcomes: ['rejected'] })],
      }),
    ],
    [
      'a quote that was refused as the duplicate of another one',
      facts({ quotes: [quote(), quote({ id: 'q2', replies: [conflict] })] }),
    ],
    [
      'a quote that was not sent, and was then refused as a duplicate',
      facts({
        quotes: [quote(), quote({ id: 'q2', replies: [{ from, status: 502, body: {} }, conflict] })],
        rows: [row(), notSent],
      }),
    ],
    [
      'two equal quotes, both paid',
      facts({
        quotes: [quote(), quote({ id: 'q2' })],
        ledger: [record(), record({ refid: 'A2' })],
        rows: [row(), row({ id: 'w2', quoteId: 'q2', transactionId: 't2', exchangeId: 'A2' })],
      }),
    ],
    [
      'a paid withdrawal in review, whose reason a killed worker did not log',
      facts({ rows: [inReview], crashed: ['worker_after_result'] }),
    ],
  ])('finds nothing wrong with %s', (_what, good) => {
    expect(judge(good)).toEqual([]);
  });

  it.each<[string, Facts, RegExp]>([
    ['a second payment', facts({ ledger: [record(), record({ refid: 'A2' })] }), /^duplicate: A1, A2 for 1 executed/],
    [
      'a payment without a quote',
      facts({ ledger: [record(), record({ refid: 'A2', amount: '7' })] }),
      /^duplicate: A2/,
    ],
    [
      'a payment of a withdrawal that is recorded as failed',
      facts({ rows: [failed] }),
      /^lost: A1 left for q1, which is failed/,
    ],
    [
      'a failed withdrawal with the id of a payment',
      facts({ rows: [{ ...failed, exchangeId: 'A1' }] }),
      /^lost: withdrawal w1 is failed/,
    ],
    ['a success without a payment', facts({ ledger: [] }), /^unpaid: withdrawal w1/],
    [
      'an open withdrawal',
      facts({ rows: [row({ state: 'submitted', transactionStatus: 'pending' })] }),
      /^stuck: withdrawal w1 is submitted/,
    ],
    [
      'a withdrawal that is not sent although a success was reported',
      facts({ quotes: [quote(), quote({ id: 'q2' })], rows: [row(), notSent] }),
      /^stuck: withdrawal w2 is created/,
    ],
    [
      'a payment of a quote that was refused as a duplicate',
      facts({
        quotes: [quote(), quote({ id: 'q2', replies: [conflict] })],
        rows: [row(), notSent],
        ledger: [record(), record({ refid: 'A2' })],
      }),
      /^duplicate: A1, A2 for 1 executed/,
    ],
    ['an open attempt', facts({ rows: [row({ outcomes: ['accepted', 'in_flight'] })] }), /^stuck: an attempt/],
    [
      'a transaction whose status does not fit the state of its withdrawal',
      facts({ rows: [row({ transactionStatus: 'failed' })] }),
      /completed, its transaction failed/,
    ],
    [
      'a status of the API that does not fit the state of the withdrawal',
      facts({ statuses: new Map([['t1', 'pending']]) }),
      /completed, its transaction pending/,
    ],
    [
      'a quote without a final response',
      facts({ quotes: [quote({ replies: [{ from, status: 500, body: {} }] })] }),
      /^no answer for quote q1/,
    ],
    [
      'two different success responses for one quote',
      facts({ quotes: [quote({ replies: [success, { ...success, body: { success: true, result: { id: 'w2' } } }] })] }),
      /^different answers/,
    ],
    [
      'a refusal in response to a repeat after a success',
      facts({ quotes: [quote({ replies: [success, refusal('r1')] })] }),
      /^different answers/,
    ],
    [
      'a success response for a withdrawal that was rejected',
      facts({ ledger: [], rows: [row({ state: 'rejected', exchangeId: null, transactionStatus: 'failed' })] }),
      /^quote q1 got a success response, but is rejected/,
    ],
    [
      'a success response for a quote without a withdrawal',
      facts({ ledger: [], rows: [] }),
      /^quote q1 got a success response, but is not executed/,
    ],
    [
      'a refusal of a quote whose withdrawal is completed',
      facts({ quotes: [quote({ replies: [refusal('r1')] })] }),
      /^quote q1 got a refusal, but is completed/,
    ],
    ['a process that ended by itself', facts({ surprises: ['api-1 ended by itself (1)'] }), /^api-1 ended/],
    [
      'a review for a reason that this schedule cannot cause',
      facts({
        ledger: [],
        rows: [inReview],
        reviews: new Map([['w1', 'several records at the exchange fit this withdrawal']]),
      }),
      /waits for an operator: several records/,
    ],
    ['a review without a logged reason', facts({ rows: [inReview] }), /waits for an operator: $/],
    [
      'a review for a reason that is not documented',
      facts({ ledger: [], rows: [inReview], reviews: new Map([['w1', 'a mood']]) }),
      /waits for an operator: a mood/,
    ],
  ])('finds %s', (_what, bad, problem) => {
    expect(judge(bad)).toContainEqual(expect.stringMatching(problem));
  });

  it.each<[string, Partial<Facts>]>([
    [
      'the history does not contain the withdrawal, but the exchange lists no movements and the balance has changed',
      { fired: ['history_lags'] },
    ],
    [
      'the history does not contain the withdrawal, but the exchange lists no movements and the balance has changed',
      {
        quotes: [quote(), quote({ id: 'q2', amountNoFee: '1' })],
        rows: [inReview, row({ id: 'w2', quoteId: 'q2', transactionId: 't2' })],
        ledger: [record({ amount: '1' })],
      },
    ],
    [
      'the history does not contain the withdrawal, but the movements of the account do not explain its balance',
      {
        quotes: [quote(), quote({ id: 'q2', amountNoFee: '1' })],
        rows: [inReview, row({ id: 'w2', quoteId: 'q2', transactionId: 't2' })],
        ledger: [record({ amount: '1' })],
        fired: ['clock_jump'],
      },
    ],
    [
      'several records at the exchange fit this withdrawal',
      { quotes: [quote(), quote({ id: 'q2', replies: [conflict] })] },
    ],
  ])('accepts a review for the reason "%s" in a schedule that can cause it', (reason, changes) => {
    const reviews = new Map([['w1', reason]]);
    expect(judge(facts({ ledger: [], rows: [inReview], reviews, ...changes }))).toEqual([]);
  });
});
