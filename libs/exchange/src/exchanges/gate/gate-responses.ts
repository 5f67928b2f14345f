import { z } from 'zod';
import { balanceReader } from '../../capabilities/account-balances.js';
import { fieldOf, formOf, readerOf } from '../../capabilities/entry-fields.js';
import { errorReader, idIn } from '../../capabilities/envelope.js';
import { keyForm } from '../../capabilities/key-form.js';
import { addressForm, addressReader, type ListedAddress } from '../../capabilities/listed-deposits.js';
import { entriesByNetwork, networkReader } from '../../capabilities/network-form.js';
import { feeForm, type ReportedFees } from '../../capabilities/order-fees.js';
import { orderReader } from '../../capabilities/order-form.js';
import {
  amount,
  entriesOf,
  listOf,
  name,
  optionalAmount,
  optionalText,
  epochTime,
} from '../../capabilities/response-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import { LIMIT_ONLY, decimal, digits, flatFees, type PairListing } from '../../declaration/pair-source.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type { KeyInfo } from '../../port/exchange.port.js';
import type { ListReader } from '../../transport/list-reader.js';

/**
 * The fields that we read, by www.gate.com/docs/developers/apiv4 (June 2026). The comment above each reader names the
 * page.
 */

/** Gate's documentation: #error-handling */
export const readErrors = errorReader({ code: 'label', codeForm: name, message: 'message' });

/**
 * Gate's documentation, account: "Retrieve user account information". Gate reports neither the permissions of the key,
 * nor when the key was created, was last used, or ends.
 */
const readKeyInfo = readerOf(keyForm({ ipAllowlist: fieldOf('ip_whitelist', listOf(z.string())) }));

/** Gate describes the member `mode` of this response: "Mode: 1 - Classic mode, 2 - Legacy unified mode". */
const unified = z.looseObject({ key: z.looseObject({ mode: z.literal(2) }) });

export const readKey = (body: unknown): { info: KeyInfo; isUnified: boolean } => ({
  info: readKeyInfo(body),
  isUnified: unified.safeParse(body).success,
});

/** Gate's documentation, spot: "List spot trading accounts" */
export const readBalances = balanceReader(entriesOf, { asset: 'currency', free: 'available', used: 'locked' });

/**
 * Our network ids by Gate's names of chains. Other names are left out. The names are those of the table in ccxt 4.5.84
 * (`gate.options.networks`) and of the recorded list in github.com/ccxt/ccxt (ts/src/test/static/currencies/gate.json
 * at 178eebd).
 */
const byChain: Readonly<Record<string, string>> = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  ARBEVM: 'arbitrum',
  OPETH: 'optimism',
  BASEEVM: 'base',
  MATIC: 'polygon',
  BSC: 'bsc',
  AVAX_C: 'avalanche',
  LINEAETH: 'linea',
  ZKSERA: 'zksync',
  SOL: 'solana',
  TRX: 'tron',
  XRP: 'ripple',
  XLM: 'stellar',
  HBAR: 'hedera',
  TON: 'ton',
  ADA: 'cardano',
  ALGO: 'algorand',
  NEAR: 'near',
  XTZ: 'tezos',
  SUI: 'sui',
  APT: 'aptos',
};

/** The tables of names of networks. */
export const networkNames = [byChain];

/** Returns an entry for each chain of each currency. Gate's documentation, spot: "Query all currency information". */
export const chainsOf = (body: unknown): unknown[] =>
  entriesByNetwork(entriesOf(body), 'chains', ['currency', 'delisted']);

export const readNetwork = networkReader(byChain, {
  asset: 'currency',
  network: 'name',
  contract: 'addr',
  canDeposit: z
    .object({ delisted: z.boolean(), deposit_disabled: z.boolean() })
    .transform((one) => !one.delisted && !one.deposit_disabled),
});

const address = addressForm({ network: 'chain', address: 'address', tag: 'payment_id' });

/** Gate's API v2 sent a text in place of an address: "New address is being generated for you, please wait a moment". */
const isPending = (text: unknown): boolean => typeof text === 'string' && /\bbeing generated\b/i.test(text);

/**
 * Gate's documentation, wallet: "Generate currency deposit address". `obtain_failed` is "0: address successfully
 * obtained". Entries with another value are left out.
 */
const chainAddresses = z.array(z.looseObject({ obtain_failed: z.unknown(), address: z.unknown() }));
const obtained = fieldOf('multichain_addresses', chainAddresses).transform((all) =>
  all.filter((one) => one.obtain_failed === 0 && !isPending(one.address)),
);
const readObtained = addressReader(readerOf(obtained), address);
const texts = z.object({ address: z.unknown(), multichain_addresses: listOf(z.object({ address: z.unknown() })) });

/** @throws ExchangeError with the reason `address_pending` when Gate generates an address and has no other one */
export function readAddresses(body: unknown, lists: ListReader): ListedAddress[] {
  const { data } = texts.safeParse(body);
  const all = [data?.address, ...(data?.multichain_addresses ?? []).map((one) => one.address)];
  if (!all.some(isPending) || (obtained.safeParse(body).data ?? []).length > 0) return readObtained(body, lists);
  throw new ExchangeError('refused', 'gate', 'the address is being generated', {
    code: 'DEPOSIT_ADDRESS_UNAVAILABLE',
    reason: 'address_pending',
  });
}

const transfer = {
  exchangeId: 'id',
  asset: 'currency',
  amount: 'amount',
  status: 'status',
  network: 'chain',
  address: 'address',
  tag: 'memo',
  hash: 'txid',
  at: fieldOf('timestamp', epochTime),
};

/**
 * The status of a withdrawal. "DONE: Completed (block_number > 0 is considered to be truly completed)"
 * (github.com/gateio/gateapi-go, docs/WithdrawalRecord.md). A DONE withdrawal in the block 0 therefore stays pending. A
 * DONE withdrawal without `block_number` counts as completed.
 */
const withdrawalStatus = z
  .looseObject({ status: name })
  .transform(({ status, ...rest }) =>
    status === 'DONE' && String(rest['block_number']) === '0' ? 'DONE (block 0)' : status,
  );

/**
 * Gate's documentation, wallet: "Get withdrawal records", "Get deposit records". The amount of a withdrawal contains
 * its fee. The documentation does not state this, but of a withdrawal with an amount of 9 USDT and a fee of 2 USDT, 7
 * USDT arrived (github.com/ccxt/ccxt/pull/17071).
 */
export const readTransfer = transferReader(byChain, {
  withdrawal: {
    ...transfer,
    status: withdrawalStatus,
    amountIs: 'gross',
    fee: 'fee',
    clientRef: 'withdraw_order_id',
    // Gate no longer documents REJECT. "INVALID: Invalid order"; "FAIL: Failure on the chain awaiting confirmation" is
    // not final (github.com/gateio/gateapi-go, docs/WithdrawalRecord.md, July 2025).
    finals: { DONE: 'completed', CANCEL: 'canceled', REJECT: 'failed', INVALID: 'failed' },
  },
  // BLOCKED ("Rejected Recharge") is not final, because the documentation does not say what becomes of the deposit.
  // DEP_CREDITED ("Deposit Credited, Withdrawal Pending Unlock") is not final: the deposit cannot be withdrawn yet.
  deposit: { ...transfer, finals: { DONE: 'completed', INVALID: 'failed' } },
});

/** Gate's documentation, spot: "Create an order" */
export const readOrderId = idIn(fieldOf('id', name));

/** Our client order id in an order; null = the order has none. */
export const clientIdOf = (entry: unknown): string | null => fieldOf('text', optionalText).parse(entry);

/**
 * The fee is deducted in the currency `fee_currency`, in GT ("GT used to deduct fee") or in points ("Points used to
 * deduct fee").
 */
const [fee, inGt, inPoints] = [feeForm('fee', 'fee_currency'), feeForm('gt_fee'), feeForm('point_fee')];
const fees = formOf<ReportedFees>((entry) => {
  const own = fee.parse(entry);
  const others = [
    ...(inGt.parse(entry) ?? []).map((one) => ({ ...one, asset: 'GT' })),
    ...(inPoints.parse(entry) ?? []).map((one) => ({ ...one, asset: 'POINT' })),
  ];
  return own === null && others.length === 0 ? null : [...(own ?? []), ...others];
});

/** Gate's documentation, spot: "Query single order details" */
export const readOrder = orderReader({
  exchangeId: 'id',
  clientOrderId: 'text',
  pair: 'currency_pair',
  side: 'side',
  type: 'type',
  volume: 'amount',
  status: 'status',
  statuses: { open: 'open', closed: 'filled', cancelled: 'canceled' },
  // Samples of April 2024 and before have no `filled_amount`. The executed volume then follows from `left`.
  executedVolume: z
    .object({ amount, left: amount, filled_amount: optionalAmount })
    .transform((one) => ({ left: one.amount.minus(one.left), filled: one.filled_amount }))
    .refine(({ left, filled }) => filled?.equals(left) !== false)
    .transform(({ left }) => left),
  limitPrice: 'price',
  cost: 'filled_total',
  averagePrice: 'avg_deal_price',
  fees,
  openedAt: 'create_time_ms',
  changedAt: 'update_time_ms',
});

/**
 * Gate's documentation, #query-all-supported-currency-pairs. Only pairs with the status `tradable` take orders here,
 * because `buyable` allows only buying and `sellable` only selling. The list does not state which pairs have margin.
 */
export const gatePairs: PairListing = {
  path: '/api/v4/spot/currency_pairs',
  list: entriesOf,
  pair: pairForm({
    base: 'base',
    quote: 'quote',
    symbol: 'id',
    status: 'trade_status',
    // A market order to buy states its cost (#create-an-order). Our orders state volumes, so they must be limit orders.
    orderTypes: { tradable: LIMIT_ONLY },
    tickSize: fieldOf('precision', digits),
    stepSize: fieldOf('amount_precision', digits),
    minBaseQty: 'min_base_amount',
    minCost: 'min_quote_amount',
    // The fee is in percent, without the discounts of an account.
    feeTiers: fieldOf('fee', decimal).transform((rate) => flatFees(rate, rate)),
  }),
};
