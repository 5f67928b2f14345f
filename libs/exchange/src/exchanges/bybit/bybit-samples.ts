import { Amount } from '#money';
import type { HistoryKind } from '../../port/exchange.port.js';
import type { DocumentedLimit, SampleOrder, SampleRecord } from '../../testing/contract/exchange-contract.js';

/** Bybit's documentation: enum#withdrawstatus, enum#depositstatus */
const statuses = {
  withdrawal: { pending: 'Pending', completed: 'success', failed: 'Fail', 'unheard of': 'NeverSeen' },
  deposit: { pending: 2, completed: 3, failed: 4, 'unheard of': 99 },
} as const;
const chains: Readonly<Record<string, string>> = { USDT: 'ETH', XRP: 'XRP' };

/** Bybit's documentation: asset/withdraw/withdraw-record, asset/deposit/deposit-record */
export function bybitTransfer(
  kind: HistoryKind,
  { id, at, asset, address, tag, net, fee, state }: SampleRecord,
): object {
  return {
    ...{ coin: asset, chain: chains[asset], amount: net.toString(), txID: 'aa', status: statuses[kind][state] },
    ...{ toAddress: address, tag: tag ?? '' },
    ...(kind === 'deposit'
      ? { id, successAt: String(at.getTime()), depositFee: '', depositType: '0' }
      : { withdrawId: id, createTime: String(at.getTime()), withdrawFee: fee.toString(), withdrawType: 0 }),
  };
}

/** Bybit's documentation: bybit-exchange.github.io/docs/v5/enum#orderstatus */
const orderStatuses = {
  ...{ open: 'New', 'partly executed': 'PartiallyFilled', filled: 'Filled', canceled: 'Cancelled' },
  'unheard of': 'NeverSeen',
} as const;

/** Bybit's documentation: bybit-exchange.github.io/docs/v5/order/open-order */
export function bybitOrder({ exchangeId, clientOrderId, at, state, volume, executed, ...rest }: SampleOrder): object {
  const { averagePrice, fee, feeAsset, limitPrice: price } = rest;
  const cumExecValue = Amount.of(executed).times(Amount.of(averagePrice)).toString();
  return {
    ...{ orderId: exchangeId, orderLinkId: clientOrderId, symbol: 'BTCUSDT', price, qty: volume, side: 'Buy' },
    ...{ orderStatus: orderStatuses[state], avgPrice: averagePrice, cumExecQty: executed, cumExecValue },
    ...{ orderType: 'Limit', timeInForce: 'GTC', cumFeeDetail: feeAsset === null ? {} : { [feeAsset]: fee } },
    ...{ createdTime: String(at.getTime()), updatedTime: String(at.getTime() + 1) },
  };
}

/** Bybit's page rate-limit: "If you encounter the error "403, access too frequent" … wait for at least 10 minutes." */
export const bybitLimits: readonly DocumentedLimit[] = [
  { headers: { 'X-Bapi-Limit': '10', 'X-Bapi-Limit-Status': '0' }, of: 'endpoint', pauseMs: 1_000 },
  { reply: { status: 403, body: '403, access too frequent' }, of: 'address', pauseMs: 600_000 },
];
