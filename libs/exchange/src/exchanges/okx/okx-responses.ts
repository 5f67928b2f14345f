import { z } from 'zod';
import { Amount } from '#money';
import type { AccountBalance } from '../../capabilities/account-balances.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import {
  UNREPORTED,
  amount,
  codeText,
  commaList,
  decimalPlaces,
  milliseconds,
  name,
  notNegative,
  optionalAmount,
  optionalMilliseconds,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { orderStatus, transferStatus } from '../../capabilities/status-tables.js';
import type { TransferRecord } from '../../capabilities/transfer-record.js';
import type { HistoryKind, KeyInfo } from '../../port/exchange.port.js';
import type { ExchangeOrder, OrderStatus } from '../../port/trading.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';
import { lookUp } from '../../declaration/look-up.js';

/** The fields that we read of www.okx.com/docs-v5/en (January 2026). The anchor of each page is beside its schema. */

const success = codeText.pipe(z.literal('0'));
const envelope = z.object({ code: success, data: z.array(z.unknown()) });

/** The entries of a response. */
export function entriesOf(body: unknown): unknown[] {
  return envelope.parse(body).data;
}

/** Reads a response with exactly one entry. */
export function entryOf<T>(entry: z.ZodType<T>): (body: unknown) => T {
  return (body) => z.tuple([entry]).parse(entriesOf(body))[0];
}

/** #trading-account-rest-api-get-account-configuration. The key's times are not reported. */
export const readKeyInfo = (body: unknown): KeyInfo => {
  const { perm, ip } = entryOf(z.object({ perm: commaList, ip: commaList }))(body);
  return { ...UNREPORTED, permissions: perm, ipAllowlist: ip };
};

/** #funding-account-rest-api-get-balance */
const funding = z.array(z.object({ ccy: name, availBal: amount, frozenBal: amount }));
export const readFunding = (body: unknown, codeOf: CodeOf): AccountBalance[] =>
  funding
    .parse(entriesOf(body))
    .map(({ ccy, availBal, frozenBal }) => ({ asset: codeOf(ccy), free: availBal, used: frozenBal }));

/** #trading-account-rest-api-get-balance. `availBal` is empty in some account modes. */
const held = z.object({ ccy: name, cashBal: amount, availBal: optionalAmount, frozenBal: amount });
export const readTrading = (body: unknown, codeOf: CodeOf): AccountBalance[] =>
  z
    .array(z.object({ details: z.array(held) }))
    .parse(entriesOf(body))
    .flatMap(({ details }) => details)
    .map(({ ccy, cashBal, availBal, frozenBal }) => {
      const free = notNegative(availBal ?? cashBal.minus(frozenBal));
      return { asset: codeOf(ccy), free, used: notNegative(cashBal.minus(free)) };
    });

/**
 * Our network ids by OKX's names of chains: the part of `chain` after the asset ("USDT-ERC20"). Other names are left
 * out. docs: www.okx.com/docs-v5/en/#funding-account-rest-api-get-currencies; the names are those of the table in ccxt
 * 4.5.84 (`okx.options.networks`), and "Bitcoin", "Ethereum" in samples of the documentation.
 */
const byChain: Readonly<Record<string, string>> = {
  ...{ Bitcoin: 'bitcoin', Lightning: 'lightning', Ethereum: 'ethereum', ERC20: 'ethereum' },
  ...{
    'Ethereum Classic': 'ethereumclassic',
    'Arbitrum One': 'arbitrum',
    'Arbitrum one': 'arbitrum',
    Optimism: 'optimism',
    Base: 'base',
  },
  ...{ Polygon: 'polygon', BSC: 'bsc', 'Avalanche C-Chain': 'avalanche', Linea: 'linea', 'zkSync Era': 'zksync' },
  ...{ Solana: 'solana', TRC20: 'tron', Litecoin: 'litecoin', BitcoinCash: 'bitcoincash', Dogecoin: 'dogecoin' },
  ...{ Zcash: 'zcash', Ripple: 'ripple', 'Stellar Lumens': 'stellar', Hedera: 'hedera', 'l-Stacks': 'stacks' },
  ...{ Cosmos: 'cosmos', Celestia: 'celestia', INJ: 'injective', SEI: 'sei', TON: 'ton', Cardano: 'cardano' },
  ...{ Polkadot: 'polkadot', Kusama: 'kusama', Algorand: 'algorand', NEAR: 'near', Tezos: 'tezos', SUI: 'sui' },
  ...{ Aptos: 'aptos', Filecoin: 'filecoin' },
};

/** Our id of the chain of an asset; null = it is not one of ours. */
function networkIdOf(assetId: string, chain: string): string | null {
  const prefix = `${assetId}-`;
  const name = chain.startsWith(prefix) ? chain.slice(prefix.length) : '';
  return lookUp(byChain, name);
}

/** Characters of a contract's ending; the documentation shows endings of contracts beside whole ones. */
const CONTRACT_ENDING_MAX = 8;

/** #funding-account-rest-api-get-currencies */
const currency = z.object({
  ...{ ccy: name, chain: name, ctAddr: optionalText, canDep: z.boolean(), canWd: z.boolean() },
  ...{ minDep: optionalAmount, minWd: optionalAmount, maxWd: optionalAmount, wdTickSz: decimalPlaces },
  ...{ fee: optionalAmount, burningFeeRate: optionalAmount, needTag: z.boolean().default(false) },
});

/** A network of the list of currencies. @throws when the entry is unreadable */
export function readNetwork(entry: unknown, codeOf: CodeOf): ListedNetwork {
  const one = currency.parse(entry);
  const { ctAddr } = one;
  return {
    asset: codeOf(one.ccy),
    assetId: one.ccy,
    networkId: networkIdOf(one.ccy, one.chain),
    contract: ctAddr !== null && ctAddr.length <= CONTRACT_ENDING_MAX ? { ending: ctAddr } : ctAddr,
    exchangeNetworkId: one.chain,
    displayName: one.chain,
    canWithdraw: one.canWd,
    canDeposit: one.canDep,
    decimals: one.wdTickSz,
    minWithdrawal: one.minWd,
    maxWithdrawal: one.maxWd,
    // A burning fee is a share of the amount, and the documentation does not state how it is rounded.
    fee: one.burningFeeRate === null || one.burningFeeRate.isZero() ? one.fee : null,
    needsTag: one.needTag,
    minDeposit: one.minDep,
  };
}

/** The tag of an address. Its field depends on the chain; `addrEx` has one field, such as `comment`. */
const tagFields = {
  ...{ tag: optionalText, memo: optionalText, pmtId: optionalText },
  addrEx: z.record(z.string(), optionalText).nullish(),
};

function tagOf({ tag, memo, pmtId, addrEx }: z.infer<z.ZodObject<typeof tagFields>>): string | null {
  const [attached = null] = Object.values(addrEx ?? {});
  return tag ?? memo ?? pmtId ?? attached;
}

/** #funding-account-rest-api-get-deposit-address */
export const depositAddresses = z
  .array(z.object({ chain: name, addr: name, ...tagFields }))
  .transform((list) => list.map((one) => ({ exchangeNetworkId: one.chain, address: one.addr, tag: tagOf(one) })));

/** #funding-account-rest-api-withdrawal: the id of the accepted withdrawal. */
export function readWithdrawalId(body: unknown): string | null {
  const parsed = z.object({ code: success, data: z.tuple([z.object({ wdId: codeText })]) }).safeParse(body);
  return parsed.success ? parsed.data.data[0].wdId : null;
}

/** #funding-account-rest-api-get-withdrawal-history, #funding-account-rest-api-get-deposit-history */
const transfer = z.object({
  ...{ ccy: name, chain: optionalText, amt: amount, to: optionalText, txId: optionalText },
  ...{ state: codeText, ts: milliseconds, ...tagFields },
});
const kinds = {
  withdrawal: transfer.extend({ wdId: codeText, fee: optionalAmount, feeCcy: optionalText, clientId: optionalText }),
  deposit: transfer.extend({ depId: codeText }),
};

const finalStates: Readonly<Record<HistoryKind, Record<string, TransferRecord['status']>>> = {
  withdrawal: { '2': 'completed', '-1': 'failed', '-2': 'canceled' },
  // "Deposit credited" (1) cannot be withdrawn yet. Blocked and frozen deposits can still be credited.
  deposit: { '2': 'completed' },
};

/** @throws when the entry is unreadable */
export function readTransfer(kind: HistoryKind, entry: unknown, codeOf: CodeOf): TransferRecord {
  const one = kinds[kind].parse(entry);
  const isWithdrawal = 'wdId' in one;
  return {
    exchangeId: isWithdrawal ? one.wdId : one.depId,
    ...transferStatus(finalStates[kind], one.state),
    asset: codeOf(one.ccy),
    amountNoFee: one.amt,
    fee: isWithdrawal && (one.feeCcy === null || one.feeCcy === one.ccy) ? one.fee : null,
    network: one.chain === null ? null : networkIdOf(one.ccy, one.chain),
    exchangeNetwork: one.chain,
    address: one.to,
    tag: tagOf(one),
    hash: one.txId,
    at: one.ts,
    clientRef: isWithdrawal ? one.clientId : null,
  };
}

/** The time of a record, by which its page is continued. */
export const readTime = (entry: unknown): Date => z.object({ ts: milliseconds }).parse(entry).ts;

/** #order-book-trading-trade-post-place-order */
export function readOrderReceipt(body: unknown): OrderReceipt | null {
  const parsed = z.object({ data: z.tuple([z.object({ ordId: codeText, sCode: success })]) }).safeParse(body);
  return parsed.success ? { exchangeIds: [parsed.data.data[0].ordId], description: null } : null;
}

const orderStatuses: Readonly<Record<string, OrderStatus>> = {
  ...{ live: 'open', partially_filled: 'open', filled: 'filled', canceled: 'canceled', mmp_canceled: 'canceled' },
};

/** #order-book-trading-trade-get-order-details */
const order = z.looseObject({
  ...{ ordId: codeText, clOrdId: optionalText, instId: name, side: name, ordType: name, state: name },
  ...{ sz: amount, accFillSz: amount, avgPx: optionalAmount, fee: optionalAmount, feeCcy: optionalText },
  ...{ cTime: milliseconds, uTime: optionalMilliseconds },
});

/** Converts an order. The price that OKX reports is rounded, and so is the cost that follows from it. */
export function readOrder(body: unknown, codeOf: CodeOf): ExchangeOrder {
  const one = entryOf(order)(body);
  const averagePrice = one.avgPx ?? Amount.zero;
  return {
    exchangeId: one.ordId,
    clientOrderId: one.clOrdId,
    ...orderStatus(orderStatuses, one.state, one.uTime),
    volume: one.sz,
    executedVolume: one.accFillSz,
    cost: one.accFillSz.times(averagePrice),
    averagePrice,
    // A fee is reported as a negative amount.
    fee: Amount.zero.minus(one.fee ?? Amount.zero),
    feeAsset: one.feeCcy === null ? null : codeOf(one.feeCcy),
    openedAt: one.cTime,
    description: { pair: one.instId, side: one.side, type: one.ordType },
    raw: one,
  };
}

const failure = z.object({
  code: codeText,
  msg: z.string().catch(''),
  data: z.array(z.object({ sCode: codeText.nullish(), sMsg: z.string().catch('') })).catch([]),
});

/** Errors are in `code`, or in `sCode` of each entry: #overview-general-info. */
export function readErrors(body: unknown): { code: string; message: string }[] {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return [];
  const { code, msg, data } = parsed.data;
  const own = data.flatMap(({ sCode, sMsg }) =>
    sCode === undefined || sCode === null || sCode === '0' ? [] : [{ code: sCode, message: sMsg }],
  );
  return own.length > 0 || code === '0' ? own : [{ code, message: msg }];
}
