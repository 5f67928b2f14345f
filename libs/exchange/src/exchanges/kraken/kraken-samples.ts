import { Amount } from '#money';
import type { SampleOrder } from '../../testing/contract/exchange-contract.js';

const statuses = {
  ...{ open: 'open', 'partly executed': 'open', filled: 'closed', canceled: 'canceled', 'unheard of': 'never seen' },
} as const;

/**
 * docs.kraken.com/api-reference: account-data/get-open-orders, get-closed-orders, get-orders-info. Times are seconds.
 */
export function krakenOrder({ clientOrderId, at, state, volume, executed, fee, ...prices }: SampleOrder): object {
  const { limitPrice, averagePrice } = prices;
  const opentm = at.getTime() / 1_000;
  return {
    ...{ refid: null, userref: 0, cl_ord_id: clientOrderId, status: statuses[state], opentm, starttm: 0, expiretm: 0 },
    ...((state === 'filled' || state === 'canceled') && { closetm: opentm + 1, reason: null }),
    descr: { pair: 'XBTUSD', type: 'buy', ordertype: 'limit', price: limitPrice, price2: '0', leverage: 'none' },
    ...{ vol: volume, vol_exec: executed, cost: Amount.of(executed).times(Amount.of(averagePrice)).toString() },
    ...{ fee, price: averagePrice, stopprice: '0.00000', limitprice: '0.00000', misc: '', oflags: 'fciq' },
  };
}
