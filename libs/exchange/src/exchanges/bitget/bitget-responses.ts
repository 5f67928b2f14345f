import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader, sumOf, type BalanceForm } from '../../capabilities/account-balances.js';
import { fieldOf, readerOf } from '../../capabilities/entry-fields.js';
import { envelope, errorReader, idIn } from '../../capabilities/envelope.js';
import { keyForm } from '../../capabilities/key-form.js';
import { addressForm, type ListedAddress } from '../../capabilities/listed-deposits.js';
import { entriesByNetwork, networkReader } from '../../capabilities/network-form.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import type { ReportedFees } from '../../capabilities/order-fees.js';
import { orderReader } from '../../capabilities/order-form.js';
import {
  amount,
  entries,
  heldEntries,
  name,
  optionalAmount,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { transferReader, type TransferReader } from '../../capabilities/transfer-form.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import { lookUp } from '../../declaration/look-up.js';
import { LIMIT_ONLY, decimal, digits, flatFees, percent, type PairListing } from '../../declaration/pair-source.js';
import type { ExchangeOrder } from '../../port/trading.port.js';
import { parseExactly } from '../../transport/exact-json.js';

/** The sample of the page spot/account/Get-Account-Assets has `usdt`, every other page writes `USDT`. */
export const codeOf: CodeOf = (coin) => (coin === coin.toLowerCase() ? coin.toUpperCase() : coin);

/** The fields that we read, by www.bitget.com/api-doc (December 2025). The comment above each reader names the page. */

const SUCCESS = '00000';
export const success = envelope({ code: 'code', success: SUCCESS, data: 'data' });
/** The entries of a response that is a list. */
export const entriesOf = readerOf(success(entries));
/** The entries of a response that lists holdings. */
export const heldIn = readerOf(success(heldEntries));

/** Bitget's documentation: spot/error-code/restapi */
export const readErrors = errorReader({ code: 'code', codeForm: z.string(), message: 'msg', success: SUCCESS });

/** Bitget's page spot/account/Get-Account-Info. Bitget does not report when the key was created or ends. */
export const readKeyInfo = readerOf(
  success(keyForm({ permissions: fieldOf('authorities', z.array(z.string())), ipAllowlist: 'ips' })),
);

/**
 * Bitget's pages spot/account/Get-Account-Assets and common/account/Funding-Assets. The latter has no `locked`, and its
 * `frozen` may be empty.
 */
const balance: BalanceForm = { asset: 'coin', free: 'available', used: sumOf(optionalAmount, 'frozen', 'locked') };
export const readBalances = balanceReader(heldIn, balance);
/** Page spot/account/Get-Subaccount-Assets: the assets of one sub-account. */
export const readSubAccountAssets = balanceReader(readerOf(entries), balance);

/**
 * Our network ids by Bitget's names of chains, in lower case: the documented list of coins has them in upper case
 * ("BTC"), requests and records in lower case ("erc20"). Other names are left out. Sources are the recorded list in
 * github.com/ccxt/ccxt (ts/src/test/static/currencies/bitget.json at 06876cd) and the table in ccxt 4.5.84
 * (`bitget.options.networks`). `C-Chain` of that table is left out: no list or record of Bitget that we know has it.
 */
const byChain: Readonly<Record<string, string>> = {
  btc: 'bitcoin',
  lightning: 'lightning',
  eth: 'ethereum',
  erc20: 'ethereum',
  etc: 'ethereumclassic',
  arbitrumone: 'arbitrum',
  optimism: 'optimism',
  base: 'base',
  polygon: 'polygon',
  bep20: 'bsc',
  'avaxc-chain': 'avalanche',
  linea: 'linea',
  zksyncera: 'zksync',
  sol: 'solana',
  trc20: 'tron',
  ltc: 'litecoin',
  bch: 'bitcoincash',
  doge: 'dogecoin',
  xrp: 'ripple',
  // "TON(TON)" was recorded in 2024 (knowm/XChange).
  atom: 'cosmos',
  ton: 'ton',
  'ton(ton)': 'ton',
  cardano: 'cardano',
  dot: 'polkadot',
  kusama: 'kusama',
  nearprotocol: 'near',
  aptos: 'aptos',
  fil: 'filecoin',
};

/** The tables of names of networks. */
export const networkNames = [byChain];

/** Our network id of a chain; null = we do not know the chain. */
export const networkIdOf = (chain: string | null): string | null => lookUp(byChain, chain?.toLowerCase() ?? null);

/** Returns an entry for each chain of each coin (Bitget's page spot/market/Get-Coin-List). */
export const chainsOf = (body: unknown): unknown[] => entriesByNetwork(entriesOf(body), 'chains', ['coin']);

/** A boolean, or the text "true" or "false", which the documentation calls Boolean. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/**
 * The only network on which the connector withdraws: for other networks, the documentation does not state whether the
 * amount includes the fee.
 */
const WITHDRAWN = 'lightning';

export const readNetwork = networkReader(networkIdOf, {
  asset: 'coin',
  network: 'chain',
  contract: 'contractAddress',
  canDeposit: fieldOf('rechargeable', flag),
  minDeposit: 'minDepositAmount',
  withdrawals: {
    isOpen: z
      .object({ chain: name, withdrawable: flag })
      .transform(({ chain, withdrawable }) => withdrawable && networkIdOf(chain) === WITHDRAWN),
    decimals: 'withdrawMinScale',
    min: 'minWithdrawAmount',
    needsTag: fieldOf('needTag', flag),
    fee: 'withdrawFee',
    feeShare: 'extraWithdrawFee',
  },
});

/**
 * Bitget's page spot/account/Get-Deposit-Address. Its sample names a chain ("BTC-Bitcoin") that is not in the list of
 * coins. A chain that we do not know therefore counts as the requested one. Another chain that we know is returned
 * unchanged.
 */
const address = success(addressForm({ network: 'chain', address: 'address', tag: 'tag' }));
export function readAddress(body: unknown, { exchangeNetworkId, networkId }: ListedNetwork): ListedAddress {
  const found = address.parse(body);
  const named = networkIdOf(found.exchangeNetworkId);
  const isAnother = named !== null && named !== networkId;
  return isAnother ? found : { ...found, exchangeNetworkId };
}

/** Bitget's pages Wallet-Withdrawal and Place-Order: the id of the accepted withdrawal or order. */
export const readOrderId = idIn(success(fieldOf('orderId', name)));

/** The value of `dest` for a transfer on a chain. */
export const ON_CHAIN = 'on_chain';

/**
 * Returns a field of a transfer, or null when the transfer's `dest` is not one of `dests`. In a transfer within Bitget,
 * the address can be a user id, an email address or a telephone number, and `tradeId` is no hash.
 */
export const ofDest = (field: string, ...dests: readonly string[]) =>
  z
    .object({ [field]: optionalText, dest: optionalText })
    .transform((one) => (dests.includes(one.dest ?? ON_CHAIN) ? (one[field] ?? null) : null));
/**
 * Returns a field of a transfer whose destination is an address, which may be that of another user of Bitget. Returns
 * null for other transfers, such as those to a user id.
 */
const ofAddress = (field: string) => ofDest(field, ON_CHAIN, 'inner_address_transfer');

const transfer = {
  exchangeId: 'orderId',
  asset: 'coin',
  amount: 'size',
  status: 'status',
  at: 'cTime',
  tag: 'tag',
  network: ofAddress('chain'),
  address: ofAddress('toAddress'),
  hash: ofDest('tradeId', ON_CHAIN),
  finals: { success: 'completed', fail: 'failed' },
} as const;
/** The API v1 (page "Get Withdraw List") also documented `cancel` and `reject`, which older withdrawals may have. */
const withdrawalFinals = { ...transfer.finals, cancel: 'canceled', reject: 'failed' } as const;

/** Bitget's documentation: spot/account/Get-Withdraw-Record, spot/account/Get-Deposit-Record */
const transferOf = transferReader(networkIdOf, {
  // Fees are negative: the sample has "fee": "-1.00000000".
  withdrawal: {
    ...transfer,
    finals: withdrawalFinals,
    fee: fieldOf('fee', optionalAmount).transform((fee) => fee?.abs() ?? null),
    clientRef: 'clientOid',
    underway: ['pending'],
  },
  deposit: transfer,
});

/**
 * Returns a reader that marks records whose fee is uncertain with `isFeeUnsettled`. On networks other than Lightning,
 * the documentation does not state whether the amount contains the fee, unless the fee is zero.
 */
export const settlingFees =
  (read: TransferReader): TransferReader =>
  (kind, entry, codeOf) => {
    const record = read(kind, entry, codeOf);
    const isSettled = record.network === WITHDRAWN || record.fee?.isZero() === true;
    return isSettled ? record : { ...record, isFeeUnsettled: true };
  };
export const readTransfer = settlingFees(transferOf);

/** Bitget: "The default value is 20 and the maximum value is 100" */
export const PAGE_SIZE = 100;

/** A page of records. The next page begins before the id of the last record. */
export function readPage(body: unknown): EntryPage {
  const entries = entriesOf(body);
  const isLast = entries.length < PAGE_SIZE;
  return { entries, nextCursor: isLast ? null : fieldOf('orderId', name).parse(entries.at(-1)) };
}

/**
 * The fees of an order in `feeDetail`, which is a JSON object as text, with an entry for each coin. Its entry `newFees`
 * is left out. Fees are negative. A fee that is paid in BGB is in `totalDeductionFee`.
 */
const feeEntry = z.object({
  feeCoinCode: name,
  totalFee: optionalAmount,
  totalDeductionFee: optionalAmount,
  deduction: z.boolean(),
});
const fees = fieldOf('feeDetail', optionalText).transform((text): ReportedFees => {
  const { newFees: _total, ...byCoin } = z.record(z.string(), z.unknown()).parse(parseExactly(text ?? '{}'));
  const all = Object.values(byCoin).map((entry) => feeEntry.parse(entry));
  const known = all.flatMap(({ feeCoinCode: asset, deduction, totalDeductionFee, totalFee }) => {
    const fee = deduction ? totalDeductionFee : totalFee;
    return fee === null ? [] : { asset, amount: Amount.zero.minus(fee) };
  });
  return all.length === 0 || known.length < all.length ? null : known;
});

/** Bitget's documentation: spot/trade/Get-Order-Info */
const orderOf = orderReader({
  exchangeId: 'orderId',
  clientOrderId: 'clientOid',
  pair: 'symbol',
  side: 'side',
  type: 'orderType',
  volume: 'size',
  limitPrice: 'price',
  executedVolume: 'baseVolume',
  cost: 'quoteVolume',
  status: 'status',
  statuses: { live: 'open', partially_filled: 'open', filled: 'filled', cancelled: 'canceled' },
  averagePrice: z
    .object({ baseVolume: amount, priceAvg: optionalAmount })
    .transform((one) => (one.baseVolume.isZero() ? null : one.priceAvg)),
  fees,
  openedAt: 'cTime',
  changedAt: 'uTime',
});

/** The order in a list of at most one order; null = the list is empty. */
export function readOrder(body: unknown, codeOf: CodeOf): ExchangeOrder | null {
  const [one] = success(z.array(z.unknown()).max(1)).parse(body);
  return one === undefined ? null : orderOf(one, codeOf);
}

/**
 * A page of ended orders (Bitget's page Get-History-Orders). @param reference our client order id; orders with another
 * id are left out
 */
export const readOrdersWith = (reference: string) => (body: unknown, codeOf: CodeOf) => {
  const { entries: all, nextCursor } = readPage(body);
  const ours = all.filter((entry) => fieldOf('clientOid', optionalText).parse(entry) === reference);
  return { entries: ours.map((entry) => orderOf(entry, codeOf)), nextCursor };
};

/**
 * Bitget's page spot/market/Get-Symbols. The status `gray` allows trading only for some users, so these pairs take no
 * orders here. The list does not state which pairs have margin.
 */
export const bitgetPairs: PairListing = {
  path: '/api/v2/spot/public/symbols',
  list: entriesOf,
  pair: pairForm({
    base: 'baseCoin',
    quote: 'quoteCoin',
    symbol: 'symbol',
    status: 'status',
    minBaseQty: 'minTradeAmount',
    // A market order to buy states its cost (spot/trade/Place-Order). Our orders state volumes, so they must be limit
    // orders.
    orderTypes: { online: LIMIT_ONLY },
    tickSize: fieldOf('pricePrecision', digits),
    stepSize: fieldOf('quantityPrecision', digits),
    // The minimum is in USDT for every pair, so we read it only for pairs whose quote asset is USDT.
    minCost: z
      .object({ quoteCoin: name, minTradeUSDT: decimal })
      .transform((one) => (one.quoteCoin === 'USDT' ? one.minTradeUSDT : null)),
    feeTiers: z
      .object({ makerFeeRate: decimal, takerFeeRate: decimal })
      .transform((one) => flatFees(percent(one.makerFeeRate), percent(one.takerFeeRate))),
  }),
};
