import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import type { Call } from '../kraken/handler.js';
import type { Deposit, Withdrawal } from '../ledger/records.js';
import { heldAssets, numberOf } from '../rest/account.js';
import { assetOf, createAddress, namedChains, networkOf, networksByAsset, shownAddresses } from '../rest/networks.js';
import { findSpotOrder, placeSpotOrder } from '../rest/orders.js';
import { otherHoldings } from '../rest/other-accounts.js';
import { Refusal } from '../rest/refusal.js';
import { geminiMarkets } from '../tickers/gemini.js';
import { MarketList } from '../tickers/listed-markets.js';

/** Sources: the pages of developer.gemini.com/rest (September 2026). */

/** For each network, Gemini's name. */
const chain = namedChains({
  Bitcoin: 'bitcoin',
  Ethereum: 'ethereum',
  'Ethereum (kBTC)': 'ethereum',
  'Bitcoin Cash': 'bitcoincash',
  Litecoin: 'litecoin',
  Zcash: 'zcash',
  Filecoin: 'filecoin',
  Dogecoin: 'dogecoin',
  Tezos: 'tezos',
  Solana: 'solana',
  Polkadot: 'polkadot',
  'Avalanche C-Chain': 'avalanche',
  Cosmos: 'cosmos',
  Ripple: 'xrpl',
});
/** The coin of each network. One address on a network serves all of its assets. */
const coins: Readonly<Record<string, string>> = {
  bitcoin: 'BTC',
  ethereum: 'ETH',
  bitcoincash: 'BCH',
  litecoin: 'LTC',
  zcash: 'ZEC',
  filecoin: 'FIL',
  dogecoin: 'DOGE',
  tezos: 'XTZ',
  solana: 'SOL',
  polkadot: 'DOT',
  avalanche: 'AVAX',
  cosmos: 'ATOM',
  xrpl: 'XRP',
};
const markets = new MarketList(geminiMarkets, ({ base, quote }) => `${base}${quote}`);
/** Gemini: "The default is 10 and the maximum is 50." */
const TRANSFERS_MAX = 50;

/** Docs: "Roles Endpoint". */
export function roles({ key: { permissions } }: Call): unknown {
  const isTrader = permissions.includes('modify-trades');
  const isFundManager = permissions.includes('withdraw-funds');
  return { isAuditor: !isTrader && !isFundManager, isFundManager, isTrader };
}

/** Docs: "Get Available Balances". */
export const balances = (call: Call): unknown =>
  heldAssets(call).map(({ code: currency, total: amount, free: available }) => ({
    type: 'exchange',
    currency,
    amount,
    available,
    availableForWithdrawal: available,
    pendingWithdrawal: '0',
    pendingDeposit: '0',
    _timestamp: call.now.toISOString(),
  }));

/** Docs: "Get Assets for Network". */
export function assets({ exchange, params: { network = '' } }: Call): unknown {
  const listed = networksByAsset(exchange, chain).filter(([, all]) => all.some((one) => one.chain === network));
  if (listed.length === 0) throw new Refusal('network_unknown');
  return { network, assets: listed.map(([code]) => code) };
}

/** Docs: "List Deposit Addresses". */
export function addresses(call: Call): unknown {
  const { network = '' } = call.params;
  const shown = shownAddresses(call, chain, assetOf(coins[network]), { creates: false });
  return shown
    .filter((one) => one.chain === network)
    .map(({ address, memo }) => ({ address, ...(memo !== null && { memo }), timestamp: call.now.getTime() }));
}

/** Docs: "Create New Deposit Address". */
export function newAddress(call: Call): unknown {
  const { network = '' } = call.params;
  const { address, memo } = createAddress(call, networkOf(chain, assetOf(coins[network]), network));
  return { network, address, ...(memo !== null && { memo }) };
}

function transfer({ refid, asset, network, amount, address, txid }: Deposit | Withdrawal): object {
  const { code: currency } = assetById(asset);
  const eid = numberOf(refid);
  return {
    eid,
    currency,
    amount,
    network: chain(currency, network) ?? undefined,
    destination: address,
    txHash: txid ?? '',
  };
}

/** Docs: "List Past Transfers": "only … after this timestamp"; oldest first. */
export function transfers(call: Call): unknown {
  const { timestamp = '0', limit_transfers: limit = '10' } = call.params;
  const since = Number(timestamp) + 1;
  const size = Number(limit);
  if (!(size >= 1 && size <= TRANSFERS_MAX)) throw new Refusal('parameter_invalid');
  const book = call.exchange.book(call.account);
  const statusOf = (status: string) => (status === 'Success' ? 'Complete' : 'Pending');
  const entries = [
    ...book.deposits
      .oldestSince(since, size)
      .map((one) => ({ ...transfer(one), type: 'Deposit', status: statusOf(one.status), timestampms: one.receivedAt })),
    ...book.withdrawals.oldestSince(since, size).map((one) => ({
      ...transfer(one),
      type: 'Withdrawal',
      status: statusOf(one.status),
      timestampms: one.requestedAt,
      withdrawalId: one.refid,
      feeAmount: one.fee,
      feeCurrency: assetById(one.asset).code,
    })),
  ];
  return entries.sort((a, b) => a.timestampms - b.timestampms).slice(0, size);
}

/** Docs: "Create New Order". There are no market orders. */
export function placeOrder(call: Call): unknown {
  const {
    symbol = '',
    side = '',
    type,
    amount: volume = '',
    price = '',
    client_order_id: clientOrderId = '',
  } = call.params;
  if (type !== 'exchange limit') throw new Refusal('parameter_invalid');
  const market = markets.find(symbol.toUpperCase());
  return shown(call, placeSpotOrder(call, { market, side, type: 'limit', volume, price, clientOrderId }), undefined);
}

/** Docs: "Get Order Status". A query by `client_order_id` returns a list. */
export function order(call: Call): unknown {
  const { order_id: id, client_order_id: clientOrderId } = call.params;
  return id === undefined ? [shown(call, undefined, clientOrderId)] : shown(call, id, undefined);
}

/** The ledger has one sum of all executions of an order, so the list has one trade. */
function shown(call: Call, id: string | undefined, clientOrderId: string | undefined): object {
  const ids = { symbol: undefined, id, clientOrderId, forgottenAfterMs: Infinity };
  const { isUntraded, quote, ...one } = findSpotOrder(call, { markets, ...ids });
  const trade = { price: one.averagePrice, amount: one.executedVolume, fee_currency: quote, fee_amount: one.fee };
  const remaining = Amount.of(one.volume).minus(Amount.of(one.executedVolume));
  return {
    order_id: one.id,
    id: one.id,
    client_order_id: one.clientOrderId ?? '',
    symbol: one.symbol.toLowerCase(),
    exchange: 'gemini',
    side: one.side,
    type: 'exchange limit',
    timestampms: one.openedAt,
    is_live: one.closedAt === null,
    is_cancelled: one.closedAt !== null && one.status !== 'closed',
    avg_execution_price: one.averagePrice,
    executed_amount: one.executedVolume,
    original_amount: one.volume,
    remaining_amount: remaining,
    price: one.limitPrice ?? '0',
    trades: isUntraded ? [] : [trade],
  };
}

/** developer.gemini.com/rest/staking, "List Staking Balances" */
export const stakingBalances = (call: Call): unknown =>
  otherHoldings(call, 'staking').map(([currency, balance]) => ({ type: 'Staking', currency, balance, available: '0' }));
