import type { SampleOrder } from '../../testing/contract/exchange-contract.js';

const states = {
  ...{ open: 'live', 'partly executed': 'partially_filled', filled: 'filled', canceled: 'canceled' },
  'unheard of': 'never_seen',
} as const;

/** www.okx.com/docs-v5/en/#order-book-trading-trade-get-order-details: "Fee and rebate": a fee is negative. */
export function okxOrder({
  exchangeId,
  clientOrderId,
  at,
  state,
  volume,
  limitPrice: px,
  executed,
  averagePrice,
  fee,
  feeAsset,
}: SampleOrder): object {
  return {
    ...{ accFillSz: executed, algoClOrdId: '', avgPx: executed === '0' ? '' : averagePrice, category: 'normal' },
    ...{ cTime: String(at.getTime()), ccy: '', clOrdId: clientOrderId, fee: `-${fee}`, feeCcy: feeAsset },
    ...{ instId: 'BTC-USDT', instType: 'SPOT', ordId: exchangeId, ordType: 'limit', px, rebate: '0' },
    ...{ side: 'buy', state: states[state], sz: volume, tdMode: 'cash', tgtCcy: '' },
    ...{ uTime: String(at.getTime() + 1), reduceOnly: 'false', rebateCcy: 'USDT' },
  };
}
