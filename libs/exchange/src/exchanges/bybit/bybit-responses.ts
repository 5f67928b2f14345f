import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader, type AccountBalance } from '../../capabilities/account-balances.js';
import type { SavedAddress } from '../../capabilities/address-book.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { envelope, errorReader, idIn } from '../../capabilities/envelope.js';
import { addressForm } from '../../capabilities/listed-deposits.js';
import { entriesByNetwork, networkReader } from '../../capabilities/network-form.js';
import { orderReader } from '../../capabilities/order-form.js';
import {
  UNREPORTED,
  amount,
  codeText,
  listOf,
  name,
  notNegative,
  optionalAmount,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import type { EntryPage } from '../../capabilities/transfer-pages.js';
import { idOfParts } from '../../capabilities/transfer-record.js';
import { lookUp } from '../../declaration/look-up.js';
import { BOTH, NONE, decimal, type PairListing } from '../../declaration/pair-source.js';
import type { KeyInfo } from '../../port/exchange.port.js';
import type { ExchangeOrder } from '../../port/trading.port.js';

/** The fields that we read of bybit-exchange.github.io/docs/v5 (July 2026). The page is beside each form. */

/** guide#common-response-parameters */
const success = envelope({ code: 'retCode', success: '0', data: 'result' });
export const readErrors = errorReader({ code: 'retCode', message: 'retMsg', success: '0' });

/**
 * One page of records. `nextPageCursor` is not empty on the last page of the documented samples, so that only an empty
 * page is certain to be the last one.
 */
export function readPage(body: unknown): EntryPage {
  const page = success(z.object({ rows: listOf(z.unknown()), nextPageCursor: optionalText }));
  const { rows, nextPageCursor } = page.parse(body);
  return { entries: rows, nextCursor: rows.length === 0 ? null : nextPageCursor };
}

/** "1970-01-01T00:00:00Z" stands for no time. */
const optionalDate = z
  .string()
  .nullish()
  .transform((text) => Date.parse(text ?? '') / 1000)
  .transform((seconds) => (Number.isFinite(seconds) && seconds > 0 ? seconds : null));

const keyInfo = success(
  z.object({
    readOnly: codeText,
    permissions: z.record(z.string(), z.array(z.string()).nullish()),
    ips: listOf(z.string()),
    expiredAt: optionalDate,
    createdAt: optionalDate,
  }),
);

/** user/apikey-info. The permissions of a read-only key allow reading only. */
export function readKeyInfo(body: unknown): KeyInfo {
  const { readOnly, permissions, ips, expiredAt, createdAt } = keyInfo.parse(body);
  return {
    ...{ ...UNREPORTED, validUntil: expiredAt, createdTime: createdAt },
    permissions: readOnly === '1' ? ['readOnly'] : Object.values(permissions).flatMap((names) => names ?? []),
    ipAllowlist: ips.filter((ip) => ip !== '*'),
  };
}

/** asset/balance/all-balance */
const fundingBalances = success(z.object({ balance: listOf(z.unknown()) }));
export const readFunding = balanceReader((body) => fundingBalances.parse(body).balance, {
  ...{ asset: 'coin', free: 'transferBalance' },
  used: z
    .object({ walletBalance: amount, transferBalance: amount })
    .transform(({ walletBalance, transferBalance }) => notNegative(walletBalance.minus(transferBalance))),
});

/** account/wallet-balance. Fields are empty in some modes of the account. */
const unifiedCoin = z
  .object({
    coin: name,
    walletBalance: amount,
    spotBorrow: optionalAmount,
    locked: optionalAmount,
    totalOrderIM: optionalAmount,
    totalPositionIM: optionalAmount,
    bonus: optionalAmount,
  })
  .transform(({ coin, walletBalance, spotBorrow, ...taken }) => {
    // "Old walletBalance = New walletBalance - spotBorrow": what is borrowed is not the owner's.
    const held = notNegative(walletBalance.minus(spotBorrow ?? Amount.zero));
    // "walletBalance - totalPositionIM - totalOrderIM - locked - bonus"
    const parts = [taken.totalPositionIM, taken.totalOrderIM, taken.locked, taken.bonus];
    const free = notNegative(parts.reduce<Amount>((rest, part) => rest.minus(part ?? Amount.zero), held));
    return { coin, free, used: held.minus(free) };
  });

export const readUnified = (body: unknown, codeOf: CodeOf): AccountBalance[] =>
  success(z.object({ list: z.array(z.object({ coin: z.array(unifiedCoin) })) }))
    .parse(body)
    .list.flatMap(({ coin: coins }) => coins.map(({ coin, free, used }) => ({ asset: codeOf(coin), free, used })));

/**
 * Our network ids by Bybit's `chain`. Other names are left out. docs: bybit-exchange.github.io/docs/v5/asset/coin-info;
 * the names are those of the table in ccxt 4.5.84 (`bybit.options.networks`), and of samples of the documentation.
 */
const byChain: Readonly<Record<string, string>> = {
  ...{ BTC: 'bitcoin', ETH: 'ethereum', ETC: 'ethereumclassic', ARBI: 'arbitrum', OP: 'optimism', BASE: 'base' },
  ...{ MATIC: 'polygon', BSC: 'bsc', CAVAX: 'avalanche', ZKV2: 'zksync', SOL: 'solana', TRX: 'tron' },
  ...{ LTC: 'litecoin', BCH: 'bitcoincash', DOGE: 'dogecoin', XRP: 'ripple', XLM: 'stellar', HBAR: 'hedera' },
  ...{ STX: 'stacks', ATOM: 'cosmos', TON: 'ton', ADA: 'cardano', DOT: 'polkadot', ALGO: 'algorand', NEAR: 'near' },
  ...{ XTZ: 'tezos', SUI: 'sui', APTOS: 'aptos', FIL: 'filecoin' },
};

/** Our id of a chain; null = it is not one of ours. */
const networkIdOf = (chain: string | null): string | null => lookUp(byChain, chain);

/** asset/coin-info: an entry for each coin and chain. */
const coins = success(z.object({ rows: z.array(z.unknown()) }));
export const coinsOf = (body: unknown): unknown[] => entriesByNetwork(coins.parse(body).rows, 'chains', ['coin']);

/** "0" or "1". Recorded lists (ccxt) have "" for chains without withdrawals. */
const switchIn = (field: string) =>
  fieldOf(field, z.union([z.literal(''), codeText])).transform((state) => state === '1');

/** A coin on a chain of asset/coin-info. */
export const readNetwork = networkReader(networkIdOf, {
  ...{ asset: 'coin', network: 'chain', displayName: 'chainType', contract: 'contractAddress' },
  ...{ canDeposit: switchIn('chainDeposit'), minDeposit: 'depositMin' },
  withdrawals: {
    ...{ isOpen: switchIn('chainWithdraw'), decimals: 'minAccuracy', min: 'withdrawMin' },
    // "-1 indicates no limit"
    max: fieldOf('withdrawMax', optionalAmount).transform((max) => (max?.isNegative() === true ? null : max)),
    // "If withdraw fee is empty, It means that this coin does not support withdrawal". A fee with a percentage is left
    // out, because the documentation does not state how it is rounded.
    fee: z
      .object({ withdrawFee: optionalAmount, withdrawPercentageFee: optionalAmount })
      .transform((one) => (one.withdrawPercentageFee?.isZero() === false ? null : one.withdrawFee)),
  },
});

/** asset/withdraw/withdraw-address. `coin` is `baseCoin` where the address is for every coin of the chain. */
export const savedAddress = z
  .object({ coin: name, chain: name, address: name, tag: optionalText, status: codeText })
  .transform(({ status, ...rest }): SavedAddress & { coin: string; chain: string } => ({
    ...rest,
    // "1: New Addresses are prohibited from withdrawing coins for 24 Hours."
    isReady: status === '0',
  }));

/** asset/deposit/master-deposit-addr */
const address = addressForm({ network: 'chain', address: 'addressDeposit', tag: 'tagDeposit' });
const addresses = success(z.object({ chains: listOf(address) }));
export const readAddresses = (body: unknown) => addresses.parse(body).chains;

/** asset/withdraw/withdraw: the id of the accepted withdrawal. */
export const readWithdrawalId = idIn(success(fieldOf('id', codeText)));

const transfer = {
  ...{ asset: 'coin', amount: 'amount', status: 'status', network: 'chain' },
  ...{ address: 'toAddress', tag: 'tag', hash: 'txID' },
  // "amount: Amount": the documentation does not state whether it contains the fee.
  isFeeUnsettled: true,
} as const;

/** Deposits recorded in 2023 have no id: github.com/hirokisan/bybit, v5-asset-get-deposit-records.json. */
const depositId = z
  .object({
    id: codeText.nullish(),
    coin: name,
    txID: optionalText,
    toAddress: optionalText,
    tag: optionalText,
    amount,
  })
  .transform((one) => one.id ?? idOfParts(one.coin, one.txID, one.toAddress, one.tag, one.amount));

/** asset/withdraw/withdraw-record, asset/deposit/deposit-record. Final statuses: enum#withdrawstatus, enum#depositstatus */
export const readTransfer = transferReader(networkIdOf, {
  withdrawal: {
    ...{ ...transfer, exchangeId: 'withdrawId', fee: 'withdrawFee', at: 'createTime' },
    finals: { success: 'completed', Fail: 'failed', Reject: 'failed', CancelByUser: 'canceled' },
  },
  deposit: {
    ...{ ...transfer, exchangeId: depositId, at: 'successAt' },
    finals: { '3': 'completed', '4': 'failed', '70011': 'failed', '70012': 'completed' },
  },
});

/** order/create-order */
export const readOrderId = idIn(success(fieldOf('orderId', name)));

/** A coin and its fee. A fee that was taken in several coins is in `raw`. */
const fee = z
  .object({ cumFeeDetail: z.union([z.record(z.string(), amount), z.literal('')]).nullish() })
  .transform(({ cumFeeDetail: fees }): readonly [string | null, Amount | null] => {
    const charged = Object.entries(typeof fees === 'object' ? (fees ?? {}) : {});
    return charged.find(([, each]) => !each.isZero()) ?? [null, null];
  });

/** order/open-order, order/order-list */
const orderOf = orderReader({
  ...{ exchangeId: 'orderId', clientOrderId: 'orderLinkId', pair: 'symbol', side: 'side', type: 'orderType' },
  status: 'orderStatus',
  // enum#orderstatus. A partially filled order of `PartiallyFilledCanceled` has ended.
  statuses: {
    ...{ New: 'open', PartiallyFilled: 'open', Untriggered: 'open', Triggered: 'open', Filled: 'filled' },
    ...{ Cancelled: 'canceled', PartiallyFilledCanceled: 'canceled', Rejected: 'canceled', Deactivated: 'canceled' },
  },
  ...{ volume: 'qty', executedVolume: 'cumExecQty', cost: 'cumExecValue', averagePrice: 'avgPrice' },
  ...{ fee: fee.transform(([, charged]) => charged), feeAsset: fee.transform(([coin]) => coin) },
  ...{ openedAt: 'createdTime', changedAt: 'updatedTime' },
});

/** The sought order of a list, or another one, which the caller refuses; null = the list is empty. */
export function readOrder(body: unknown, sought: Record<string, string>, codeOf: CodeOf): ExchangeOrder | null {
  const { list } = success(z.object({ list: listOf(z.record(z.string(), z.unknown())) })).parse(body);
  const isSought = (one: Record<string, unknown>) => Object.entries(sought).every(([field, id]) => one[field] === id);
  const found = list.find(isSought) ?? list[0];
  return found === undefined ? null : orderOf(found, codeOf);
}

const instruments = success(z.object({ list: z.array(z.unknown()) }));
const lot = (field: string) => fieldOf('lotSizeFilter', fieldOf(field, decimal));

/** market/instrument. Spot instruments come in one page. Fees depend on the account, so the list contains none. */
export const bybitPairs: PairListing = {
  path: '/v5/market/instruments-info?category=spot',
  list: (body) => instruments.parse(body).list,
  pair: pairForm({
    ...{ base: 'baseCoin', quote: 'quoteCoin', symbol: 'symbol', status: 'status' },
    orderTypes: fieldOf('status', name).transform((status) => (status === 'Trading' ? BOTH : NONE)),
    margin: fieldOf('marginTrading', z.string()).transform((margin) => margin !== 'none'),
    tickSize: fieldOf('priceFilter', fieldOf('tickSize', decimal)),
    ...{ stepSize: lot('basePrecision'), minBaseQty: lot('minOrderQty'), minCost: lot('minOrderAmt') },
  }),
};
