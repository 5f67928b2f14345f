import { z } from 'zod';
import { byAccount, readHoldings, type Account } from '../../capabilities/account-balances.js';
import { fieldOf, readerOf } from '../../capabilities/entry-fields.js';
import type { AssetListing } from '../../client/declared-exchange.js';
import type { Endpoint } from '../../client/exchange-client.js';
import { envelope, errorReader, idIn } from '../../capabilities/envelope.js';
import { keyForm } from '../../capabilities/key-form.js';
import { addressForm } from '../../capabilities/listed-deposits.js';
import { entriesByNetwork, networkReader } from '../../capabilities/network-form.js';
import { feeForm } from '../../capabilities/order-fees.js';
import { orderReader } from '../../capabilities/order-form.js';
import {
  amount,
  codeText,
  decimalPlaces,
  entries,
  heldEntries,
  epochTime,
  name,
  optionalTag,
  optionalText,
  statedList,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { idOr, transferReader } from '../../capabilities/transfer-form.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import { BOTH, NONE, type PairListing } from '../../declaration/pair-source.js';
import { readEntries } from '../../declaration/ticker-source.js';
import type { ListReader } from '../../transport/list-reader.js';

/**
 * Readers of KuCoin's responses. The comment above each reader names the page below www.kucoin.com/docs-new/rest where
 * its fields are documented.
 */

export const CURRENCIES: Endpoint = { method: 'GET', path: '/api/v3/currencies', isPublic: true };

const SUCCESS = '200000';
const success = envelope({ code: 'code', success: SUCCESS, data: 'data' });
const list = readerOf(success(entries));
const held = readerOf(success(heldEntries));

/** Errors come with any HTTP status: "If the returned HTTP status code is 200, whereas the operation failed …" */
export const readErrors = errorReader({ code: 'code', message: 'msg', success: SUCCESS });

/** account-info/account-funding/get-apikey-info. `ipWhitelist` is absent for keys without one. */
export const readKeyInfo = readerOf(
  success(keyForm({ permissions: 'permission', ipAllowlist: 'ipWhitelist', createdTime: 'createdAt' })),
);

/** The account that pays withdrawals: "You can’t withdraw funds directly from a trade account." */
const PAYING_ACCOUNT = 'main';

const holdingKey = z.object({ currency: name, type: name });
const holdingAmounts = z.object({ available: amount, holds: amount });

/** account-info/account-funding/get-account-list-spot: one entry for each account and asset. */
export function readAccounts(body: unknown, codeOf: CodeOf, lists: ListReader): Account[] {
  const holdings = readHoldings(lists, held(body), {
    keyOf: (entry) => {
      const { currency, type: account } = holdingKey.parse(entry);
      return { asset: codeOf(currency), account };
    },
    amountsOf: (entry) => {
      const { available: free, holds: used } = holdingAmounts.parse(entry);
      return { free, used };
    },
  });
  return byAccount(holdings, PAYING_ACCOUNT);
}

/**
 * Our network ids by KuCoin's `chainId`. Other ids are left out. The ids are those of the table in ccxt 4.5.84
 * (`kucoin.options.networks`), and `btcln` of the documented list:
 * www.kucoin.com/docs-new/rest/spot-trading/market-data/get-all-currencies
 */
const byChainId: Readonly<Record<string, string>> = {
  btc: 'bitcoin',
  btcln: 'lightning',
  eth: 'ethereum',
  etc: 'ethereumclassic',
  arbitrum: 'arbitrum',
  optimism: 'optimism',
  base: 'base',
  matic: 'polygon',
  bsc: 'bsc',
  avaxc: 'avalanche',
  sol: 'solana',
  trx: 'tron',
  ltc: 'litecoin',
  bch: 'bitcoincash',
  doge: 'dogecoin',
  zec: 'zcash',
  xmr: 'monero',
  xrp: 'ripple',
  xlm: 'stellar',
  hbar: 'hedera',
  stx: 'stacks',
  atom: 'cosmos',
  ton: 'ton',
  ada: 'cardano',
  dot: 'polkadot',
  ksm: 'kusama',
  algo: 'algorand',
  near: 'near',
  xtz: 'tezos',
  aptos: 'aptos',
  fil: 'filecoin',
};

/** The entries of spot-trading/market-data/get-all-currencies, one for each asset and chain. */
export const chainsOf = (body: unknown): unknown[] => entriesByNetwork(list(body), 'chains', ['currency', 'precision']);

/**
 * KuCoin lists Bitcoin twice: `btc`, and `bech32` for addresses that begin with bc1. We offer only `btc`, but a record
 * can name either.
 */
const inRecords = { ...byChainId, bech32: 'bitcoin' };

/** The tables of names of networks. */
export const networkNames = [inRecords];

/**
 * The names of the assets in the same list. KuCoin: `currency` is "a unique currency code that will never change", and
 * `name` "will change after renaming". So the name is what KuCoin's users know the asset by.
 */
export const kucoinAssets: AssetListing = {
  endpoint: CURRENCIES,
  // `chainsOf` counts the unreadable entries of this list.
  read: (body) =>
    readEntries(list(body), listed).map(({ currency: id, name: shown, precision: decimals }) => {
      return { id, name: shown, decimals };
    }),
};
const listed = z.object({ currency: name, name, precision: decimalPlaces });

/** Reads one entry of `chainsOf`. */
export const readNetwork = networkReader(byChainId, {
  asset: 'currency',
  network: 'chainId',
  displayName: 'chainName',
  contract: 'contractAddress',
  canDeposit: 'isDepositEnabled',
  minDeposit: 'depositMinSize',
  withdrawals: {
    isOpen: 'isWithdrawEnabled',
    min: 'withdrawalMinSize',
    max: 'maxWithdraw',
    needsTag: 'needTag',
    // Some chains in recorded lists (ccxt, JKorf/Kucoin.Net) have no precision, so we take the precision of the asset.
    decimals: z
      .object({ withdrawPrecision: decimalPlaces.nullish(), precision: decimalPlaces })
      .transform((one) => one.withdrawPrecision ?? one.precision),
    // `withdrawalMinFee` is the whole fee only if `withdrawFeeRate` is zero. Otherwise no withdrawals are offered.
    fee: fieldOf('withdrawalMinFee', amount),
    feeShare: 'withdrawFeeRate',
  },
});

/** KuCoin's documentation: account-info/deposit/get-deposit-address-v3 and add-deposit-address-v3 */
const depositAddress = addressForm({ network: 'chainId', address: 'address', tag: 'memo' });
export const readAddresses = readerOf(success(statedList(depositAddress)));
export const readAddress = readerOf(success(depositAddress));

/** account-info/withdrawals/withdraw-v3: the id of the accepted withdrawal. */
export const readWithdrawalId = idIn(success(fieldOf('withdrawalId', codeText)));

const count = z.coerce.number().int().nonnegative();
/** Reads a page of account-info/withdrawals/get-withdrawal-history or account-info/deposit/get-deposit-history. */
export const readPage = readerOf(
  success(z.object({ items: statedList(z.unknown()), currentPage: count, totalPage: count })).transform(
    ({ items, currentPage: page, totalPage }): EntryPage => ({
      entries: items,
      nextCursor: page < totalPage ? String(page + 1) : null,
    }),
  ),
);

/** KuCoin's documentation: account-info/withdrawals/get-withdrawal-history-by-id */
export const readOne = readerOf(success(z.unknown()));

const recordId = idOr('id', {
  currency: name,
  walletTxId: optionalText,
  address: optionalText,
  memo: optionalTag,
  amount,
  createdAt: epochTime,
});

const transfer = {
  status: 'status',
  asset: 'currency',
  amount: 'amount',
  address: 'address',
  tag: 'memo',
  at: 'createdAt',
  finals: { SUCCESS: 'completed', FAILURE: 'failed' },
  // A record in a list has the field `chain`. A record that is read by its id has the field `chainId` instead.
  network: z.object({ chain: optionalText, chainId: optionalText }).transform((one) => one.chain ?? one.chainId),
  // The hash can have an id of KuCoin after `@`, as in "2C24A6D5…AD83B@e8902757998fc352e6c9d8890d18a71c".
  hash: fieldOf('walletTxId', optionalText).transform((hash) => hash?.split('@')[0] ?? null),
} as const;

/**
 * The records of the histories. Deposits have no id, and in the samples, withdrawals to other users of KuCoin
 * (`isInner`) have none either, so the id of these records consists of their other fields. The documentation does not
 * say whether a deposit's amount contains its fee, so deposits have no fee here.
 */
export const readTransfer = transferReader(inRecords, {
  withdrawal: {
    ...transfer,
    fee: 'fee',
    clientRef: 'remark',
    // KuCoin's page account-info/withdrawals/get-withdrawal-history
    underway: ['REVIEW', 'PROCESSING', 'WALLET_PROCESSING'],
    exchangeId: z.union([
      fieldOf('id', name),
      z.looseObject({ isInner: z.literal(true) }).transform((one) => recordId.parse(one)),
    ]),
  },
  deposit: { ...transfer, exchangeId: recordId },
});

/** KuCoin's documentation: spot-trading/orders/add-order */
export const readOrderId = idIn(success(fieldOf('orderId', codeText)));

/**
 * The status of an order. KuCoin: "Canceled or fully filled orders are marked as completed Done status." We distinguish
 * these orders by their volumes and by `cancelExist`.
 */
const status = z
  .object({ active: z.boolean(), cancelExist: z.boolean(), size: amount, dealSize: amount })
  .transform(({ active, cancelExist, size, dealSize }) => {
    if (active) return 'active';
    if (dealSize.equals(size)) return 'filled';
    return cancelExist ? 'canceled' : 'done';
  });

/** KuCoin's documentation: spot-trading/orders/get-order-by-clientoid and get-order-by-orderid */
const orderOf = orderReader({
  exchangeId: 'id',
  clientOrderId: 'clientOid',
  pair: 'symbol',
  side: 'side',
  type: 'type',
  volume: 'size',
  status,
  statuses: { active: 'open', filled: 'filled', canceled: 'canceled' },
  limitPrice: 'price',
  executedVolume: 'dealSize',
  cost: 'dealFunds',
  fees: feeForm('fee', 'feeCurrency'),
  openedAt: 'createdAt',
  changedAt: 'lastUpdatedAt',
});
export const readOrder = (body: unknown, codeOf: CodeOf) => orderOf(readOne(body), codeOf);

const state = fieldOf('enableTrading', z.boolean());

/** The name of one asset of a pair: `name` is BSV-USDT where the symbol is BCHSV-USDT. It follows renamings. */
const shownName = (part: 0 | 1) =>
  z.object({ name: z.string().regex(/^.+-[^-]+$/) }).transform(({ name: pair }) => {
    const at = pair.lastIndexOf('-');
    return part === 0 ? pair.slice(0, at) : pair.slice(at + 1);
  });

/**
 * spot-trading/market-data/get-all-symbols. Instead of a status, the list has a boolean that states whether the pair
 * can be traded. Fees depend on the account, so the list contains none.
 */
export const kucoinPairs: PairListing = {
  path: '/api/v2/symbols',
  list,
  pair: pairForm({
    base: 'baseCurrency',
    quote: 'quoteCurrency',
    symbol: 'symbol',
    margin: 'isMarginEnabled',
    baseAsset: shownName(0),
    quoteAsset: shownName(1),
    status: state.transform((isOpen) => (isOpen ? 'enabled' : 'disabled')),
    orderTypes: state.transform((isOpen) => (isOpen ? BOTH : NONE)),
    tickSize: 'priceIncrement',
    stepSize: 'baseIncrement',
    minBaseQty: 'baseMinSize',
    minCost: 'minFunds',
  }),
};
