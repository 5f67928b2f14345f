import type { SampleOrder } from './exchange-contract.js';
import type { Fields } from './with-fields.js';

/** A documented order with other values of some fields: another status, or fees in another form. */
export interface DocumentedOrderForm {
  /** The sample in which the values are replaced. */
  readonly of: Extract<SampleOrder['state'], 'partly executed' | 'filled' | 'canceled'>;
  /** The new values. They replace those of each object that has these fields. */
  readonly fields: Fields;
  /** The list to which an entry with the new values is added, beside its own; null = the response is the list. */
  readonly besidesIn?: string | null;
  /** What the order becomes, beside the values of the sample; null = the response is unusable. */
  readonly expected: Fields | null;
}

type Status = 'open' | 'canceled' | 'expired' | 'unknown';

/** An order in a documented status. An open order has not ended. */
const status = (field: string, rawStatus: string, becomes: Status): DocumentedOrderForm => ({
  of: becomes === 'open' ? 'partly executed' : 'canceled',
  fields: { [field]: rawStatus },
  expected: { rawStatus, status: becomes, ...((becomes === 'open' || becomes === 'unknown') && { closedAt: null }) },
});
const statuses = (field: string, of: Readonly<Record<string, Status>>): DocumentedOrderForm[] =>
  Object.entries(of).map(([rawStatus, becomes]) => status(field, rawStatus, becomes));

/** A fee that the exchange does not report is not zero. */
const withoutFee = (field: string, absent: '' | null | undefined): DocumentedOrderForm => ({
  of: 'filled',
  fields: { [field]: absent },
  expected: { fees: null },
});

/** A further execution, or a further fee. If one of several states no fee, the sum of the fees is not known. */
const withFurther = (besidesIn: string | null, fields: Fields, expected: Fields): DocumentedOrderForm => ({
  of: 'filled',
  besidesIn,
  fields,
  expected,
});

/** By the name of the contract, from the pages on orders that the contract names. */
export const documentedOrderForms: Readonly<Record<string, readonly DocumentedOrderForm[]>> = {
  binance: [
    ...statuses('status', {
      NEW: 'open',
      PENDING_NEW: 'open',
      EXPIRED: 'expired',
      EXPIRED_IN_MATCH: 'expired',
      REJECTED: 'canceled',
      NEVER_SEEN: 'unknown',
    }),
    // The volume is whole without this trade, so its fee does not count.
    withFurther(null, { id: 2, qty: '0', quoteQty: '0', commission: undefined }, {}),
  ],
  gate: [{ of: 'filled', fields: { filled_amount: '1' }, expected: null }],
  bitget: statuses('status', { live: 'open', 'never seen': 'unknown' }),
  'bitget-unified': [
    ...statuses('orderStatus', { live: 'open', new: 'open', 'never seen': 'unknown' }),
    withFurther('feeDetail', { feeCoin: 'BGB', fee: '' }, { fees: null }),
    withFurther(
      'feeDetail',
      { feeCoin: 'BGB', fee: '-0.002' },
      {
        fees: [
          ['USDT', '0.003'],
          ['BGB', '0.002'],
        ],
      },
    ),
  ],
  // A transaction without a fee was never documented.
  bitstamp: [
    ...statuses('status', { 'Cancel pending': 'open', Expired: 'expired', 'Never seen': 'unknown' }),
    withoutFee('fee', null),
    withFurther('transactions', { btc: '0', usd: '0', fee: null }, { fees: null }),
    withFurther(
      'transactions',
      { btc: '0.5', usd: '1.5', price: '3', fee: '0.002' },
      { volume: '3', executedVolume: '3', cost: '6.5', averagePrice: '2.166666666666666666', fees: [[null, '0.005']] },
    ),
    // The cost is rounded to the decimals of the quote asset, so the price is that of the transactions.
    { of: 'filled', fields: { usd: '4.9' }, expected: { cost: '4.9', averagePrice: '2' } },
  ],
  bybit: [
    ...statuses('orderStatus', {
      New: 'open',
      Untriggered: 'open',
      Triggered: 'open',
      PartiallyFilledCanceled: 'canceled',
      Rejected: 'canceled',
      Deactivated: 'canceled',
      NeverSeen: 'unknown',
    }),
  ],
  coinbase: [
    ...statuses('status', {
      PENDING: 'open',
      QUEUED: 'open',
      CANCEL_QUEUED: 'open',
      EDIT_QUEUED: 'open',
      EXPIRED: 'expired',
      FAILED: 'canceled',
      NEVER_SEEN: 'unknown',
    }),
    withoutFee('total_fees', ''),
    // The last execution of an order is its end only if the order is filled.
    { of: 'canceled', fields: { last_fill_time: '2026-01-02T03:04:05Z' }, expected: { closedAt: null } },
    {
      of: 'filled',
      fields: { last_fill_time: '2026-01-02T03:04:05Z' },
      expected: { closedAt: new Date('2026-01-02T03:04:05Z') },
    },
  ],
  // The executed and the remaining volume contradict the ordered one.
  gemini: [
    { of: 'filled', fields: { original_amount: '3' }, expected: null },
    withFurther('trades', { amount: '0', fee_amount: undefined }, { fees: null }),
    withFurther('trades', { amount: '0', fee_amount: '0.002' }, { fees: [['USD', '0.005']] }),
  ],
  kraken: [...statuses('status', { pending: 'open', expired: 'expired' })],
  okx: [
    ...statuses('state', { live: 'open', mmp_canceled: 'canceled', 'never seen': 'unknown' }),
    withoutFee('fee', ''),
    // "rebate: … the reward of placing orders": the exchange pays it.
    {
      of: 'filled',
      fields: { rebate: '0.02' },
      expected: { fees: [['BTC', '0.003'], ['USDT', '-0.02']] }, // prettier-ignore
    },
  ],
};
