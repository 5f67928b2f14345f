import { sideIn, typeIn, UndocumentedRequest } from '../../testing/contract/documented.js';
import type { SampleOrder, OrderMeaning } from '../../testing/contract/exchange-contract.js';
import type { NetworkEvidence } from '../../testing/contract/network-names.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';

const states = {
  open: 'live',
  'partly executed': 'partially_filled',
  filled: 'filled',
  canceled: 'canceled',
  'unheard of': 'never_seen',
} as const;

/** www.okx.com/docs-v5/en/#order-book-trading-trade-get-order-details: "Fee and rebate": a fee is negative. */
export function okxOrder({
  exchangeId,
  clientOrderId,
  at,
  side,
  state,
  volume,
  limitPrice: px,
  executed,
  averagePrice,
  fee,
  feeAsset,
}: SampleOrder): object {
  return {
    accFillSz: executed,
    algoClOrdId: '',
    avgPx: executed === '0' ? '' : averagePrice,
    category: 'normal',
    cTime: String(at.getTime()),
    ccy: '',
    clOrdId: clientOrderId,
    fee: `-${fee}`,
    feeCcy: feeAsset,
    instId: 'BTC-USDT',
    instType: 'SPOT',
    ordId: exchangeId,
    ordType: 'limit',
    px,
    rebate: '0',
    side,
    state: states[state],
    sz: volume,
    tdMode: 'cash',
    tgtCcy: '',
    uTime: String(at.getTime() + 1),
    reduceOnly: 'false',
    rebateCcy: 'USDT',
  };
}

/** Interprets a request for an order. */
export function okxOrderMeaning({ json: sent }: ReceivedCall): OrderMeaning {
  const { instId: pair = '', sz: volume = '', px: price = null, ...rest } = sent as Record<string, string>;
  const [side, type] = [sideIn(rest['side']), typeIn(rest['ordType'])];
  // OKX: "Default is quote_ccy for buy, base_ccy for sell" (`tgtCcy`, "only applicable to SPOT Market Orders").
  const unit = rest['tgtCcy'] ?? (side === 'buy' ? 'quote_ccy' : 'base_ccy');
  if (rest['tdMode'] !== 'cash') throw new UndocumentedRequest('the order is not a spot order');
  if (type === 'market' && unit !== 'base_ccy') throw new UndocumentedRequest('the volume is in the quote asset');
  return { pair, side, type, volume, price };
}

/**
 * OKX lists "STX-l-Stacks" as the chain of STX. The title is what a program that reads OKX's list calls it
 * (github.com/CatalogInfo/ParserBackend, OkxMapper.java at 6a1327c). The other names are documented names of their
 * chains.
 */
export const okxNetworkEvidence: Readonly<Record<string, NetworkEvidence>> = {
  'l-Stacks': { title: 'STX' },
};

/** #funding-account-rest-api-asset-bills-details */
export const okxBill = {
  billId: '12344',
  ccy: 'BTC',
  clientId: '',
  balChg: '2',
  bal: '12',
  type: '1',
  ts: '1597026383085',
  notes: '',
};
