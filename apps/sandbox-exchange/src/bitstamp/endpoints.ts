import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import type { History } from '../ledger/history.js';
import type { Deposit, Withdrawal } from '../ledger/records.js';
import { heldAssets } from '../rest/account.js';
import { assetOf, shownAddresses } from '../rest/networks.js';
import { findSpotOrder, placeSpotOrder } from '../rest/orders.js';
import { Refusal } from '../rest/refusal.js';
import { FoundRecords } from '../rest/transfers.js';
import { bitstampMarkets } from '../tickers/bitstamp.js';
import { MarketList } from '../tickers/listed-markets.js';
import { bitstampChain } from './currencies.js';

/** Sources: the operations of www.bitstamp.net/api. */

const markets = new MarketList(bitstampMarkets, ({ base, quote }) => `${base}${quote}`.toLowerCase());
/** Bitstamp: "For closed orders, this call only returns information for the last 30 days." */
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** Docs: GetAccountBalances. */
export const balances = (call: Call): unknown =>
  heldAssets(call).map(({ code, total, free: available, held: reserved }) => ({
    currency: code.toLowerCase(),
    total,
    available,
    reserved,
  }));

/** Docs: GetCryptoDepositAddress. */
export function depositAddress(call: Call): unknown {
  const { currency = '', network } = call.params;
  const shown = shownAddresses(call, bitstampChain, assetOf(currency.toUpperCase()));
  const found = shown.findLast((one) => one.chain === network);
  if (found === undefined) throw new Refusal('network_unknown');
  const tag = network === 'xrpl' ? 'destination_tag' : 'memo_id';
  return { address: found.address, ...(found.memo !== null && { [tag]: found.memo }) };
}

function transfer({ refid: id, asset, network, amount }: Deposit | Withdrawal): object {
  const { code } = assetById(asset);
  return { id, currency: code, network: bitstampChain(code, network) ?? network, amount };
}

/** A page of a list, newest first. Bitstamp: "Limit result to that many … (minimum: 1; maximum: 1000)". */
function pageOf<T extends Deposit | Withdrawal>(history: History<T>, call: Call): T[] {
  const { offset = '0', limit = '100' } = call.params;
  return new FoundRecords(history, EVER).part({ from: Number(offset), limit: Number(limit), max: 1000 });
}
const EVER = { since: 0, until: Infinity, asset: undefined };
const utcTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
/** Joins an address and its memo: "rE1…?dt=1455". */
const addressOf = (address: string, memo: string | null | undefined): string =>
  (memo ?? null) === null ? address : `${address}?dt=${memo}`;

/** Docs: GetWithdrawalRequests. */
export function withdrawals(call: Call): unknown {
  const states = { Initial: 0, Pending: 1, Settled: 1, Success: 2, Failure: 4 };
  return pageOf(call.exchange.book(call.account).withdrawals, call).map((one) => ({
    ...transfer(one),
    datetime: utcTime(one.requestedAt),
    type: 1,
    status: states[one.status],
    address: addressOf(one.address, one.memo),
    transaction_id: one.txid ?? '',
    txid: 0,
  }));
}

/** Docs: GetCryptoUserTransactions. */
export function deposits(call: Call): unknown {
  const states = { Settled: 'PENDING', Success: 'FINALIZED', Failure: 'REJECTED' };
  const shown = pageOf(call.exchange.book(call.account).deposits, call).map((one) => ({
    ...transfer(one),
    datetime: Math.floor(one.receivedAt / 1000),
    status: states[one.status],
    destinationAddress: addressOf(one.address, one.memo),
    txid: one.txid,
  }));
  return { deposits: shown, withdrawals: [], ripple_iou_transactions: [] };
}

/**
 * Docs: OpenLimitBuyOrder, OpenMarketBuyOrder and those for sell orders. Each side and type has its own endpoint.
 */
export const placeOrder = (side: 'buy' | 'sell', type: 'limit' | 'market') => (call: Call) => {
  const { market: symbol, amount: volume = '', price = '', client_order_id: clientOrderId = '' } = call.params;
  const market = markets.find(symbol);
  const id = placeSpotOrder(call, { market, side, type, volume, price, clientOrderId, uniqueAmong: 'all' });
  const datetime = `${utcTime(call.now.getTime())}.000000`;
  return { id, market: nameOf(market), datetime, type: side === 'buy' ? '0' : '1', price, amount: volume };
};

const nameOf = (market: { base: string; quote: string } | null): string => `${market?.base}/${market?.quote}`;

/** Docs: GetOrderStatus. The ledger has one sum of all executions of an order, so the list has one transaction. */
export function order(call: Call): unknown {
  const { id, client_order_id: clientOrderId } = call.params;
  const ids = { symbol: undefined, id, clientOrderId, forgottenAfterMs: FORGOTTEN_AFTER_MS };
  const { isUntraded, ...one } = findSpotOrder(call, { markets, ...ids });
  const market = markets.find(one.symbol);
  const [base = '', quote = ''] = [market?.base.toLowerCase(), market?.quote.toLowerCase()];
  const states = { pending: 'Open', open: 'Open', closed: 'Finished', canceled: 'Canceled', expired: 'Expired' };
  const transaction = {
    tid: 1,
    type: 2,
    price: one.averagePrice,
    fee: one.fee,
    [base]: one.executedVolume,
    [quote]: one.cost,
    datetime: `${utcTime(one.openedAt)}.000000`,
  };
  return {
    id: one.id,
    client_order_id: one.clientOrderId ?? '',
    status: states[one.status],
    market: nameOf(market),
    type: one.side === 'buy' ? '0' : '1',
    datetime: `${utcTime(one.openedAt)}.000000`,
    amount_remaining: Amount.of(one.volume).minus(Amount.of(one.executedVolume)),
    transactions: isUntraded ? [] : [transaction],
  };
}
