import { Amount } from '#money';
import type { HistoryKind } from '../../port/exchange.port.js';
import type { SampleOrder, SampleRecord } from '../../testing/contract/exchange-contract.js';

const statuses = {
  withdrawal: { pending: 'WALLET_PROCESSING', completed: 'SUCCESS', failed: 'FAILURE', 'unheard of': 'THAWED' },
  deposit: { pending: 'PROCESSING', completed: 'SUCCESS', failed: 'FAILURE', 'unheard of': 'THAWED' },
} as const;
const chainIds: Readonly<Record<string, string>> = { BTC: 'btc', XRP: 'xrp' };

/** As in the samples of github.com/Kucoin/kucoin-api-docs, withdrawals have an id, and deposits have none. */
export function kucoinTransfer(
  kind: HistoryKind,
  { id, at, asset, address, tag, net, fee, clientRef, state }: SampleRecord,
): object {
  return {
    ...{ currency: asset, chain: chainIds[asset], status: statuses[kind][state], address, memo: tag ?? '' },
    ...{ isInner: false, amount: net.toString(), createdAt: at.getTime(), updatedAt: at.getTime() },
    ...(kind === 'deposit'
      ? { fee: '0.00000000', walletTxId: `${id}@e8902757998fc352e6c9d8890d18a71c`, remark: 'Deposit' }
      : { id, fee: fee.toString(), walletTxId: 'aa', remark: clientRef ?? '' }),
  };
}

/**
 * www.kucoin.com/docs-new/rest/spot-trading/orders/get-order-by-clientoid: `active` is false when an order has ended,
 * and `cancelExist` is true when it was canceled. The response has no other status.
 */
export function kucoinOrder({ exchangeId, clientOrderId, at, state, ...rest }: SampleOrder): object {
  const { volume: size, limitPrice: price, executed: dealSize, averagePrice, fee, feeAsset: feeCurrency } = rest;
  const dealFunds = Amount.of(dealSize).times(Amount.of(averagePrice)).toString();
  return {
    ...{ id: exchangeId, clientOid: clientOrderId, symbol: 'BTC-USDT', opType: 'DEAL', type: 'limit', side: 'buy' },
    ...{ price, size, funds: '0.5', dealSize, dealFunds, fee, feeCurrency, stp: null, timeInForce: 'GTC' },
    ...{ active: state === 'open' || state === 'partly executed', cancelExist: state === 'canceled', tax: '0' },
    ...{ createdAt: at.getTime(), lastUpdatedAt: at.getTime() + 1, tradeType: 'TRADE' },
  };
}
