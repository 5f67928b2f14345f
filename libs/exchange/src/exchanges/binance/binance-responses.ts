import { z } from 'zod';
import { balanceReader, sumOf } from '../../capabilities/account-balances.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { errorReader, idIn } from '../../capabilities/envelope.js';
import { addressForm } from '../../capabilities/listed-deposits.js';
import { entriesByNetwork, networkReader } from '../../capabilities/network-form.js';
import type { ListedNetwork } from '../../capabilities/network-list.js';
import {
  UNREPORTED,
  amount,
  name,
  optionalAmount,
  optionalSeconds,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { transferReader } from '../../capabilities/transfer-form.js';
import { lookUp } from '../../declaration/look-up.js';
import type { KeyInfo } from '../../port/exchange.port.js';

/** The fields that we read of developers.binance.com/docs/wallet (January 2026). The page is beside each form. */

/** wallet/error-code */
export const readErrors = errorReader({ code: 'code', codeForm: z.number().int().transform(String), message: 'msg' });

/** The entries of a response that is a list. */
export const entriesOf = (body: unknown): unknown[] => z.array(z.unknown()).parse(body);

/** account/api-key-permission. Binance reports whether a key is bound to IP addresses, but not to which. */
const restrictions = z.looseObject({ createTime: optionalSeconds });
export function readKeyInfo(body: unknown): KeyInfo {
  const { createTime, ...rest } = restrictions.parse(body);
  const granted = Object.entries(rest).filter(([flag, value]) => /^(enable|permits)/.test(flag) && value === true);
  return { ...UNREPORTED, permissions: granted.map(([flag]) => flag), createdTime: createTime };
}

/** asset/user-assets (spot wallet) and asset/funding-wallet. An asset leaves `withdrawing` when it is sent. */
export const readBalances = balanceReader(entriesOf, {
  ...{ asset: 'asset', free: 'free', used: sumOf(amount, 'locked', 'freeze', 'withdrawing') },
});

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
const networkIdOf = (network: string | null): string | null => lookUp(byName, network);

/** Each network of wallet/capital with the switches of its coin. Only those of the coin count. */
export const networksOf = (body: unknown): unknown[] =>
  entriesByNetwork(entriesOf(body), 'networkList', ['depositAllEnable', 'withdrawAllEnable']);

/** A switch of a network, which counts together with the one of its coin. */
const both = (coin: string, network: string) =>
  z
    .object({ [coin]: z.boolean(), [network]: z.boolean() })
    .transform((one) => one[coin] === true && one[network] === true);

const networkOf = networkReader(networkIdOf, {
  ...{ asset: 'coin', network: 'network', displayName: 'name', contract: 'contractAddress' },
  ...{ canDeposit: both('depositAllEnable', 'depositEnable'), addressRegex: 'addressRegex' },
  withdrawals: {
    isOpen: both('withdrawAllEnable', 'withdrawEnable'),
    decimals: fieldOf('withdrawIntegerMultiple', amount)
      .refine((multiple) => multiple.isPositive())
      .transform((multiple) => multiple.decimalPlaces()),
    // Recorded lists (gocryptotrader, JKorf/Binance.Net) lack `withdrawTag`.
    ...{ min: 'withdrawMin', max: 'withdrawMax', fee: fieldOf('withdrawFee', amount), needsTag: 'withdrawTag' },
  },
});

/** @throws when the entry is unreadable */
export function readNetwork(entry: unknown, codeOf: CodeOf): ListedNetwork {
  const network = networkOf(entry, codeOf);
  // "1 1MBABYDOGE = 1000000 BABYDOGE": the amount on the chain is another one, so such coins are left out.
  const units = fieldOf('denomination', optionalAmount).parse(entry);
  return units === null || units.toString() === '1' ? network : { ...network, networkId: null };
}

/** capital/deposite-address. The response repeats the coin, and not the network. */
const address = addressForm({ address: 'address', tag: 'tag' });
export const readAddresses = (body: unknown) => [address.parse(body)];

/** travel-rule/questionnaire-requirements: "anything other than NIL" means that withdrawals need a questionnaire. */
export const readTravelRuleCountry = (body: unknown): string | null => {
  const { questionnaireCountryCode: code } = z.object({ questionnaireCountryCode: name }).parse(body);
  return code === 'NIL' ? null : code;
};

/** capital/withdraw: the id of the accepted withdrawal. */
export const readWithdrawalId = idIn(fieldOf('id', name));

/** "2019-10-12 11:12:02", "UTC time" */
const utcTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  .transform((text) => new Date(`${text.replace(' ', 'T')}Z`))
  .refine((date) => !Number.isNaN(date.getTime()));

const transfer = {
  ...{ exchangeId: 'id', asset: 'coin', amount: 'amount', network: 'network', status: 'status' },
  ...{ address: 'address', tag: 'addressTag', hash: 'txId' },
};

/**
 * capital/withdraw-history, capital/deposite-history. Tags of withdrawals: travel-rule/withdraw-history-v2. The amount of
 * a withdrawal is what arrives: the documented sample has an amount of 0.0015 BTC below its fee of 0.004 BTC, while a
 * request needs an amount above the fee (-4028).
 */
export const readTransfer = transferReader(networkIdOf, {
  withdrawal: {
    ...{ ...transfer, fee: 'transactionFee', at: fieldOf('applyTime', utcTime), clientRef: 'withdrawOrderId' },
    finals: { '3': 'failed', '6': 'completed' },
  },
  // "Credited but cannot withdraw" (6) is not final. "Wrong Deposit" (7) can still be recovered.
  deposit: { ...transfer, at: 'insertTime', finals: { '1': 'completed', '2': 'failed' } },
});
