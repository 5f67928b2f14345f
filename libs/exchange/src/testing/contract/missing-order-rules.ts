import type { MissingOrderFate } from '../../port/trading.port.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { json, type Answers } from './exchange-contract.js';
import { nameOf } from './field-rules.js';
import type { Check, Rule } from './rule.js';

const HOUR_MS = 3_600_000;

/** A trade of any order. Without this response, the list of trades is empty. */
const A_TRADE: Readonly<Record<string, Answers>> = {
  okx: { 'GET /api/v5/trade/fills-history': json({ code: '0', msg: '', data: [{ ordId: '1' }] }) },
  binance: {
    'GET /api/v3/myTrades': json([{ id: 28457, qty: '12', quoteQty: '48', commission: '0.1', commissionAsset: 'BNB' }]),
  },
};

/** What becomes of an order that was last seen open so many hours ago, and has a trade or none. */
type Fate = readonly [hours: number, trades: 'no trade' | 'a trade', fate: MissingOrderFate];

/** The exchange does not document for how long it lists an order that has ended. */
const UNDOCUMENTED: readonly Fate[] = [
  [24, 'no trade', 'may_be_late'],
  [72, 'no trade', 'ended'],
];
/** The exchange lists an order that has ended for 90 days, and nothing shows whether it was executed. */
const NINETY_DAYS: readonly Fate[] = [
  [2136, 'no trade', 'may_be_late'],
  [2184, 'no trade', 'ended'],
];

/** By the name of the contract, from the pages on orders that the connector names. */
const documentedFates: Readonly<Record<string, readonly Fate[]>> = {
  binance: [
    [2136, 'no trade', 'may_be_late'],
    [2184, 'no trade', 'not_executed'],
    [2184, 'a trade', 'ended'],
  ],
  bitget: NINETY_DAYS,
  'bitget-unified': NINETY_DAYS,
  bitstamp: [
    [719, 'no trade', 'may_be_late'],
    [744, 'no trade', 'ended'],
  ],
  bybit: [
    [23, 'no trade', 'may_be_late'],
    // Clocks differ, so the order may be late for a minute after the documented 24 hours.
    [24.01, 'no trade', 'may_be_late'],
    [48, 'no trade', 'not_executed'],
    [166, 'no trade', 'not_executed'],
    // An hour before the list of seven days ends, it may no longer show an execution.
    [167.5, 'no trade', 'ended'],
    [192, 'no trade', 'ended'],
  ],
  coinbase: UNDOCUMENTED,
  gate: UNDOCUMENTED,
  gemini: UNDOCUMENTED,
  kraken: UNDOCUMENTED,
  // KuCoin lists canceled orders, of which a part may be executed, for two days only.
  kucoin: [
    [47, 'no trade', 'may_be_late'],
    [49, 'no trade', 'ended'],
  ],
  okx: [
    [1.5, 'no trade', 'may_be_late'],
    [3, 'no trade', 'not_executed'],
    [3, 'a trade', 'ended'],
    // OKX lists trades for three months, of which the shortest have 89 days.
    [2111, 'no trade', 'not_executed'],
    [2113, 'no trade', 'ended'],
    [2400, 'no trade', 'ended'],
  ],
  sandbox: UNDOCUMENTED,
};

const fateCheck = (subject: Subject, [hours, trades, fate]: Fate): Check => ({
  name: `last seen open ${hours} hours ago, with ${trades}: ${fate}`,
  run: () =>
    ContractBench.run(subject, async ({ open, stub }) => {
      if (trades === 'a trade') stub.answer(A_TRADE[nameOf(subject)] ?? {});
      const { trading } = await open();
      const { instruction, exchangeIds: [exchangeId = ''] = [] } = subject.contract.orders ?? {};
      if (trading === undefined || instruction === undefined) throw new Error('no trading');
      const terms = { ...instruction, clientOrderId: trading.newClientOrderId('ours'), submissionDeadline: new Date() };
      const seenAt = new Date(Date.now() - hours * HOUR_MS);
      const { request } = trading.prepare(terms);
      expect(await trading.judgeMissing({ exchangeId, request, notBefore: seenAt, seenAt })).toBe(fate);
    }),
});

const missingOrders: Rule = {
  id: 'EX-75',
  title: 'an accepted order that the exchange does not find any more is judged by what the exchange documents',
  needs: ['trading'],
  checks: (subject) => {
    const fates = documentedFates[nameOf(subject)];
    if (fates === undefined) throw new Error(`missing-order-rules.ts has no ${nameOf(subject)}`);
    return fates.map((fate) => fateCheck(subject, fate));
  },
};

export const missingOrderRules: readonly Rule[] = [missingOrders];
