import { z } from 'zod';
import { balanceReader, sumOf, type AccountBalance } from '../../capabilities/account-balances.js';
import { fieldOf, readerOf } from '../../capabilities/entry-fields.js';
import { errorReader, idIn } from '../../capabilities/envelope.js';
import { keyForm } from '../../capabilities/key-form.js';
import { addressForm } from '../../capabilities/listed-deposits.js';
import { entriesByNetwork, networkReader } from '../../capabilities/network-form.js';
import { orderReader } from '../../capabilities/order-form.js';
import { pairForm } from '../../capabilities/pair-form.js';
import {
  amount,
  codeText,
  entriesOf,
  name,
  optionalAmount,
  optionalText,
  utcTime,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import { decimal, type PairListing } from '../../declaration/pair-source.js';

/**
 * The fields that we read from responses, by developers.binance.com/docs/wallet (January 2026) and, for orders and
 * pairs, by …/docs/binance-spot-api-docs/rest-api (July 2026). The comment above each reader names the page.
 */

/** Binance's documentation: wallet/error-code */
export const readErrors = errorReader({ code: 'code', codeForm: z.number().int().transform(String), message: 'msg' });

/**
 * Binance's page account/api-key-permission. Binance reports whether a key is bound to IP addresses, but not to which.
 */
export const readKeyInfo = readerOf(
  keyForm({
    permissions: z
      .record(z.string(), z.unknown())
      .transform((all) => Object.keys(all).filter((flag) => /^(enable|permits)/.test(flag) && all[flag] === true)),
    createdTime: 'createTime',
  }),
);

/**
 * Binance's pages asset/user-assets (spot wallet) and asset/funding-wallet. `withdrawing` contains withdrawals until
 * they are sent, so it is a part of `used`.
 */
export const readBalances = balanceReader(entriesOf, {
  asset: 'asset',
  free: 'free',
  used: sumOf(amount, 'locked', 'freeze', 'withdrawing'),
});

/** An asset in Simple Earn that the owner can redeem at any time: LDUSDT. LDO is an asset of its own. */
const FLEXIBLE_EARN = /^LD(.{2,})$/u;

/** Whether the name of a coin can be that of an asset in Simple Earn. */
export const mayBeEarning = ({ asset }: Pick<AccountBalance, 'asset'>): boolean => FLEXIBLE_EARN.test(asset);

/** The coins that Binance lists, and whether they can be withdrawn (Binance's page wallet/capital). */
export const readCoins = (body: unknown, codeOf: CodeOf): ReadonlyMap<string, boolean> =>
  new Map(
    z
      .array(z.object({ coin: name, withdrawAllEnable: z.boolean() }))
      .parse(body)
      .map(({ coin, withdrawAllEnable }) => [codeOf(coin), withdrawAllEnable]),
  );

/**
 * Maps the assets in Simple Earn to their coins. The documentation of the spot account does not say whether its list
 * has them. Other clients got them there, with the prefix `LD` (github.com/rotki/rotki/pull/7546). A coin whose own
 * name begins with LD is listed, and it can be withdrawn, or there is no coin with the rest of its name.
 * @param coins null = the list of coins could not be read; then no coin with such a name is offered for a withdrawal
 */
export function withEarning<Balance extends AccountBalance>(
  balances: readonly Balance[],
  coins: ReadonlyMap<string, boolean> | null,
): Balance[] {
  const isCoin = (asset: string): boolean =>
    coins?.has(asset) === true || balances.some((each) => each.asset === asset);
  return balances.map((balance) => {
    const [, asset = ''] = FLEXIBLE_EARN.exec(balance.asset) ?? [];
    const isListed = coins?.has(balance.asset) === true;
    const isEarning = coins?.get(balance.asset) !== true && (!isListed || isCoin(asset));
    return mayBeEarning(balance) && isEarning ? { ...balance, asset, kind: 'earning' } : balance;
  });
}

/**
 * Our network ids by Binance's names of networks (`network` in developers.binance.com/docs/wallet/capital). Other names
 * are left out. The names are those of the table in ccxt 4.5.84 (`binance.options.networks`).
 */
const byName: Readonly<Record<string, string>> = {
  BTC: 'bitcoin',
  LIGHTNING: 'lightning',
  ETH: 'ethereum',
  ARBITRUM: 'arbitrum',
  OPTIMISM: 'optimism',
  BASE: 'base',
  MATIC: 'polygon',
  BSC: 'bsc',
  AVAXC: 'avalanche',
  LINEA: 'linea',
  ZKSYNCERA: 'zksync',
  SOL: 'solana',
  TRX: 'tron',
  LTC: 'litecoin',
  BCH: 'bitcoincash',
  DOGE: 'dogecoin',
  ZEC: 'zcash',
  DASH: 'dash',
  XMR: 'monero',
  XRP: 'ripple',
  XLM: 'stellar',
  HBAR: 'hedera',
  STX: 'stacks',
  ATOM: 'cosmos',
  TIA: 'celestia',
  INJ: 'injective',
  SEI: 'sei',
  TON: 'ton',
  ADA: 'cardano',
  ALGO: 'algorand',
  NEAR: 'near',
  XTZ: 'tezos',
  SUI: 'sui',
  APT: 'aptos',
  FIL: 'filecoin',
};

/**
 * Binance lists Bitcoin twice: `BTC`, and `SEGWITBTC` for addresses that begin with bc1. We offer only `BTC`, but a
 * record can name either.
 */
const inRecords = { ...byName, SEGWITBTC: 'bitcoin' };

/** The tables of names of networks. */
export const networkNames = [inRecords];

/**
 * Returns an entry for each network of each coin (Binance's page wallet/capital). The entry also has the two flags that
 * open or close deposits and withdrawals of the coin on all networks.
 */
export const networksOf = (body: unknown): unknown[] =>
  entriesByNetwork(entriesOf(body), 'networkList', ['depositAllEnable', 'withdrawAllEnable']);

const denomination = fieldOf('denomination', optionalAmount);

/** Whether both the coin and its network are open, by the flags of these names. */
const both = (coin: string, network: string) =>
  z
    .object({ [coin]: z.boolean(), [network]: z.boolean() })
    .transform((one) => one[coin] === true && one[network] === true);

export const readNetwork = networkReader(byName, {
  asset: 'coin',
  network: 'network',
  displayName: 'name',
  contract: 'contractAddress',
  canDeposit: both('depositAllEnable', 'depositEnable'),
  addressRegex: 'addressRegex',
  // With a `denomination` other than 1, the coin is a multiple of the token on the chain ("1 1MBABYDOGE = 1000000
  // BABYDOGE"), so another amount would arrive. The entry is left out.
  isAnother: (entry) => !['', '1'].includes(denomination.parse(entry)?.toString() ?? ''),
  withdrawals: {
    isOpen: both('withdrawAllEnable', 'withdrawEnable'),
    decimals: fieldOf('withdrawIntegerMultiple', amount)
      .refine((multiple) => multiple.isPositive())
      .transform((multiple) => multiple.decimalPlaces()),
    // Page capital/withdraw (June 2026): with `withdrawTag`, a tag is required if it is true, and refused (-4106) if it
    // is false.
    // Recorded lists (gocryptotrader, JKorf/Binance.Net) have no `withdrawTag`. We then assume that a tag is accepted
    // and not needed.
    min: 'withdrawMin',
    max: 'withdrawMax',
    fee: fieldOf('withdrawFee', amount),
    needsTag: 'withdrawTag',
    takesTag: 'withdrawTag',
  },
});

/** Binance's page capital/deposite-address. The response states only the coin, so the network cannot be compared. */
export const readAddress = readerOf(addressForm({ address: 'address', tag: 'tag' }));

/**
 * Binance's page travel-rule/questionnaire-requirements: "anything other than NIL" means that withdrawals need a
 * questionnaire.
 */
export const needsQuestionnaire = readerOf(
  fieldOf('questionnaireCountryCode', name).transform((country) => country !== 'NIL'),
);

/** Binance's page capital/withdraw: the id of the accepted withdrawal. */
export const readWithdrawalId = idIn(fieldOf('id', name));

const transfer = {
  exchangeId: 'id',
  asset: 'coin',
  amount: 'amount',
  network: 'network',
  status: 'status',
  address: 'address',
  tag: 'addressTag',
  hash: 'txId',
};

/**
 * The status of a deposit. Binance: "travelRuleStatus: 0: travel rule not required OR info already provided and funds
 * ready to use, 1: travel rule required to provide deposit info". While the funds are not ready, a successful deposit
 * is not final.
 */
const depositStatus = z
  .object({ status: codeText, travelRuleStatus: codeText.nullish() })
  .transform(({ status, travelRuleStatus: rule }) =>
    status === '1' && (rule ?? '0') !== '0' ? `${status} (travelRuleStatus ${rule})` : status,
  );

/**
 * Binance's pages capital/withdraw-history, capital/deposite-history and, for the tags of withdrawals,
 * travel-rule/withdraw-history-v2. The listed amount of a withdrawal is the amount that arrives. It cannot be the
 * requested amount, which must exceed the fee (-4028): in the documented sample, the listed amount (0.0015 BTC) is
 * below the fee (0.004 BTC).
 */
export const readTransfer = transferReader(inRecords, {
  withdrawal: {
    ...transfer,
    fee: 'transactionFee',
    at: fieldOf('applyTime', utcTime),
    clientRef: 'withdrawOrderId',
    // Binance no longer documents "1:Cancelled" and "5:Failure", which older withdrawals have.
    finals: { '1': 'canceled', '3': 'failed', '5': 'failed', '6': 'completed' },
    // Binance's page wallet/capital/withdraw-history: "0:Email Sent, 2:Awaiting Approval 3:Rejected 4:Processing".
    underway: ['0', '2', '4'],
  },
  // Binance: "Credited but cannot withdraw" (6) is not final, and "Wrong Deposit" (7) can still be recovered.
  deposit: { ...transfer, status: depositStatus, at: 'insertTime', finals: { '1': 'completed', '2': 'failed' } },
});

/** Binance's documentation, trading-endpoints: "New order" */
export const readOrderId = idIn(z.object({ orderId: codeText, clientOrderId: name }).transform((one) => one.orderId));

/** Binance's page trading-endpoints, "Query order". The cost and the fees are only in the order's trades. */
export const readOrder = orderReader({
  exchangeId: 'orderId',
  clientOrderId: 'clientOrderId',
  pair: 'symbol',
  side: 'side',
  type: 'type',
  volume: 'origQty',
  limitPrice: 'price',
  executedVolume: 'executedQty',
  status: 'status',
  isPaidInTrades: true,
  statuses: {
    NEW: 'open',
    PENDING_NEW: 'open',
    PARTIALLY_FILLED: 'open',
    FILLED: 'filled',
    CANCELED: 'canceled',
    REJECTED: 'canceled',
    EXPIRED: 'expired',
    EXPIRED_IN_MATCH: 'expired',
  },
  openedAt: 'time',
  changedAt: 'updateTime',
});

/** Binance's documentation, account-endpoints: "Account trade list" */
const trade = z
  .object({
    id: z.number().int(),
    qty: amount,
    quoteQty: amount,
    commission: optionalAmount,
    commissionAsset: optionalText,
  })
  .transform(({ id, qty, quoteQty, commission, commissionAsset }) => ({
    id,
    volume: qty,
    cost: quoteQty,
    fee: commission,
    feeAsset: commissionAsset,
  }));
export const readTrades = readerOf(z.array(trade));

/**
 * Reads a field of one filter of a pair (…/filters). Its type is the first in `types` for which the pair has a filter;
 * null = the pair has no filter of these types.
 */
const ruleOf = (types: readonly string[], field: string) =>
  fieldOf('filters', z.array(z.looseObject({ filterType: z.string() }))).transform((filters) => {
    const found = types.flatMap((type) => filters.find(({ filterType }) => filterType === type) ?? []);
    return found[0] === undefined ? null : decimal.parse(found[0][field]);
  });
/** Without a rule for prices or volumes the step is zero, which makes the pair unusable. */
const stepOf = (type: string, field: string) => ruleOf([type], field).transform((step) => step ?? '0');

/**
 * Binance's page general-endpoints, "Exchange information". Only trading symbols are requested, because the full list
 * exceeds the size limit of a response. Fees depend on the account, so the list contains none.
 */
export const binancePairs: PairListing = {
  path: '/api/v3/exchangeInfo?symbolStatus=TRADING&showPermissionSets=false',
  list: readerOf(fieldOf('symbols', z.array(z.unknown()))),
  pair: pairForm({
    base: 'baseAsset',
    quote: 'quoteAsset',
    symbol: 'symbol',
    status: 'status',
    isSpot: fieldOf('isSpotTradingAllowed', z.boolean()),
    margin: 'isMarginTradingAllowed',
    orderTypes: z
      .object({ status: name, orderTypes: z.array(z.string()) })
      .transform(({ status, orderTypes: types }) =>
        (['market', 'limit'] as const).filter((type) => status === 'TRADING' && types.includes(type.toUpperCase())),
      ),
    tickSize: stepOf('PRICE_FILTER', 'tickSize'),
    stepSize: stepOf('LOT_SIZE', 'stepSize'),
    minBaseQty: ruleOf(['LOT_SIZE'], 'minQty'),
    minCost: ruleOf(['NOTIONAL', 'MIN_NOTIONAL'], 'minNotional'),
  }),
};
