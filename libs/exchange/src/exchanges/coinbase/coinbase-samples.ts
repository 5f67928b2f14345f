import { Amount } from '#money';
import type { HistoryKind } from '../../port/exchange.port.js';
import type { ListedEntry, SampleOrder, SampleRecord } from '../../testing/contract/exchange-contract.js';

export const CLIENT_REF = '0192f1c0a1b27c3d8e4f5a6b7c8d9e0f';

const statuses = { pending: 'pending', completed: 'completed', failed: 'failed', 'unheard of': 'never_seen' } as const;

/** Coinbase's page track-apis/transactions: the sample of a send states the debit, the fee and the arriving amount. */
export function coinbaseTransfer(kind: HistoryKind, record: SampleRecord): object {
  const { id, at, asset, network, net, fee, feeAsset, clientRef, state } = record;
  const money = (amount: Amount, currency = asset) => ({ amount: amount.toString(), currency });
  const status = record.status ?? statuses[state];
  const common = { id, status, created_at: at.toISOString().replace('.000Z', 'Z'), description: null };
  const facts = { status: 'confirmed', network_name: network, hash: id };
  if (kind === 'deposit') return { ...common, type: 'receive', amount: money(net), network: facts };
  return {
    ...common,
    type: 'send',
    amount: money(Amount.zero.minus(net.plus(fee))),
    idem: idemOf(clientRef),
    network: { ...facts, transaction_fee: money(fee, feeAsset), transaction_amount: money(net) },
    to: { resource: 'bitcoin_address', address: record.address },
  };
}

/** `idem` is "A UUIDv4 token". For any reference but ours, it is the token of another program. */
function idemOf(clientRef: string | null): string {
  if (clientRef !== CLIENT_REF) return 'df087dce-92a8-45cf-b112-60aad22c0976';
  return '0192f1c0-a1b2-4c3d-8e4f-5a6b7c8d9e0f';
}

/** Transactions that are neither deposits nor withdrawals. */
export function coinbaseOthers(at: Date): ListedEntry[] {
  return ['buy', 'advanced_trade_fill', 'transfer', 'never_seen'].map((type) => {
    const amount = { amount: '-0.5', currency: 'BTC' };
    return { id: type, at, entry: { id: type, type, status: 'completed', amount, created_at: at.toISOString() } };
  });
}

/** Coinbase's page orders/list-orders: the values of `status` */
const orderStatuses = {
  open: 'OPEN',
  'partly executed': 'OPEN',
  filled: 'FILLED',
  canceled: 'CANCELLED',
  'unheard of': 'UNKNOWN_ORDER_STATUS',
} as const;

/** Coinbase's documentation: orders/list-orders */
export function coinbaseOrder({
  exchangeId,
  clientOrderId,
  at,
  side,
  state,
  volume,
  executed,
  ...rest
}: SampleOrder): object {
  const { averagePrice, fee, limitPrice: limit_price } = rest;
  const filled_value = Amount.of(executed).times(Amount.of(averagePrice)).toString();
  return {
    order_id: exchangeId,
    client_order_id: clientOrderId,
    product_id: 'BTC-USD',
    side: side.toUpperCase(),
    order_type: 'LIMIT',
    status: orderStatuses[state],
    time_in_force: 'GOOD_UNTIL_CANCELLED',
    created_time: at.toISOString(),
    order_configuration: { limit_limit_gtc: { base_size: volume, limit_price, post_only: false } },
    filled_size: executed,
    filled_value,
    average_filled_price: averagePrice,
    total_fees: fee,
    last_fill_time: null,
    product_type: 'SPOT',
    settled: state === 'filled',
  };
}
