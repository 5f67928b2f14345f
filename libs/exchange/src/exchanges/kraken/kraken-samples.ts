import { Amount } from '#money';
import { sideIn, typeIn, UndocumentedRequest } from '../../testing/contract/documented.js';
import type { OrderMeaning, SampleOrder } from '../../testing/contract/exchange-contract.js';
import type { NetworkEvidence } from '../../testing/contract/network-names.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';

const statuses = {
  open: 'open',
  'partly executed': 'open',
  filled: 'closed',
  canceled: 'canceled',
  'unheard of': 'never seen',
} as const;

/**
 * docs.kraken.com/api-reference: account-data/get-open-orders, get-closed-orders, get-orders-info. Times are seconds.
 */
export function krakenOrder({ clientOrderId, at, side, state, volume, executed, fee, ...prices }: SampleOrder): object {
  const { limitPrice, averagePrice } = prices;
  const opentm = at.getTime() / 1_000;
  return {
    refid: null,
    userref: 0,
    cl_ord_id: clientOrderId,
    status: statuses[state],
    opentm,
    starttm: 0,
    expiretm: 0,
    ...((state === 'filled' || state === 'canceled') && { closetm: opentm + 1, reason: null }),
    descr: { pair: 'XBTUSD', type: side, ordertype: 'limit', price: limitPrice, price2: '0', leverage: 'none' },
    vol: volume,
    vol_exec: executed,
    cost: Amount.of(executed).times(Amount.of(averagePrice)).toString(),
    fee,
    price: averagePrice,
    stopprice: '0.00000',
    limitprice: '0.00000',
    misc: '',
    oflags: 'fciq',
  };
}

/** Interprets a request for an order. Kraken: "viqc: Volume in quote currency (Only for Market orders)" (`oflags`) */
export function krakenOrderMeaning({ params }: ReceivedCall): OrderMeaning {
  const { pair = '', type: side, ordertype, volume = '', price, oflags = '' } = params;
  if (oflags.split(',').includes('viqc')) throw new UndocumentedRequest('the volume is in the quote asset');
  return { pair, side: sideIn(side), type: typeIn(ordertype), volume, price: price ?? null };
}

/** Kraken's names of methods consist of an asset, and a chain, a token standard or a format of addresses. */
export const krakenNetworkEvidence: Readonly<Record<string, NetworkEvidence>> = {
  'Ether (Hex)': { title: 'Ether' },
  'Ether Classic (Hex)': { title: 'Ether Classic' },
  'Tether USD (ERC20)': { title: 'ERC20' },
  'Tether USD (TRC20)': { title: 'TRC20' },
  'Tether USD (SPL)': { title: 'SPL' },
  'Tether USD (Polygon)': { title: 'Polygon' },
  'Tether USD (Aptos)': { title: 'Aptos' },
  'USDC - Stellar XLM': { title: 'Stellar' },
  'Ripple XRP': { title: 'XRP' },
  'Stellar XLM': { title: 'XLM' },
  'Zcash (Transparent)': { title: 'Zcash' },
  'ETH - Base (Unified)': { title: 'Base' },
  'BNB - BNB Chain': { title: 'BNB Chain' },
  'AVAX - Avalanche C-Chain (Unified)': { title: 'Avalanche C-Chain' },
};
