import type { Database } from '#platform/database';
import type { MemoryTables } from './memory-tables.js';

/** Reads all rows of the wallets in PostgreSQL as plain data. */
export async function databaseRows(db: Database, walletIds: readonly string[]): Promise<unknown> {
  const read = async (sql: string): Promise<unknown> => plain(await db.query(sql, [walletIds]));
  return {
    attempts: await read(`select id, outcome, sent_at, finished_at, exchange_id, answer, seen_ids, clean_listings,
      last_clean_listing_at from withdrawal_attempts where wallet_id = any($1) order by id`),
    withdrawals: await read(`select id, state, exchange_id, error_code, error_message, error_result, next_check_at,
      check_count, unconfirmed_since, unanswered_since, updated_at, state_changed_at from withdrawals where wallet_id = any($1) order by id`),
    transactions: await read(`select id, status, exchange_transaction_id, hash, trim_scale(fee) as fee, updated_at,
        trim_scale(amount_in_fiat) as amount_in_fiat, trim_scale(fee_in_fiat) as fee_in_fiat, fiat_currency
      from transactions where wallet_id = any($1) order by id`),
    holds: await read(`select holder, version from credential_holds where wallet_id = any($1) order by holder`),
    credentials: await read(`select wallet_id, sealed->>'id' as version from wallet_credentials
      where wallet_id = any($1) order by wallet_id`),
    replaced: await read(`select version from replaced_credentials where wallet_id = any($1) order by version`),
    closed: await read(`select c.quote_id, c.closed_at from closed_quotes c join quotes q on q.id = c.quote_id
      where q.wallet_id = any($1) order by c.quote_id`),
  };
}

/** Reads all rows of the wallets in memory as plain data. */
export function memoryRows({
  attempts,
  withdrawals,
  transactions,
  holds,
  credentials,
  replaced,
  closedQuotes,
}: MemoryTables): unknown {
  const byId = <Row extends { id: string }>(rows: Row[]): Row[] => rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  return plain({
    attempts: byId(attempts.all()).map((a) => ({
      id: a.id,
      outcome: a.outcome,
      sent_at: a.sentAt,
      finished_at: a.finishedAt,
      exchange_id: a.exchangeId,
      answer: a.answer,
      seen_ids: a.seenIds,
      clean_listings: a.cleanListings,
      last_clean_listing_at: a.lastCleanListingAt,
    })),
    withdrawals: byId(withdrawals.all()).map((w) => ({
      id: w.id,
      state: w.state,
      exchange_id: w.exchangeId,
      error_code: w.errorCode,
      error_message: w.errorMessage,
      error_result: w.errorResult,
      next_check_at: w.nextCheckAt,
      check_count: w.checkCount,
      unconfirmed_since: w.unconfirmedSince,
      unanswered_since: w.unansweredSince,
      updated_at: w.updatedAt,
      state_changed_at: w.stateChangedAt,
    })),
    transactions: byId(transactions.all()).map((t) => ({
      id: t.id,
      status: t.status,
      exchange_transaction_id: t.exchangeTransactionId,
      hash: t.hash,
      fee: t.fee,
      updated_at: t.updatedAt,
      fiat_currency: t.fiatCurrency,
      amount_in_fiat: t.amountInFiat,
      fee_in_fiat: t.feeInFiat,
    })),
    holds: holds
      .all()
      .map(({ holder, version }) => ({ holder, version }))
      .sort((a, b) => (a.holder < b.holder ? -1 : 1)),
    credentials: credentials
      .all()
      .map(({ walletId, version }) => ({ wallet_id: walletId, version }))
      .sort((a, b) => (a.wallet_id < b.wallet_id ? -1 : 1)),
    replaced: replaced
      .all()
      .map(({ version }) => ({ version }))
      .sort((a, b) => (a.version < b.version ? -1 : 1)),
    closed: closedQuotes
      .all()
      .map((row) => ({ quote_id: row.quoteId, closed_at: row.closedAt }))
      .sort((a, b) => (a.quote_id < b.quote_id ? -1 : 1)),
  });
}

/** Converts rows to JSON and back, so that the rows of PostgreSQL can be compared with those in memory. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
