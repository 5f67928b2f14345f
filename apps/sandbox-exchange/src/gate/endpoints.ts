import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import type { History } from '../ledger/history.js';
import type { Deposit, Order, Withdrawal } from '../ledger/records.js';
import { heldAssets } from '../rest/account.js';
import { assetOf, shownAddresses } from '../rest/networks.js';
import { findSpotOrder, placeSpotOrder } from '../rest/orders.js';
import { Refusal } from '../rest/refusal.js';
import { partOf, periodOf, FoundRecords } from '../rest/transfers.js';
import { gateChain, gateMarkets } from './lists.js';

/** Sources: www.gate.com/docs/developers/apiv4 (June 2026) */

const PERIOD_MAX_MS = 30 * 24 * 60 * 60 * 1000;
const PAGE_MAX = 1000;
/**
 * Gate: an order id of the client must be "prefixed with `t-`" and "no longer than 28 bytes without `t-` prefix". The
 * ledger stores ids of 32 hexadecimal digits, so the sandbox accepts 28 digits and adds four zeros.
 */
const TEXT = /^t-[0-9a-f]{28}$/;
const PADDING = '0000';
const ledgerId = (text: string): string => text.slice(2) + PADDING;
const textOf = (clientOrderId: string | null): string =>
  clientOrderId === null ? '' : `t-${clientOrderId.slice(0, -PADDING.length)}`;

/** Docs: account, "Retrieve user account information" */
export function keyInfo({ account, key: { ipAllowlist } }: Call): unknown {
  const user = { user_id: 1667201533, tier: 0, copy_trading_role: 0 };
  return { ...user, ip_whitelist: ipAllowlist, currency_pairs: [], key: { mode: account.isUnified === true ? 2 : 1 } };
}

/** Docs: spot, "List spot trading accounts". All money is in the spot account. */
export const balances = (call: Call): unknown =>
  heldAssets(call).map(({ code: currency, free: available, held: locked }) => ({
    currency,
    available,
    locked,
    update_id: 1,
  }));

/** Docs: wallet, "Generate currency deposit address" */
export function depositAddress(call: Call): unknown {
  const { currency } = call.params;
  const shown = shownAddresses(call, gateChain, assetOf(currency)).filter(({ isLatest }) => isLatest);
  const all = shown.map(({ chain, address, memo }) => ({
    chain,
    address,
    payment_id: memo ?? '',
    payment_name: '',
    obtain_failed: 0,
    min_confirms: 1,
  }));
  return { currency, address: all[0]?.address ?? '', min_deposit_amount: '', multichain_addresses: all };
}

const seconds = (at: number): string => String(Math.floor(at / 1000));

function transfer({ refid: id, asset, network, amount, address, memo, txid }: Deposit | Withdrawal) {
  const { code: currency } = assetById(asset);
  return {
    id,
    currency,
    amount,
    txid: txid ?? '',
    address,
    memo: memo ?? '',
    chain: gateChain(currency, network) ?? '',
  };
}

/** The period of a call. "from" and "to" are in seconds; "Record query time range cannot exceed 30 days". */
function period(call: Call) {
  const { from, to } = call.params;
  const ms = (text: string | undefined) => (text === undefined ? undefined : String(Number(text) * 1000));
  return periodOf(call, ms(from), ms(to), PERIOD_MAX_MS);
}

/** The page of a call, newest first. */
function pageOf<T extends Deposit | Withdrawal>(history: History<T>, call: Call): T[] {
  const { currency: asset, offset = '0', limit = '100' } = call.params;
  const found = new FoundRecords(history, { ...period(call), asset });
  return found.part({ from: Number(offset), limit: Number(limit), max: PAGE_MAX });
}

/** Docs: wallet, "Get withdrawal records". The amount of a record contains its fee. */
export function withdrawals(call: Call): unknown {
  const states = { Initial: 'REQUEST', Pending: 'PEND', Settled: 'PEND', Success: 'DONE', Failure: 'CANCEL' };
  return pageOf(call.exchange.book(call.account).withdrawals, call).map((one) => ({
    ...transfer(one),
    amount: Amount.of(one.amount).plus(Amount.of(one.fee)),
    fee: one.fee,
    status: states[one.status],
    timestamp: seconds(one.requestedAt),
    withdraw_order_id: one.clientId ?? '',
    block_number: '',
  }));
}

/** Docs: wallet, "Get deposit records" */
export function deposits(call: Call): unknown {
  const states = { Settled: 'PEND', Success: 'DONE', Failure: 'INVALID' };
  return pageOf(call.exchange.book(call.account).deposits, call).map((one) => ({
    ...transfer(one),
    status: states[one.status],
    timestamp: seconds(one.receivedAt),
  }));
}

/** Docs: spot, "Create an order". The sandbox takes limit orders only. */
export function placeOrder(call: Call): unknown {
  const { currency_pair: symbol, side = '', amount: volume = '', price = '', text = '', ...more } = call.params;
  const { type, account, time_in_force: force, 'x-gate-exptime': expires = 'Infinity' } = more;
  // Gate: "if the GATE receives the request time greater than the expiration time, the request will be rejected"
  if (call.receivedAt.getTime() > Number(expires)) throw new Refusal('deadline_past');
  if (type !== 'limit' || account !== 'spot' || force !== 'gtc' || !TEXT.test(text)) {
    throw new Refusal('parameter_invalid');
  }
  const market = gateMarkets.find(symbol);
  const id = placeSpotOrder(call, { market, side, type, volume, price, clientOrderId: ledgerId(text) });
  return shown(call, id, undefined);
}

/** Docs: spot, "Query single order details". "Operations based on custom IDs can only be checked in pending orders." */
export function order(call: Call): unknown {
  const { order_id: id = '', currency_pair: symbol } = call.params;
  if (!id.startsWith('t-')) return shown(call, id, symbol);
  const [open] = [...bookOf(call).values()].filter(
    (one) => one.closedAt === null && one.clientOrderId === ledgerId(id),
  );
  if (open === undefined) throw new Refusal('order_unknown');
  return shown(call, open.id, symbol);
}

const bookOf = ({ exchange, account }: Call): ReadonlyMap<string, Order> => exchange.book(account).orders;

/** Docs: spot, "List orders": ended orders only, newest first. */
export function orders(call: Call): unknown {
  const { status, currency_pair: symbol, from = '0', page = '1', limit = '100' } = call.params;
  if (status !== 'finished') throw new Refusal('parameter_invalid');
  const ended = [...bookOf(call).values()]
    .filter(({ closedAt, pair }) => closedAt !== null && gateMarkets.find(symbol)?.pair.id === pair)
    .filter(({ openedAt }) => openedAt >= Number(from) * 1000)
    .sort((a, b) => b.openedAt - a.openedAt);
  const [size, number] = [Number(limit), Number(page)];
  return partOf(ended, { from: (number - 1) * size, limit: size, max: 100 }).map(({ id }) => shown(call, id, symbol));
}

function shown(call: Call, id: string, symbol: string | undefined): object {
  const ids = { symbol, id, clientOrderId: undefined, forgottenAfterMs: Infinity };
  const { isUntraded, quote, ...one } = findSpotOrder(call, { markets: gateMarkets, ...ids });
  const states = { pending: 'open', open: 'open', closed: 'closed', canceled: 'cancelled', expired: 'cancelled' };
  const changedAt = one.closedAt ?? one.openedAt;
  return {
    id: one.id,
    text: textOf(one.clientOrderId),
    currency_pair: one.symbol,
    status: states[one.status],
    type: one.type,
    account: 'spot',
    side: one.side,
    amount: one.volume,
    price: one.limitPrice ?? '',
    time_in_force: 'gtc',
    filled_amount: one.executedVolume,
    filled_total: one.cost,
    left: Amount.of(one.volume).minus(Amount.of(one.executedVolume)),
    avg_deal_price: isUntraded ? '' : one.averagePrice,
    fee: one.fee,
    fee_currency: quote,
    gt_fee: '0',
    create_time: seconds(one.openedAt),
    update_time: seconds(changedAt),
    create_time_ms: one.openedAt,
    update_time_ms: changedAt,
  };
}
