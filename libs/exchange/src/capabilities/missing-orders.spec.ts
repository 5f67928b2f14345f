import { binance } from '../exchanges/binance/binance.js';
import { binanceContract } from '../exchanges/binance/binance-contract.js';
import { bybit } from '../exchanges/bybit/bybit.js';
import { bybitContract } from '../exchanges/bybit/bybit-contract.js';
import { gate } from '../exchanges/gate/gate.js';
import { gateContract } from '../exchanges/gate/gate-contract.js';
import { kraken } from '../exchanges/kraken/kraken.js';
import { krakenContract } from '../exchanges/kraken/kraken-contract.js';
import { kucoin } from '../exchanges/kucoin/kucoin.js';
import { kucoinContract } from '../exchanges/kucoin/kucoin-contract.js';
import { okx } from '../exchanges/okx/okx.js';
import { okxContract } from '../exchanges/okx/okx-contract.js';
import type { MissingOrderFate } from '../port/trading.port.js';
import { ContractBench, type Subject } from '../testing/contract/contract-bench.js';
import { json, type Answers } from '../testing/contract/exchange-contract.js';

const HOUR_MS = 3_600_000;
const subjects: Readonly<Record<string, Subject>> = {
  Binance: { declaration: binance, contract: binanceContract },
  Bybit: { declaration: bybit, contract: bybitContract },
  Gate: { declaration: gate, contract: gateContract },
  Kraken: { declaration: kraken, contract: krakenContract },
  KuCoin: { declaration: kucoin, contract: kucoinContract },
  OKX: { declaration: okx, contract: okxContract },
};

/** A trade of any order. Without this response, the list of trades is empty. */
const A_TRADE: Answers = {
  'GET /api/v5/trade/fills-history': json({ code: '0', msg: '', data: [{ ordId: '1' }] }),
  'GET /api/v3/myTrades': json([{ id: 28457, qty: '12', quoteQty: '48', commission: '0.1', commissionAsset: 'BNB' }]),
};

/** Judges an order that the exchange showed as open `agoMs` ago, and does not find now. */
async function judge(exchange: string, agoMs: number, hasTrade: boolean): Promise<MissingOrderFate | undefined> {
  const subject = subjects[exchange];
  if (subject === undefined) throw new Error(`no subject ${exchange}`);
  let fate: MissingOrderFate | undefined;
  await ContractBench.run(subject, async ({ open, stub }) => {
    if (hasTrade) stub.answer(A_TRADE);
    const { trading } = await open();
    const { instruction, exchangeIds: [exchangeId = ''] = [] } = subject.contract.orders ?? {};
    if (trading === undefined || instruction === undefined) throw new Error('no trading');
    const terms = { ...instruction, clientOrderId: trading.newClientOrderId('ours'), submissionDeadline: new Date() };
    const seenAt = new Date(Date.now() - agoMs);
    const { request } = trading.prepare(terms);
    fate = await trading.judgeMissing({ exchangeId, request, notBefore: seenAt, seenAt });
  });
  return fate;
}

describe('an accepted order that the exchange does not find any more', () => {
  it.each([
    ['OKX', 1.5, 'no trades', 'may_be_late'],
    ['OKX', 3, 'no trades', 'not_executed'],
    ['OKX', 3, 'a trade', 'ended'],
    ['OKX', 2400, 'no trades', 'ended'],
    ['Bybit', 23, 'no trades', 'may_be_late'],
    // Clocks differ, so the order may be late for a minute after the documented 24 hours.
    ['Bybit', 24.01, 'no trades', 'may_be_late'],
    ['Bybit', 48, 'no trades', 'not_executed'],
    ['Bybit', 192, 'no trades', 'ended'],
    ['Binance', 2136, 'no trades', 'may_be_late'],
    ['Binance', 2184, 'no trades', 'not_executed'],
    ['Binance', 2184, 'a trade', 'ended'],
    // KuCoin lists canceled orders, of which a part may be executed, for two days only.
    ['KuCoin', 47, 'no trades', 'may_be_late'],
    ['KuCoin', 49, 'no trades', 'ended'],
    // Gate and Kraken do not document for how long they list ended orders.
    ['Gate', 72, 'no trades', 'ended'],
    ['Kraken', 24, 'no trades', 'may_be_late'],
    ['Kraken', 72, 'no trades', 'ended'],
  ] as const)('at %s, last seen open %d hours ago, with %s, is judged as %s', async (exchange, hours, trades, fate) => {
    expect(await judge(exchange, hours * HOUR_MS, trades === 'a trade')).toBe(fate);
  });
});
