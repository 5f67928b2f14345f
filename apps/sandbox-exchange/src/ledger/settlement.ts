import { randomBytes } from 'node:crypto';
import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import type { Account, Order, Withdrawal, WithdrawalStatus } from './records.js';

export const isFinal = ({ status }: Withdrawal): boolean => status === 'Success' || status === 'Failure';

export interface Move {
  status: WithdrawalStatus;
  canceled?: boolean;
}

/** Changes the status of a withdrawal. A failure credits amount and fee to the account in a ledger entry. */
export function moveWithdrawal(
  exchange: Exchange,
  withdrawal: Withdrawal,
  { status, canceled = false }: Move,
  now: Date,
): void {
  const { account } = exchange.bookOf(withdrawal.accountId);
  // Kraken shows the transaction hash from the status `Settled` on, the partner API already from `Pending` on.
  const isSent =
    status === 'Success' || status === 'Settled' || (status === 'Pending' && withdrawal.partner !== undefined);
  const txid = isSent ? (withdrawal.txid ?? newTxid()) : withdrawal.txid;
  const moved: Withdrawal = { ...withdrawal, status, canceled, txid };
  if (status !== 'Failure') return exchange.commit({ withdrawal: moved });
  const { asset, refid } = withdrawal;
  const amount = Amount.of(withdrawal.amount);
  const fee = Amount.zero.minus(Amount.of(withdrawal.fee));
  exchange.commit(
    { withdrawal: moved },
    { account, now, postings: [{ asset, refid, type: 'withdrawal', amount, fee }] },
  );
}

const endings = {
  confirmed: { status: 'Success' },
  failed: { status: 'Failure' },
  canceled: { status: 'Failure', canceled: true },
} as const satisfies Record<string, Move>;

/**
 * Expires the orders and changes the status of the withdrawals that are due. This happens when the account is read and
 * not by a timer, so a restart loses nothing.
 */
export function settle(exchange: Exchange, account: Account, now: Date): void {
  expireOrders(exchange, account, now);
  settleWithdrawals(exchange, account, now);
}

/** Expires the orders whose expiry date has passed, at that date. */
function expireOrders(exchange: Exchange, account: Account, now: Date): void {
  const { orders, openOrders } = exchange.book(account);
  for (const id of [...openOrders]) {
    const order = orders.get(id);
    const expiresAt = order?.expiresAt ?? null;
    if (order === undefined || expiresAt === null || expiresAt > now.getTime()) continue;
    endOrder(exchange, order, { status: 'expired', at: expiresAt, reason: null });
  }
}

/** Ends an order, keeps what it executed, and releases its held funds. */
export function endOrder(
  exchange: Exchange,
  order: Order,
  { status, at, reason }: { status: 'canceled' | 'expired'; at: number; reason: string | null },
): void {
  exchange.commit({ order: { ...order, status, hold: null, closedAt: at, reason } });
}

/**
 * With `settle: 'auto'`, a withdrawal ends `settleMs` (plus its `delayMs`) after its request. A withdrawal that will
 * succeed becomes `Pending` after half of `settleMs`.
 */
function settleWithdrawals(exchange: Exchange, account: Account, now: Date): void {
  if (account.settle === 'manual') return;
  const book = exchange.book(account);
  for (const refid of [...book.unsettled]) {
    const withdrawal = book.withdrawals.get(refid);
    if (withdrawal === undefined) continue;
    const { delayMs = 0, end = 'confirmed' } = withdrawal.partner ?? {};
    const ageMs = now.getTime() - withdrawal.requestedAt - delayMs;
    if (ageMs >= exchange.settleMs) moveWithdrawal(exchange, withdrawal, endings[end], now);
    else if (ageMs >= exchange.settleMs / 2 && withdrawal.status === 'Initial' && end === 'confirmed') {
      moveWithdrawal(exchange, withdrawal, { status: 'Pending' }, now);
    }
  }
}

/** A random transaction hash that exists on no chain. */
export function newTxid(): string {
  return randomBytes(32).toString('hex');
}
