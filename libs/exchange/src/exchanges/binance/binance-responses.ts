import { z } from 'zod';
import type { AccountBalance } from '../../capabilities/account-balances.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import {
  UNREPORTED,
  amount,
  codeText,
  milliseconds,
  name,
  optionalAmount,
  optionalMilliseconds,
  optionalText,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { transferStatus } from '../../capabilities/status-tables.js';
import type { TransferRecord } from '../../capabilities/transfer-record.js';
import type { HistoryKind, KeyInfo } from '../../port/exchange.port.js';
import type { ReportedError } from '../../transport/error-map.js';
import { lookUp } from '../../declaration/look-up.js';

/** The fields that we read of developers.binance.com/docs/wallet (January 2026). The page is beside each schema. */

const list = z.array(z.unknown());

/** The entries of a response that is a list. */
export const entriesOf = (body: unknown): unknown[] => list.parse(body);

/** account/api-key-permission. Binance reports whether a key is bound to IP addresses, but not to which. */
const restrictions = z.looseObject({ createTime: optionalMilliseconds });

export function readKeyInfo(body: unknown): KeyInfo {
  const { createTime, ...rest } = restrictions.parse(body);
  const granted = Object.entries(rest).filter(([flag, value]) => /^(enable|permits)/.test(flag) && value === true);
  return {
    permissions: granted.map(([flag]) => flag),
    ipAllowlist: [],
    ...UNREPORTED,
    createdTime: createTime === null ? null : Math.floor(createTime.getTime() / 1000),
  };
}

/** asset/user-assets (spot wallet) and asset/funding-wallet. An asset leaves `withdrawing` when it is sent. */
const balances = z.array(z.object({ asset: name, free: amount, locked: amount, freeze: amount, withdrawing: amount }));

export function readBalances(body: unknown, codeOf: CodeOf): AccountBalance[] {
  return balances.parse(body).map(({ asset, free, locked, freeze, withdrawing }) => ({
    asset: codeOf(asset),
    free,
    used: locked.plus(freeze).plus(withdrawing),
  }));
}

/**
 * Our network ids by Binance's names of networks (`network`). Other names are left out. docs:
 * developers.binance.com/docs/wallet/capital; the names are those of the table in ccxt 4.5.84
 * (`binance.options.networks`).
 */
const byName: Readonly<Record<string, string>> = {
  ...{ BTC: 'bitcoin', LIGHTNING: 'lightning', ETH: 'ethereum', ARBITRUM: 'arbitrum', OPTIMISM: 'optimism' },
  ...{ BASE: 'base', MATIC: 'polygon', BSC: 'bsc', AVAXC: 'avalanche', LINEA: 'linea', ZKSYNCERA: 'zksync' },
  ...{ SOL: 'solana', TRX: 'tron', LTC: 'litecoin', BCH: 'bitcoincash', DOGE: 'dogecoin', ZEC: 'zcash' },
  ...{ DASH: 'dash', XMR: 'monero', XRP: 'ripple', XLM: 'stellar', HBAR: 'hedera', STX: 'stacks', ATOM: 'cosmos' },
  ...{ TIA: 'celestia', INJ: 'injective', SEI: 'sei', TON: 'ton', ADA: 'cardano', ALGO: 'algorand', NEAR: 'near' },
  ...{ XTZ: 'tezos', SUI: 'sui', APT: 'aptos', FIL: 'filecoin' },
};

/** Our id of a network; null = it is not one of ours. */
function networkIdOf(name: string): string | null {
  return lookUp(byName, name);
}

/** wallet/capital: a coin and its networks. Only the switches of the coin count. */
const coin = z.object({
  coin: name,
  depositAllEnable: z.boolean(),
  withdrawAllEnable: z.boolean(),
  networkList: z.array(z.unknown()).nullish(),
});

const network = z.object({
  depositAllEnable: z.boolean(),
  withdrawAllEnable: z.boolean(),
  network: z.object({
    network: name,
    coin: name,
    name: optionalText,
    withdrawIntegerMultiple: amount.refine((multiple) => multiple.isPositive()),
    depositEnable: z.boolean(),
    withdrawEnable: z.boolean(),
    addressRegex: optionalText,
    withdrawFee: amount,
    withdrawMin: optionalAmount,
    withdrawMax: optionalAmount,
    // Recorded lists (gocryptotrader, JKorf/Binance.Net) lack it.
    withdrawTag: z.boolean().default(false),
    contractAddress: optionalText,
    denomination: optionalAmount,
  }),
});

/** Each network with the switches of its coin. A coin in another form remains, as an unreadable entry. */
export function networkEntries(body: unknown): unknown[] {
  return entriesOf(body).flatMap((entry) => {
    const { success, data } = coin.safeParse(entry);
    return success ? (data.networkList ?? []).map((one) => ({ ...data, network: one })) : [entry];
  });
}

/** @throws when the entry is unreadable */
export function readNetwork(entry: unknown, codeOf: CodeOf): ListedNetwork {
  const { network: one, depositAllEnable, withdrawAllEnable } = network.parse(entry);
  // "1 1MBABYDOGE = 1000000 BABYDOGE": the amount on the chain is another one, so such coins are left out.
  const isScaled = one.denomination !== null && one.denomination.toString() !== '1';
  return {
    asset: codeOf(one.coin),
    assetId: one.coin,
    networkId: isScaled ? null : networkIdOf(one.network),
    contract: one.contractAddress,
    exchangeNetworkId: one.network,
    displayName: one.name ?? one.network,
    canWithdraw: withdrawAllEnable && one.withdrawEnable,
    canDeposit: depositAllEnable && one.depositEnable,
    decimals: one.withdrawIntegerMultiple.decimalPlaces(),
    minWithdrawal: one.withdrawMin,
    maxWithdrawal: one.withdrawMax,
    fee: one.withdrawFee,
    needsTag: one.withdrawTag,
    minDeposit: null,
    ...(one.addressRegex !== null && { addressRegex: one.addressRegex }),
  };
}

/** capital/deposite-address. The response repeats the coin, and not the network. */
export const depositAddress = z.object({ address: name, tag: optionalText });

/** travel-rule/questionnaire-requirements: "anything other than NIL" means that withdrawals need a questionnaire. */
export const readTravelRuleCountry = (body: unknown): string | null => {
  const { questionnaireCountryCode: code } = z.object({ questionnaireCountryCode: name }).parse(body);
  return code === 'NIL' ? null : code;
};

/** capital/withdraw: the id of the accepted withdrawal. */
export function readWithdrawalId(body: unknown): string | null {
  const parsed = z.object({ id: name }).safeParse(body);
  return parsed.success ? parsed.data.id : null;
}

/** "2019-10-12 11:12:02", "UTC time" */
const utcTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  .transform((text) => new Date(`${text.replace(' ', 'T')}Z`))
  .refine((date) => !Number.isNaN(date.getTime()));

/** capital/withdraw-history, capital/deposite-history. Tags of withdrawals: travel-rule/withdraw-history-v2. */
const transfer = z.object({
  id: name,
  amount,
  coin: name,
  network: optionalText,
  status: codeText,
  address: optionalText,
  addressTag: optionalText,
  txId: optionalText,
});
const kinds = {
  withdrawal: transfer
    .extend({ transactionFee: optionalAmount, applyTime: utcTime, withdrawOrderId: optionalText })
    .transform(({ transactionFee: fee, applyTime: at, withdrawOrderId: clientRef, ...rest }) => ({
      ...rest,
      ...{ fee, at, clientRef },
    })),
  deposit: transfer
    .extend({ insertTime: milliseconds })
    .transform(({ insertTime: at, ...rest }) => ({ ...rest, fee: null, at, clientRef: null })),
};

const finalStates: Readonly<Record<HistoryKind, Record<string, TransferRecord['status']>>> = {
  withdrawal: { '3': 'failed', '6': 'completed' },
  // "Credited but cannot withdraw" (6) is not final. "Wrong Deposit" (7) can still be recovered.
  deposit: { '1': 'completed', '2': 'failed' },
};

/**
 * The amount of a withdrawal is what arrives: the documented sample has an amount of 0.0015 BTC below its fee of 0.004
 * BTC, while a request needs an amount above the fee (-4028).
 * @throws when the entry is unreadable
 */
export function readTransfer(kind: HistoryKind, entry: unknown, codeOf: CodeOf): TransferRecord {
  const one = kinds[kind].parse(entry);
  return {
    exchangeId: one.id,
    ...transferStatus(finalStates[kind], one.status),
    asset: codeOf(one.coin),
    amountNoFee: one.amount,
    fee: one.fee,
    network: one.network === null ? null : networkIdOf(one.network),
    exchangeNetwork: one.network,
    address: one.address,
    tag: one.addressTag,
    hash: one.txId,
    at: one.at,
    clientRef: one.clientRef,
  };
}

const failure = z.object({ code: z.number().int(), msg: z.string().default('') });

/** wallet/error-code */
export function readErrors(body: unknown): ReportedError[] {
  const parsed = failure.safeParse(body);
  return parsed.success ? [{ code: String(parsed.data.code), message: parsed.data.msg }] : [];
}
