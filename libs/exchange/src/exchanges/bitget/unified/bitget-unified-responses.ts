import { z } from 'zod';
import { balanceReader, type BalanceForm } from '../../../capabilities/account-balances.js';
import { fieldOf, readerOf } from '../../../capabilities/entry-fields.js';
import { keyForm } from '../../../capabilities/key-form.js';
import { feeForm, type ReportedFees } from '../../../capabilities/order-fees.js';
import { orderReader } from '../../../capabilities/order-form.js';
import {
  amount,
  amountOrZero,
  entries,
  heldEntries,
  listOf,
  name,
  optionalAmount,
  optionalText,
  statedList,
  type CodeOf,
} from '../../../capabilities/response-fields.js';
import { transferReader } from '../../../capabilities/transfer-form.js';
import type { EntryPage } from '../../../capabilities/transfer-pages.js';
import type { ExchangeOrder } from '../../../port/trading.port.js';
import {
  entriesOf,
  heldIn,
  networkIdOf,
  ofDest,
  ON_CHAIN,
  PAGE_SIZE,
  settlingFees,
  success,
} from '../bitget-responses.js';
import { toV3Cursor } from '../bitget-shared.js';

/**
 * The fields of the API for unified accounts (v3), by www.bitget.com/api-doc/uta (December 2025). The comment above
 * each reader names the page.
 */

/** The permission that we show for a key that can only read. Bitget writes `read-only` or `read_only` (`permType`). */
export const READ_ONLY = 'read-only';

/**
 * Bitget's page uta/account/Get-Account-Info. One type, read-only or read and write, applies to all permissions of a
 * key. The page has "read-and-write" and "read-only", recorded responses have "read_and_write" and "read_only".
 */
export const readKeyInfo = readerOf(
  success(
    keyForm({
      permissions: z
        .object({ permType: optionalText, permissions: listOf(z.string()) })
        .transform(({ permType, permissions }) =>
          permType?.replaceAll('_', '-') === READ_ONLY ? [READ_ONLY] : permissions,
        ),
      ipAllowlist: 'ips',
    }),
  ),
);

/**
 * Bitget's page uta/account/Get-Account. Page uta/intro: "Available = Balance + unrealized PnL. Note: […] cannot be
 * used to place spot orders". So neither a profit of futures counts as free, nor what a loss of futures has used up.
 */
const balance: BalanceForm = {
  asset: 'coin',
  used: fieldOf('locked', amountOrZero),
  free: z
    .object({ balance: amount, available: amount })
    .transform(({ balance, available }) => (available.lessThan(balance) ? available : balance)),
};
export const readBalances = balanceReader(readerOf(success(fieldOf('assets', heldEntries))), balance);
/** Page uta/account/sub-account/Get-SubAccount-Unified-Assets: the assets of one sub-account. */
export const readSubAccountAssets = balanceReader(readerOf(entries), {
  ...balance,
  owed: fieldOf('debt', amountOrZero),
});

/** Bitget's page uta/account/Get-Account-Funding-Assets */
export const readFunding = balanceReader(heldIn, {
  asset: 'coin',
  free: 'available',
  used: fieldOf('frozen', amountOrZero),
});

const ofChain = (field: string) => ofDest(field, ON_CHAIN);
const transfer = {
  exchangeId: 'orderId',
  asset: 'coin',
  amount: 'size',
  status: 'status',
  at: 'createdTime',
  tag: 'tag',
  network: ofChain('chain'),
  address: ofChain('toAddress'),
  hash: ofChain('recordId'),
  finals: { success: 'completed', fail: 'failed' },
} as const;

/** Bitget's pages uta/account/deposit/Get-Deposit-Records and uta/account/withdrawal/Get-Withdrawal-Records */
export const readTransfer = settlingFees(
  transferReader(networkIdOf, {
    withdrawal: {
      ...transfer,
      // The fee is positive in the documented sample, and "-1.5" in the sample of ccxt (`bitget.parseTransaction`).
      fee: fieldOf('fee', optionalAmount).transform((fee) => fee?.abs() ?? null),
      clientRef: 'clientOid',
      underway: ['pending'],
    },
    deposit: transfer,
  }),
);

/** A page of records. Bitget, about `cursor`: "use the smallest orderId returned from the previous query". */
export function readPage(body: unknown): EntryPage {
  const page = entriesOf(body);
  const ids = page.map((entry) => fieldOf('orderId', name).parse(entry));
  const last = page.length < PAGE_SIZE ? null : smallest(ids);
  return { entries: page, nextCursor: last === null ? null : toV3Cursor(last) };
}

/** The smallest of whole numbers. For ids in another form it is the last one, because lists begin with the newest. */
function smallest(ids: readonly string[]): string | null {
  const isNumeric = ids.every((id) => /^\d{1,30}$/.test(id));
  const sorted = isNumeric ? [...ids].sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)) : ids;
  return sorted.at(-1) ?? null;
}

/**
 * The fees of an order. Bitget reports an empty text or null in place of the list while nothing is executed (recorded
 * in ccxt 4.5.84, `bitget.fetchOpenOrders`).
 */
const feeEntry = feeForm(
  fieldOf('fee', optionalAmount).transform((fee) => fee?.abs() ?? null),
  'feeCoin',
);
const fees = fieldOf('feeDetail', z.union([z.literal('').transform(() => []), listOf(feeEntry)])).transform(
  (all): ReportedFees =>
    all.length === 0 || all.some((each) => each === null) ? null : all.flatMap((each) => each ?? []),
);

/** Bitget's page uta/trade/Get-Order-Details */
const orderOf = orderReader({
  exchangeId: 'orderId',
  clientOrderId: 'clientOid',
  pair: 'symbol',
  side: 'side',
  type: 'orderType',
  volume: 'qty',
  limitPrice: 'price',
  executedVolume: 'cumExecQty',
  cost: 'cumExecValue',
  status: 'orderStatus',
  statuses: { live: 'open', new: 'open', partially_filled: 'open', filled: 'filled', cancelled: 'canceled' },
  averagePrice: 'avgPrice',
  fees,
  openedAt: 'createdTime',
  changedAt: 'updatedTime',
});

/** The order of a response; null = the response states that there is none. */
const foundOrder = success(z.record(z.string(), z.unknown()).nullable());
export function readOrder(body: unknown, codeOf: CodeOf): ExchangeOrder | null {
  const found = foundOrder.parse(body);
  return found === null ? null : orderOf(found, codeOf);
}

/** A list that is empty is null, and so is its cursor (recorded in msei99/pbgui). */
const orderPage = success(z.object({ list: statedList(z.unknown()), cursor: optionalText }));
/**
 * A page of the orders of Bitget's page uta/trade/Get-Order-History.
 * @param reference our client order id; orders with another id are left out
 */
export const readOrdersWith = (reference: string) => (body: unknown, codeOf: CodeOf) => {
  const { list, cursor } = orderPage.parse(body);
  const ours = list.filter((entry) => fieldOf('clientOid', optionalText).parse(entry) === reference);
  return { entries: ours.map((entry) => orderOf(entry, codeOf)), nextCursor: list.length === 0 ? null : cursor };
};
