import { Amount } from '#money';
import type { HistoryKind } from '../../port/exchange.port.js';
import { tether, sideIn, typeIn, UndocumentedRequest } from '../../testing/contract/documented.js';
import type {
  DocumentedLimit,
  SampleOrder,
  SampleRecord,
  OrderMeaning,
} from '../../testing/contract/exchange-contract.js';
import type { NetworkEvidence } from '../../testing/contract/network-names.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';

const statuses = {
  withdrawal: { pending: 'WALLET_PROCESSING', completed: 'SUCCESS', failed: 'FAILURE', 'unheard of': 'THAWED' },
  deposit: { pending: 'PROCESSING', completed: 'SUCCESS', failed: 'FAILURE', 'unheard of': 'THAWED' },
} as const;
const chainIds: Readonly<Record<string, string>> = { BTC: 'btc', XRP: 'xrp' };

/** As in the samples of github.com/Kucoin/kucoin-api-docs, withdrawals have an id, and deposits have none. */
export function kucoinTransfer(
  kind: HistoryKind,
  { id, at, asset, address, tag, net, fee, clientRef, state, status }: SampleRecord,
): object {
  return {
    currency: asset,
    chain: chainIds[asset],
    status: status ?? statuses[kind][state],
    address,
    memo: tag ?? '',
    isInner: false,
    amount: net.toString(),
    createdAt: at.getTime(),
    updatedAt: at.getTime(),
    ...(kind === 'deposit'
      ? { fee: '0.00000000', walletTxId: `${id}@e8902757998fc352e6c9d8890d18a71c`, remark: 'Deposit' }
      : { id, fee: fee.toString(), walletTxId: 'aa', remark: clientRef ?? '' }),
  };
}

/**
 * www.kucoin.com/docs-new/rest/spot-trading/orders/get-order-by-clientoid: `active` is false when an order has ended,
 * and `cancelExist` is true when it was canceled. The response has no other status.
 */
export function kucoinOrder({ exchangeId, clientOrderId, at, side, state, ...rest }: SampleOrder): object {
  const { volume: size, limitPrice: price, executed: dealSize, averagePrice, fee, feeAsset: feeCurrency } = rest;
  const dealFunds = Amount.of(dealSize).times(Amount.of(averagePrice)).toString();
  return {
    id: exchangeId,
    clientOid: clientOrderId,
    symbol: 'BTC-USDT',
    opType: 'DEAL',
    type: 'limit',
    side,
    price,
    size,
    funds: '0.5',
    dealSize,
    dealFunds,
    fee,
    feeCurrency,
    stp: null,
    timeInForce: 'GTC',
    active: state === 'open' || state === 'partly executed',
    cancelExist: state === 'canceled',
    tax: '0',
    createdAt: at.getTime(),
    lastUpdatedAt: at.getTime() + 1,
    tradeType: 'TRADE',
  };
}

/** Interprets a request for an order. */
export function kucoinOrderMeaning({ json: sent }: ReceivedCall): OrderMeaning {
  const { symbol: pair = '', side, type, size: volume = '', price = null, funds } = sent as Record<string, string>;
  // KuCoin: `size` is the "size of the base currency", and `funds` the "order amount funds" in the quote currency.
  if (funds !== undefined) throw new UndocumentedRequest('the request states an amount in the quote asset');
  return { pair, side: sideIn(side), type: typeIn(type), volume, price };
}

/** The documented responses that report a limit of calls. */
export const kucoinLimits: readonly DocumentedLimit[] = [
  {
    headers: { 'gw-ratelimit-limit': '2000', 'gw-ratelimit-remaining': '0', 'gw-ratelimit-reset': '14000' },
    of: 'credential',
    pauseMs: 14_000,
  },
  // "an error message of http code:429, error code:429000"
  { reply: { status: 429, body: '{"code":"429000","msg":"Too many requests"}' }, of: 'credential', pauseMs: 1_000 },
  // www.kucoin.com/docs/basic-info/request-rate-limit/rest-api: "error code: 1015, according to the IP rate limit, …
  // block 30s"
  { reply: { status: 429, body: 'error code: 1015' }, of: 'address', pauseMs: 30_000 },
];

/**
 * KuCoin's page market-data/get-all-currencies: `chainName` and the contract of USDT beside each chain, as recorded in
 * github.com/ccxt/ccxt (ts/src/test/static/currencies/kucoin.json at 178eebd).
 */
export const kucoinNetworkEvidence: Readonly<Record<string, NetworkEvidence>> = {
  btcln: { title: 'Lightning Network' },
  bech32: { title: 'BTC-Segwit' },
  eth: { title: 'ERC20', ...tether('0xdac17f958d2ee523a2206206994597c13d831ec7') },
  arbitrum: { title: 'ARBITRUM', ...tether('0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9') },
  optimism: { title: 'OPTIMISM', ...tether('0x94b008aa00579c1307b0ef2c499ad98a8ce58e58') },
  bsc: { title: 'BEP20', ...tether('0x55d398326f99059ff775485246999027b3197955') },
  sol: { title: 'SOL', ...tether('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB') },
  trx: { title: 'TRC20', ...tether('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t') },
  near: { title: 'NEAR', ...tether('usdt.tether-token.near') },
  xtz: { title: 'XTZ', ...tether('KT1XnTn74bUtxHfDtBmm2bGZAQfhPbvKWR8o') },
};

/** KuCoin's documentation: account-info/account-funding/get-apikey-info */
export const kucoinKey = {
  remark: 'account1',
  apiKey: '6705f5c311545b000157d3eb',
  apiVersion: 3,
  createdAt: 1728443843000,
  permission: 'General,Futures,Spot,Earn,InnerTransfer,Transfer,Margin',
  ipWhitelist: '203.0.113.154,203.0.113.34',
  uid: 165111215,
  isMaster: true,
};
