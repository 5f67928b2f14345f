import { Amount } from '#money';
import { assetById } from '../catalogue.js';
import { addressRule } from '../data/address-rules.js';
import type { Call } from '../kraken/handler.js';
import type { Deposit, Withdrawal } from '../ledger/records.js';
import { heldAssets } from '../rest/account.js';
import { assetOf, namedChains, networkOf, networksByAsset, shownAddresses } from '../rest/networks.js';
import { Refusal } from '../rest/refusal.js';
import { periodOf, requestWithdrawal, FoundRecords } from '../rest/transfers.js';

/** Sources: the pages of developers.binance.com/docs/wallet (January 2026). */

/**
 * For each network, Binance's name (`network`); ccxt 4.5.84 lists the names (`binance.options.networks`). The sandbox
 * lists no other network for Binance. It lists BTC on Ethereum (kBTC), because real exchanges list wrapped coins under
 * the name of the coin.
 */
export const binanceChain = namedChains({
  Bitcoin: 'BTC',
  Lightning: 'LIGHTNING',
  Ethereum: 'ETH',
  'Ethereum (kBTC)': 'ETH',
  'Arbitrum One': 'ARBITRUM',
  Optimism: 'OPTIMISM',
  Base: 'BASE',
  Polygon: 'MATIC',
  'BNB Smart Chain': 'BSC',
  'Avalanche C-Chain': 'AVAXC',
  Linea: 'LINEA',
  'zkSync Era': 'ZKSYNCERA',
  Solana: 'SOL',
  Tron: 'TRX',
  Litecoin: 'LTC',
  'Bitcoin Cash': 'BCH',
  Dogecoin: 'DOGE',
  Zcash: 'ZEC',
  Dash: 'DASH',
  Monero: 'XMR',
  Ripple: 'XRP',
  Stellar: 'XLM',
  Hedera: 'HBAR',
  Stacks: 'STX',
  Cosmos: 'ATOM',
  Celestia: 'TIA',
  Injective: 'INJ',
  Sei: 'SEI',
  'The Open Network': 'TON',
  Cardano: 'ADA',
  Algorand: 'ALGO',
  NEAR: 'NEAR',
  Tezos: 'XTZ',
  Sui: 'SUI',
  Aptos: 'APT',
  Filecoin: 'FIL',
});
const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE_MAX = 1000;
const ORDER_ID = /^[\x21-\x7e]{0,64}$/;

/** Docs: account/api-key-permission. */
export function keyInfo({ key: { permissions, ipAllowlist, createdAt } }: Call): unknown {
  const may = {
    enableReading: permissions.includes('query-funds'),
    enableWithdrawals: permissions.includes('withdraw-funds'),
    enableSpotAndMarginTrading: permissions.includes('modify-trades'),
  };
  const not = { enableInternalTransfer: false, enableMargin: false, enableFutures: false, enableFixReadOnly: false };
  const nor = { enableVanillaOptions: false, enableFixApiTrade: false, enablePortfolioMarginTrading: false };
  const facts = { ipRestrict: ipAllowlist.length > 0, createTime: createdAt, permitsUniversalTransfer: false };
  return { ...facts, ...may, ...not, ...nor };
}

/**
 * Docs: asset/user-assets. All money is in the spot wallet. Docs: capital/withdraw-history (`completeTime`): the asset
 * leaves `withdrawing` when the withdrawal has succeeded.
 */
export const balances = (call: Call): unknown =>
  heldAssets(call).map(({ code, free, held, leaving: withdrawing }) => ({
    asset: code,
    free,
    locked: held,
    freeze: '0',
    withdrawing,
    ipoable: '0',
    btcValuation: '0',
  }));

/** Docs: asset/funding-wallet. The wallet is always empty, because all money is in the spot wallet. */
export const fundingBalances = (): unknown => [];

/** Docs: travel-rule/withdraw-questionnaire: the countries with a questionnaire. */
const TRAVEL_RULE: readonly string[] = ['JP', 'KZ', 'NZ', 'BH', 'AE', 'IN', 'PL', 'FR', 'ZA'];

/** Docs: travel-rule/questionnaire-requirements. Only a country set by the control API counts; null = none. */
function questionnaireCountry({ exchange, account }: Call): string | null {
  const country = exchange.oauth.identities.get(account.id)?.country ?? null;
  return country !== null && TRAVEL_RULE.includes(country) ? country : null;
}

export const travelRule = (call: Call): unknown => ({ questionnaireCountryCode: questionnaireCountry(call) ?? 'NIL' });

/** Docs: capital. The smallest and the largest amount of a withdrawal include the fee. */
export function coins({ exchange }: Call): unknown {
  return networksByAsset(exchange, binanceChain).map(([coin, networks]) => {
    const networkList = networks.map(({ fee, minimum, maximum, asset, ...one }, index) => ({
      network: one.chain,
      coin,
      name: one.network,
      isDefault: index === 0,
      contractAddress: one.contract,
      withdrawIntegerMultiple: Amount.of(`1e-${asset.decimals}`).toString(),
      withdrawFee: fee,
      withdrawMin: Amount.of(minimum).plus(Amount.of(fee)),
      withdrawMax: Amount.of(maximum).plus(Amount.of(fee)),
      depositEnable: one.canDeposit,
      withdrawEnable: one.canWithdraw,
      withdrawTag: one.memo !== null,
      addressRegex: addressRule(one.network),
      memoRegex: '',
      sameAddress: one.memo !== null,
      busy: false,
      contractAddressUrl: '',
      depositDesc: '',
      depositDust: '0',
      withdrawDesc: '',
      specialTips: '',
      specialWithdrawTips: '',
      withdrawInternalMin: '0',
      resetAddressStatus: false,
      estimatedArrivalTime: 25,
      minConfirm: 1,
      unLockConfirm: 0,
    }));
    const switches = { depositAllEnable: true, withdrawAllEnable: true, isLegalMoney: false, trading: true };
    const amounts = { free: '0', freeze: '0', locked: '0', withdrawing: '0', ipoable: '0', ipoing: '0', storage: '0' };
    return { coin, name: coin, ...switches, ...amounts, networkList };
  });
}

/** Finds the network by its name; the default is the coin's first network. */
function networkNamed(coin: string | undefined, network: string | undefined, { exchange }: Call) {
  const asset = assetOf(coin);
  const [, [main] = []] = networksByAsset(exchange, binanceChain, [asset.code])[0] ?? [];
  return { asset, method: networkOf(binanceChain, asset, network ?? main?.chain ?? '') };
}

/** Docs: capital/deposite-address. */
export function depositAddress(call: Call): unknown {
  const { asset, method } = networkNamed(call.params['coin'], call.params['network'], call);
  const shown = shownAddresses(call, binanceChain, asset);
  const found = shown.find(({ network, isLatest }) => isLatest && network === method?.network);
  if (found === undefined) throw new Refusal('parameter_invalid');
  return { address: found.address, coin: asset.code, tag: found.memo ?? '', url: '' };
}

/**
 * Docs: capital/withdraw. The amount contains the fee, because the error -4028 is "The amount of withdrawal must be
 * greater than the Commission".
 */
export function withdrawal(call: Call): unknown {
  const { coin, network, address = '', addressTag: tag = '', amount = '', ...more } = call.params;
  const { withdrawOrderId: reference = '', walletType = '0' } = more;
  if (walletType !== '0' || !ORDER_ID.test(reference)) throw new Refusal('parameter_invalid');
  if (questionnaireCountry(call) !== null) throw new Refusal('parameter_invalid', 'use localentity/withdraw/apply');
  const sent = { ...networkNamed(coin, network, call), address, tag, amount, amountIs: 'gross' } as const;
  return { id: requestWithdrawal(call, { ...sent, reference, isUnique: false }) };
}

function transfer({ refid, asset, network, amount, address, memo, txid }: Deposit | Withdrawal): object {
  const { code: coin } = assetById(asset);
  return {
    id: refid,
    amount,
    coin,
    network: binanceChain(coin, network) ?? network,
    address,
    addressTag: memo ?? '',
    txId: txid ?? '',
    transferType: 0,
    walletType: 0,
  };
}

/** A page of a list. Binance: "Data is returned in ascending order. Oldest first, newest last": general-info. */
function pageOf<T extends Deposit | Withdrawal>(found: FoundRecords<T>, call: Call): T[] {
  const { offset = '0', limit = String(PAGE_MAX) } = call.params;
  return found.oldestPart({ from: Number(offset), limit: Number(limit), max: PAGE_MAX });
}

const utcTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Docs: capital/withdraw-history. In its samples the amount excludes the fee. Only travel-rule/withdraw-history-v2
 * documents the tag of a withdrawal.
 */
export function withdrawals(call: Call): unknown {
  const { coin: asset, withdrawOrderId, idList, startTime, endTime } = call.params;
  const states = { Initial: 2, Pending: 4, Settled: 4, Success: 6, Failure: 3 };
  const ids = idList?.split(',');
  const matches = ids && (({ refid }: Withdrawal) => ids.includes(refid));
  const fields = { clientId: withdrawOrderId };
  const period = periodOf(call, startTime, endTime, (withdrawOrderId === undefined ? 90 : 7) * DAY_MS);
  const found = new FoundRecords(call.exchange.book(call.account).withdrawals, { ...period, asset, fields, matches });
  return pageOf(found, call).map((one) => ({
    ...transfer(one),
    transactionFee: one.fee,
    applyTime: utcTime(one.requestedAt),
    status: states[one.status],
    info: '',
    confirmNo: 1,
    txKey: '',
    ...(one.clientId !== undefined && { withdrawOrderId: one.clientId }),
  }));
}

/** Docs: capital/deposite-history. */
export function deposits(call: Call): unknown {
  const { coin: asset, txId, startTime, endTime } = call.params;
  const period = periodOf(call, startTime, endTime, 90 * DAY_MS);
  const found = new FoundRecords(call.exchange.book(call.account).deposits, {
    ...period,
    asset,
    fields: { txid: txId },
  });
  return pageOf(found, call).map((one) => ({
    ...transfer(one),
    insertTime: one.receivedAt,
    confirmTimes: '1/1',
    unlockConfirm: 0,
    travelRuleStatus: 0,
    status: { Settled: 0, Success: 1, Failure: 2 }[one.status],
  }));
}
