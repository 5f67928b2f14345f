import { assetById } from '../catalogue.js';
import { awaitsFace } from '../control/partner-routes.js';
import type { Exchange } from '../exchange.js';
import { lastPrice } from '../trading/order-book.js';
import { pairOf } from '../trading/fees.js';
import { describe } from '../kraken/trading/orders.js';
import type { Message } from '../ledger/partner-records.js';
import type { ApiKey, Deposit, Order, Withdrawal } from '../ledger/records.js';
import { settle } from '../ledger/settlement.js';
import type { AccountBook } from '../ledger/state.js';
import { depositStatuses } from '../partner/history.js';
import { statusOf } from '../partner/withdrawals/withdrawals.js';
import { marketsOf } from '../tickers/listed-markets.js';
import { totpCode } from '../totp.js';
import { findAccounts } from './find-accounts.js';

const WITHDRAWALS_SHOWN = 10;
const DEPOSITS_SHOWN = 10;
const ORDERS_SHOWN = 10;
const MESSAGES_SHOWN = 10;
/** Assets whose dollar prices the page shows. */
const PRICES_SHOWN = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'ADA', 'LTC', 'XLM', 'USDT', 'USDC', 'EUR'];

interface ShownAccount {
  id: string;
  name: string;
  /** A text for people that names the account's API and the verification that its withdrawals require. */
  kind: string;
  /** Current code of the account's authenticator; null without one. */
  totp: string | null;
  balances: { asset: string; total: string }[];
}

interface ShownWithdrawal {
  account: string;
  asset: string;
  status: string;
  withdrawal: Withdrawal;
}

interface ShownDeposit {
  account: string;
  asset: string;
  status: string;
  deposit: Deposit;
}

interface ShownOrder {
  account: string;
  /** The description in Kraken's format: "buy 0.02100000 ETHUSDT @ limit 330.00". */
  description: string;
  order: Order;
}

/** A face check that a person can confirm. Without a challenge it applies to the next withdrawal. */
interface WaitingFace {
  accountId: string;
  account: string;
  challengeId: string | null;
  reference: string | null;
}

export interface Overview {
  /** The text by which the accounts were searched. */
  search: string;
  accounts: ShownAccount[];
  accountsMore: number;
  withdrawals: ShownWithdrawal[];
  deposits: ShownDeposit[];
  /** Only open orders. */
  orders: ShownOrder[];
  /** Prices in US dollars. */
  prices: { asset: string; pair: string; price: string }[];
  messages: (Message & { account: string })[];
  faces: WaitingFace[];
  now: Date;
}

/** Collects the newest records of the accounts whose name or id contains `search`. */
export function overviewOf(exchange: Exchange, { search, now }: { search: string; now: Date }): Overview {
  const { books: all, shown: count } = findAccounts([...exchange.books.values()], search);
  for (const { account } of all) settle(exchange, account, now);
  const shown = all.slice(0, count);
  const keys = new Map([...exchange.keys.values()].map((key) => [key.accountId, key]));
  const withdrawals = all
    .flatMap((book) =>
      book.withdrawals.newest(WITHDRAWALS_SHOWN).map((withdrawal) => shownWithdrawal(book, withdrawal)),
    )
    .sort((a, b) => b.withdrawal.requestedAt - a.withdrawal.requestedAt);
  const deposits = all
    .flatMap((book) => book.deposits.newest(DEPOSITS_SHOWN).map((deposit) => shownDeposit(book, deposit)))
    .sort((a, b) => b.deposit.receivedAt - a.deposit.receivedAt);
  const orders = all.flatMap(openOrders).sort((a, b) => b.order.openedAt - a.order.openedAt);
  const messages = all
    .flatMap((book) => book.messages.map((message) => ({ ...message, account: book.account.name })))
    .sort((a, b) => b.at - a.at);
  return {
    search,
    accounts: shown.map((book) => shownAccount(book, keys.get(book.account.id), now)),
    accountsMore: all.length - shown.length,
    withdrawals: withdrawals.slice(0, WITHDRAWALS_SHOWN),
    deposits: deposits.slice(0, DEPOSITS_SHOWN),
    orders: orders.slice(0, ORDERS_SHOWN),
    prices: marketsOf({ quotes: 'USD', without: '' })
      .filter(({ base }) => PRICES_SHOWN.includes(base))
      .map(({ base, pair }) => ({ asset: base, pair: pair.id, price: lastPrice(exchange, pair).toString() })),
    messages: messages.slice(0, MESSAGES_SHOWN),
    faces: all.flatMap((book) => waitingFaces(book, now)),
    now,
  };
}

function shownAccount(book: AccountBook, key: ApiKey | undefined, now: Date): ShownAccount {
  const { account, profile } = book;
  const secret = profile?.totpSecret ?? key?.otp?.secret ?? null;
  const balances = book.assets().map((id) => ({ asset: assetById(id).code, total: book.total(id) }));
  return {
    id: account.id,
    name: account.name,
    kind: kindOf(book),
    totp: secret === null ? null : totpCode(secret, now),
    balances: balances
      .filter(({ total }) => !total.isZero())
      .map(({ asset, total }) => ({ asset, total: total.toString() })),
  };
}

function kindOf({ profile }: AccountBook): string {
  if (profile === null) return 'APIs of Kraken, Coinbase and others';
  const { mode, methods, relation } = profile.verification;
  if (mode === 'none') return 'Partner API, no verification';
  return `Partner API, ${mode.replaceAll('_', ' ')}: ${methods.join(relation === 'AND' ? ' and ' : ' or ')}`;
}

function shownWithdrawal({ account }: AccountBook, withdrawal: Withdrawal): ShownWithdrawal {
  return { account: account.name, asset: assetById(withdrawal.asset).code, status: statusOf(withdrawal), withdrawal };
}

function shownDeposit({ account }: AccountBook, deposit: Deposit): ShownDeposit {
  const status = depositStatuses[deposit.status];
  return { account: account.name, asset: assetById(deposit.asset).code, status, deposit };
}

function openOrders({ account, orders, openOrders: ids }: AccountBook): ShownOrder[] {
  return [...ids]
    .flatMap((id) => orders.get(id) ?? [])
    .map((order) => ({ account: account.name, description: describe(order, pairOf(order.pair)), order }));
}

function waitingFaces({ account, profile, challenges }: AccountBook, now: Date): WaitingFace[] {
  const { id: accountId, name } = account;
  const verification = profile?.verification;
  if (verification?.mode === 'inline' && verification.methods.includes('FACE') && profile?.face !== 'success') {
    return [{ accountId, account: name, challengeId: null, reference: null }];
  }
  return [...challenges.values()]
    .filter((challenge) => awaitsFace(challenge, now))
    .map(({ id, reference }) => ({ accountId, account: name, challengeId: id, reference }));
}
