import { Amount } from '#money';
import type { SampleOrder } from '../../testing/contract/exchange-contract.js';

const statuses = {
  ...{ open: 'live', 'partly executed': 'partially_filled', filled: 'filled', canceled: 'cancelled' },
  'unheard of': 'never_seen',
} as const;

/** www.bitget.com/api-doc/spot/trade/Get-Order-Info. `feeDetail` is a text of JSON, in which fees are negative. */
export function bitgetOrder({ exchangeId, clientOrderId, at, state, volume, executed, ...rest }: SampleOrder): object {
  const { averagePrice, fee, feeAsset, limitPrice: price } = rest;
  const quoteVolume = Amount.of(executed).times(Amount.of(averagePrice)).toString();
  const taken = `"feeCoinCode":"${feeAsset}","totalDeductionFee":0,"totalFee":-${fee}`;
  return {
    ...{ userId: '1', symbol: 'BTCUSDT', orderId: exchangeId, clientOid: clientOrderId, price, size: volume },
    ...{ orderType: 'limit', side: 'buy', status: statuses[state], priceAvg: averagePrice, baseVolume: executed },
    ...{ quoteVolume, enterPointSource: 'API', orderSource: 'normal', cancelReason: '' },
    feeDetail: `{"${feeAsset}":{"deduction":false,${taken}},"newFees":{"c":0,"d":0,"deduction":false,"r":-${fee}}}`,
    ...{ cTime: String(at.getTime()), uTime: String(at.getTime() + 1) },
  };
}

const unifiedStatuses = { ...statuses, open: 'new' } as const;

/** www.bitget.com/api-doc/uta/trade/Get-Order-Details. Fees are positive. */
export function bitgetUnifiedOrder({ exchangeId, clientOrderId, at, state, volume, executed, ...rest }: SampleOrder) {
  const { averagePrice, fee, feeAsset, limitPrice: price } = rest;
  const cumExecValue = Amount.of(executed).times(Amount.of(averagePrice)).toString();
  return {
    ...{ orderId: exchangeId, clientOid: clientOrderId, category: 'SPOT', symbol: 'BTCUSDT', orderType: 'limit' },
    ...{ side: 'buy', price, qty: volume, amount: '0', cumExecQty: executed, cumExecValue, avgPrice: averagePrice },
    ...{ timeInForce: 'gtc', orderStatus: unifiedStatuses[state], posSide: '', holdMode: '', tradeSide: 'open' },
    ...{ reduceOnly: 'NO', feeDetail: [{ feeCoin: feeAsset, fee }], cancelReason: '', execType: '' },
    ...{ createdTime: String(at.getTime()), updatedTime: String(at.getTime() + 1) },
  };
}
