import { Amount } from '#money';
import type { SampleOrder } from '../../testing/contract/exchange-contract.js';

/** Bitstamp: "Open, Finished, Expired or Canceled." */
const statuses = {
  open: 'Open',
  'partly executed': 'Open',
  filled: 'Finished',
  canceled: 'Canceled',
  'unheard of': 'Never seen',
} as const;

/** www.bitstamp.net/api, GetOrderStatus: amounts are in the transactions of the order. */
export function bitstampOrder({
  exchangeId,
  clientOrderId,
  at,
  state,
  volume,
  executed,
  ...rest
}: SampleOrder): object {
  const { averagePrice: price, fee, side } = rest;
  const usd = Amount.of(executed).times(Amount.of(price)).toString();
  const transaction = {
    btc: executed,
    fee,
    tid: 25810126,
    usd,
    type: 2,
    price,
    datetime: '2022-01-31 14:43:15.796000',
  };
  return {
    id: Number(exchangeId),
    client_order_id: clientOrderId,
    status: statuses[state],
    type: side === 'buy' ? '0' : '1',
    market: 'BTC/USD',
    datetime: at.toISOString().replace('T', ' ').replace('Z', '000'),
    amount_remaining: Amount.of(volume).minus(Amount.of(executed)).toString(),
    transactions: executed === '0' ? [] : [transaction],
  };
}
