import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader } from '../../capabilities/account-balances.js';
import { fieldOf, formOf, readerOf } from '../../capabilities/entry-fields.js';
import { envelope, errorReader, idIn } from '../../capabilities/envelope.js';
import { keyForm } from '../../capabilities/key-form.js';
import { addressForm, addressReader } from '../../capabilities/listed-deposits.js';
import { networkReader } from '../../capabilities/network-form.js';
import { feeForm, type ReportedFees } from '../../capabilities/order-fees.js';
import { orderReader } from '../../capabilities/order-form.js';
import {
  amount,
  amountOrZero,
  codeText,
  entries,
  heldEntries,
  epochTime,
  name,
  optionalAmount,
  optionalTag,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { pairForm } from '../../capabilities/pair-form.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import { lookUp } from '../../declaration/look-up.js';
import { BOTH, type PairListing } from '../../declaration/pair-source.js';
import { LIGHTNING } from '../../networks/lightning-invoice.js';
import type { ReportedError } from '../../transport/error-map.js';

/**
 * Readers of OKX's responses. The comment above each reader names the anchor in www.okx.com/docs-v5/en (January 2026)
 * where its fields are documented.
 */

const success = envelope({ code: 'code', success: '0', data: 'data' });
/** The entries of a response. */
export const entriesOf = readerOf(success(entries));
/** The entries of a response that lists holdings. */
export const heldIn = readerOf(success(heldEntries));

/** Returns the schema of a response with exactly one entry. */
const single = <T>(entry: z.ZodType<T>): z.ZodType<T> => success(z.tuple([entry])).transform(([one]) => one);

/** #trading-account-rest-api-get-account-configuration. OKX reports no creation, expiry or last use of the key. */
export const readKeyInfo = readerOf(single(keyForm({ permissions: 'perm', ipAllowlist: 'ip' })));

/** OKX's documentation: #funding-account-rest-api-get-balance */
export const readFunding = balanceReader(heldIn, { asset: 'ccy', free: 'availBal', used: 'frozenBal' });

/**
 * #trading-account-rest-api-get-balance. In some account modes `availBal` is empty, and the free amount is `cashBal`
 * less `frozenBal`.
 */
const tradingAccounts = readerOf(success(heldEntries.pipe(z.array(fieldOf('details', heldEntries)))));
export const readTrading = balanceReader((body) => tradingAccounts(body).flat(), {
  asset: 'ccy',
  total: 'cashBal',
  free: z
    .object({ cashBal: amount, availBal: optionalAmount, frozenBal: amountOrZero })
    .transform(({ cashBal, availBal, frozenBal }) => availBal ?? cashBal.minus(frozenBal)),
});

/**
 * Our network ids by OKX's names of chains: the part of `chain` after the asset ("USDT-ERC20",
 * www.okx.com/docs-v5/en/#funding-account-rest-api-get-currencies). Other names are left out. The names are those of
 * the table in ccxt 4.5.84 (`okx.options.networks`), and "Bitcoin" and "Ethereum" of the documented samples.
 */
const byChain: Readonly<Record<string, string>> = {
  Bitcoin: 'bitcoin',
  Lightning: 'lightning',
  Ethereum: 'ethereum',
  ERC20: 'ethereum',
  'Ethereum Classic': 'ethereumclassic',
  'Arbitrum One': 'arbitrum',
  'Arbitrum one': 'arbitrum',
  Optimism: 'optimism',
  Base: 'base',
  Polygon: 'polygon',
  BSC: 'bsc',
  'Avalanche C-Chain': 'avalanche',
  Linea: 'linea',
  'zkSync Era': 'zksync',
  Solana: 'solana',
  TRC20: 'tron',
  Litecoin: 'litecoin',
  BitcoinCash: 'bitcoincash',
  Dogecoin: 'dogecoin',
  Zcash: 'zcash',
  Ripple: 'ripple',
  'Stellar Lumens': 'stellar',
  Hedera: 'hedera',
  'l-Stacks': 'stacks',
  Cosmos: 'cosmos',
  Celestia: 'celestia',
  INJ: 'injective',
  SEI: 'sei',
  TON: 'ton',
  Cardano: 'cardano',
  Polkadot: 'polkadot',
  Kusama: 'kusama',
  Algorand: 'algorand',
  NEAR: 'near',
  Tezos: 'tezos',
  SUI: 'sui',
  Aptos: 'aptos',
  Filecoin: 'filecoin',
};

/** The tables of names of networks. */
export const networkNames = [byChain];

/** Our network id of the chain of an asset; null = we do not know the chain. */
function networkIdOf(chain: string | null, assetId: string): string | null {
  const prefix = `${assetId}-`;
  return chain?.startsWith(prefix) === true ? lookUp(byChain, chain.slice(prefix.length)) : null;
}

/** A `ctAddr` of at most this length is the ending of a contract. OKX documents endings and whole contracts. */
const CONTRACT_ENDING_MAX = 8;

/**
 * Whether the connector can withdraw on the chain. OKX paid Lightning invoices by the endpoint
 * `asset/withdrawal-lightning`, which it no longer documents. The documented endpoint pays only to verified addresses.
 */
const isPayable = z
  .object({ ccy: name, chain: name, canWd: z.boolean() })
  .transform(({ ccy, chain, canWd }) => canWd && networkIdOf(chain, ccy) !== LIGHTNING);

/** OKX's documentation: #funding-account-rest-api-get-currencies */
export const readNetwork = networkReader(networkIdOf, {
  asset: 'ccy',
  network: 'chain',
  canDeposit: 'canDep',
  minDeposit: 'minDep',
  contract: fieldOf('ctAddr', optionalText).transform((contract) =>
    contract !== null && contract.length <= CONTRACT_ENDING_MAX ? { ending: contract } : contract,
  ),
  withdrawals: {
    isOpen: isPayable,
    decimals: 'wdTickSz',
    min: 'minWd',
    max: 'maxWd',
    needsTag: 'needTag',
    fee: 'fee',
    feeShare: fieldOf('burningFeeRate', amountOrZero),
  },
});

/** The tag of an address. The field of the tag depends on the chain; `addrEx` has one field, such as `comment`. */
const tag = z
  .object({
    tag: optionalTag,
    memo: optionalTag,
    pmtId: optionalTag,
    addrEx: z.record(z.string(), optionalText).nullish(),
  })
  .transform((one) => one.tag ?? one.memo ?? one.pmtId ?? Object.values(one.addrEx ?? {})[0] ?? null);

/** OKX's documentation: #funding-account-rest-api-get-deposit-address */
export const readDepositAddresses = addressReader(entriesOf, addressForm({ network: 'chain', address: 'addr', tag }));

/** #funding-account-rest-api-withdrawal: the id of the accepted withdrawal. */
export const readWithdrawalId = idIn(single(fieldOf('wdId', codeText)));

const transfer = {
  status: 'state',
  asset: 'ccy',
  amount: 'amt',
  network: 'chain',
  address: 'to',
  tag,
  hash: 'txId',
  at: 'ts',
};

/**
 * OKX's documentation: #funding-account-rest-api-get-withdrawal-history, #funding-account-rest-api-get-deposit-history
 */
export const readTransfer = transferReader(networkIdOf, {
  withdrawal: {
    ...transfer,
    exchangeId: 'wdId',
    fee: 'fee',
    feeAsset: 'feeCcy',
    clientRef: 'clientId',
    finals: { '2': 'completed', '-1': 'failed', '-2': 'canceled' },
    // OKX: "Stage 1 : Pending withdrawal" and "Stage 2 : Withdrawal in progress"; -3 is "Canceling".
    underway: ['19', '17', '10', '0', '4', '5', '6', '8', '9', '12', '7', '1', '15', '16', '-3'],
  },
  deposit: {
    ...transfer,
    exchangeId: 'depId',
    // OKX: `from` states the sender "if the deposit comes from an internal transfer". Such a deposit is on no chain,
    // and its `txId` can be a text such as "1915737_3_0_0_asset".
    hash: z
      .object({ from: optionalText, txId: optionalText })
      .transform((one) => (one.from === null ? one.txId : null)),
    // Only 2 is final: a deposit with the state 1 ("deposit credited") cannot be withdrawn yet, and blocked and frozen
    // deposits can still be credited.
    finals: { '2': 'completed' },
  },
});

/** Reads the time of a record. Each page begins at the time of the oldest record of the page before it. */
export const readTime = readerOf(fieldOf('ts', epochTime));

/** OKX's documentation: #order-book-trading-trade-post-place-order */
export const readOrderId = idIn(
  z
    .object({ data: z.tuple([z.object({ ordId: codeText, sCode: codeText.pipe(z.literal('0')) })]) })
    .transform(({ data: [placed] }) => placed.ordId),
);

const charged = (field: string) =>
  fieldOf(field, optionalAmount).transform((amount) => (amount === null ? null : Amount.zero.minus(amount)));
const [fee, rebate] = [feeForm(charged('fee'), 'feeCcy'), feeForm(charged('rebate'), 'rebateCcy')];
/**
 * The fee is negative, "accumulated fee charged by the platform". A rebate is positive, "the reward of placing orders",
 * and an empty text if there is none.
 */
const fees = formOf<ReportedFees>((entry) => {
  const own = fee.parse(entry);
  return own === null ? null : [...own, ...(rebate.parse(entry) ?? [])];
});

const orderOf = orderReader({
  exchangeId: 'ordId',
  clientOrderId: 'clOrdId',
  pair: 'instId',
  side: 'side',
  type: 'ordType',
  volume: 'sz',
  status: 'state',
  statuses: {
    live: 'open',
    partially_filled: 'open',
    filled: 'filled',
    canceled: 'canceled',
    mmp_canceled: 'canceled',
  },
  limitPrice: 'px',
  executedVolume: 'accFillSz',
  // The price that OKX reports is rounded, and so is the cost that follows from it.
  averagePrice: 'avgPx',
  fees,
  openedAt: 'cTime',
  changedAt: 'uTime',
});

/** OKX's documentation: #order-book-trading-trade-get-order-details */
export const readOrder = (body: unknown, codeOf: CodeOf) => orderOf(single(z.unknown()).parse(body), codeOf);

const errorOf = errorReader({ code: 'code', message: 'msg', success: '0' });
const errorOfEntry = errorReader({ code: 'sCode', message: 'sMsg', success: '0' });

/** Errors are in `code`, or in `sCode` of each entry: #overview-general-info. */
export function readErrors(body: unknown): ReportedError[] {
  const { success: hasEntries, data } = z.object({ code: codeText, data: z.array(z.unknown()) }).safeParse(body);
  const own = hasEntries ? data.data.flatMap(errorOfEntry) : [];
  return own.length > 0 ? own : errorOf(body);
}

/** #public-data-rest-api-get-instruments. Fees depend on the account, so the list contains none. */
export const okxPairs: PairListing = {
  path: '/api/v5/public/instruments?instType=SPOT',
  list: entriesOf,
  pair: pairForm({
    isSpot: fieldOf('instType', z.string()).transform((type) => type === 'SPOT'),
    base: 'baseCcy',
    quote: 'quoteCcy',
    symbol: 'instId',
    status: 'state',
    tickSize: 'tickSz',
    stepSize: 'lotSz',
    minBaseQty: 'minSz',
    orderTypes: { live: BOTH },
    // An empty `lever` means no margin.
    margin: fieldOf('lever', z.string()).transform((lever) => lever !== ''),
  }),
};
