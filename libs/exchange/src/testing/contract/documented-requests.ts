import type { OrderType } from '../../port/trading.port.js';
import type { WithdrawalInstruction } from '../../port/exchange.port.js';

/** An order, and what its request states about it beside pair, side, type, volume and price. */
export interface StatedOrder {
  readonly route: string;
  readonly type: OrderType;
  readonly clientOrderId: string;
  /** Epoch milliseconds; NaN = the order has no submission deadline. */
  readonly deadlineMs: number;
}

/** A withdrawal, and what its request states about it beside asset, address, tag and amount. */
export interface StatedWithdrawal extends WithdrawalInstruction {
  /** Epoch milliseconds; NaN = the withdrawal has no submission deadline. */
  readonly deadlineMs: number;
}

/** Values by the name of a parameter or of a header. Numbers and booleans of JSON are texts here. */
type Stated = Readonly<Record<string, string | undefined>>;

interface DocumentedRequests {
  readonly withdrawal?: (withdrawal: StatedWithdrawal) => Stated;
  readonly order?: (order: StatedOrder) => Stated;
}

/** The form of Kraken's deadlines, in whole seconds: 2026-10-01T12:00:00Z. */
const inSeconds = (ms: number): string => new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z');

/**
 * What the requests of each exchange must state beside the terms that `meaningOf` of its contract reads: the network,
 * our reference, the paying account, who pays the fee, and how long the request is valid. With the exchange's default
 * for a missing parameter, or with another value, the money could take another way, or the submission could not be
 * found again. The names of networks are those of the documented responses, and the values are those of the pages
 * that the contract names.
 */
export const documentedRequests: Readonly<Record<string, DocumentedRequests>> = {
  binance: {
    // `walletType`: "0-spot wallet". Without `transactionFeeFlag`, the fee of an internal transfer returns to us.
    withdrawal: ({ asset, clientRef }) => ({
      network: asset,
      withdrawOrderId: clientRef,
      transactionFeeFlag: 'false',
      walletType: '0',
    }),
    order: ({ type, clientOrderId }) => ({
      newClientOrderId: clientOrderId,
      newOrderRespType: 'ACK',
      timeInForce: type === 'limit' ? 'GTC' : undefined,
    }),
  },
  bitget: {
    withdrawal: ({ clientRef }) => ({ transferType: 'on_chain', chain: 'LIGHTNING', clientOid: clientRef }),
    order: ({ route, clientOrderId }) =>
      route.includes('/v3/')
        ? { category: 'SPOT', timeInForce: 'gtc', clientOid: clientOrderId }
        : { force: 'gtc', clientOid: clientOrderId },
  },
  bitstamp: { order: ({ clientOrderId }) => ({ client_order_id: clientOrderId }) },
  bybit: {
    // "1: Force the withdrawal to occur on-chain"; `feeType`: "0: input amount is the actual amount received".
    withdrawal: ({ asset, clientRef }) => ({
      chain: asset === 'USDT' ? 'ETH' : asset,
      forceChain: '1',
      accountType: 'FUND',
      feeType: '0',
      requestId: clientRef,
    }),
    order: ({ clientOrderId }) => ({ category: 'spot', isLeverage: '0', orderLinkId: clientOrderId }),
  },
  coinbase: {
    // `idem`: "A UUIDv4 token". Our reference is a UUID of version 7 without dashes.
    withdrawal: ({ network, clientRef }) => ({
      type: 'send',
      network,
      idem: clientRef.replace(/^(.{8})(.{4}).(.{3})(.{4})(.{12})$/, '$1-$2-4$3-$4-$5'),
    }),
    order: ({ clientOrderId }) => ({ client_order_id: clientOrderId }),
  },
  gate: {
    order: ({ clientOrderId, deadlineMs }) => ({
      text: clientOrderId,
      account: 'spot',
      time_in_force: 'gtc',
      'x-gate-exptime': String(deadlineMs),
    }),
  },
  gemini: { order: ({ clientOrderId }) => ({ client_order_id: clientOrderId }) },
  kraken: {
    // Kraken refuses an `address` that is not saved under the key, and a fee above `max_fee`.
    withdrawal: ({ address, amountWithFee, fee }) => ({
      address,
      amount: amountWithFee.toString(),
      max_fee: fee.toString(),
    }),
    // "fciq: Fee in quote currency".
    order: ({ clientOrderId, deadlineMs }) => ({
      oflags: 'fciq',
      cl_ord_id: clientOrderId,
      deadline: inSeconds(deadlineMs),
    }),
  },
  kucoin: {
    // "EXTERNAL: Deduct the transaction fees from your main account".
    withdrawal: ({ asset, clientRef }) => ({
      withdrawType: 'ADDRESS',
      chain: asset.toLowerCase(),
      isInner: 'false',
      remark: clientRef,
      feeDeductType: 'EXTERNAL',
    }),
    order: ({ clientOrderId }) => ({ clientOid: clientOrderId }),
  },
  okx: {
    // `dest` 4 is a withdrawal to a chain.
    withdrawal: ({ asset, clientRef }) => ({
      dest: '4',
      chain: asset === 'BTC' ? 'BTC-Bitcoin' : 'XRP-Ripple',
      clientId: clientRef,
    }),
    // Without `banAmend`, OKX reduces the size of a market order to the balance.
    order: ({ type, clientOrderId, deadlineMs }) => ({
      tdMode: 'cash',
      clOrdId: clientOrderId,
      exptime: String(deadlineMs),
      ...(type === 'market' && { tgtCcy: 'base_ccy', banAmend: 'true' }),
    }),
  },
  sandbox: {
    withdrawal: ({ network, fee, clientRef, deadlineMs }) => ({
      network,
      maxFee: fee.toString(),
      reference: clientRef,
      validUntil: String(deadlineMs),
    }),
  },
};
