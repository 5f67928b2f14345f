import type { Transaction } from '../history/transaction.entity.js';

/** Columns that a record may change, with their types. */
const CHANGING = {
  wallet_id: 'uuid',
  status: 'text',
  amount: 'numeric',
  fee: 'numeric',
  fee_asset: 'text',
  amount_in_fiat: 'numeric',
  fee_in_fiat: 'numeric',
  fiat_currency: 'text',
  address_to: 'text',
  tag: 'text',
  network: 'text',
  hash: 'text',
  raw_status: 'text',
  updated_at: 'timestamptz',
} as const;

/** Columns that a new row gets and that never change, with their types. */
const FIXED = {
  project_id: 'uuid',
  external_wallet_id: 'text',
  exchange: 'text',
  exchange_transaction_id: 'text',
  type: 'text',
  direction: 'text',
  asset: 'text',
  origin: 'text',
  occurred_at: 'timestamptz',
  created_at: 'timestamptz',
} as const;

type Columns<Definition> = Record<keyof Definition, unknown>;

const recordset = (columns: Record<string, string>): string =>
  `jsonb_to_recordset($1) as r (${Object.entries({ id: 'uuid', ...columns })
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})`;
const names = ['id', ...Object.keys({ ...FIXED, ...CHANGING })].join(', ');

/** Inserts rows in one statement; returns the ids of the new ones. Its one parameter is `newRows`. */
export const INSERT_ROWS = `insert into transactions (${names})
  select ${names} from ${recordset({ ...FIXED, ...CHANGING })} on conflict do nothing returning id`;

/** Updates rows in one statement. Its one parameter is `changedRows`. */
export const UPDATE_ROWS = `update transactions t
  set ${Object.keys(CHANGING)
    .map((name) => `${name} = r.${name}`)
    .join(', ')}
  from ${recordset(CHANGING)} where t.id = r.id`;

export function newRows(rows: readonly Transaction[]): string {
  return JSON.stringify(rows.map((row) => ({ id: row.id, ...fixed(row), ...changing(row) })));
}

export function changedRows(rows: readonly Transaction[]): string {
  return JSON.stringify(rows.map((row) => ({ id: row.id, ...changing(row) })));
}

function changing(row: Transaction): Columns<typeof CHANGING> {
  return {
    wallet_id: row.walletId,
    status: row.status,
    amount: row.amount,
    fee: row.fee,
    fee_asset: row.feeAsset,
    amount_in_fiat: row.amountInFiat,
    fee_in_fiat: row.feeInFiat,
    fiat_currency: row.fiatCurrency,
    address_to: row.addressTo,
    tag: row.tag,
    network: row.network,
    hash: row.hash,
    raw_status: row.rawStatus,
    updated_at: row.updatedAt,
  };
}

function fixed(row: Transaction): Columns<typeof FIXED> {
  return {
    project_id: row.projectId,
    external_wallet_id: row.externalWalletId,
    exchange: row.exchange,
    exchange_transaction_id: row.exchangeTransactionId,
    type: row.type,
    direction: row.direction,
    asset: row.asset,
    origin: row.origin,
    occurred_at: row.occurredAt,
    created_at: row.createdAt,
  };
}
