import { sampleAddresses } from './addresses.js';
import { methods } from './networks.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The fields of a deposit method in Kraken's DepositMethods, and how its addresses behave. */
export interface DepositTerms {
  /** The largest amount that can be received now; null means no limit. */
  readonly limit: string | null;
  readonly fee: string;
  readonly minimum: string;
  /** Null omits the field from the response. */
  readonly setupFee: string | null;
  /** Kraken's `gen-address`: whether a client can create addresses. When false, the account has one fixed address. */
  readonly generates: boolean;
  /** Lifetime of a new address in milliseconds; null means unlimited. */
  readonly lastsMs: number | null;
  /** Whether the request of an address must contain the amount. */
  readonly needsAmount: boolean;
  /** Whether Kraken's DepositMethods lists the method. */
  readonly listed: boolean;
}

/** A deposit method of one asset. In Kraken's responses only its name indicates the network. */
export interface DepositMethod {
  readonly assetCode: string;
  readonly name: string;
  readonly network: string;
  /** Name of the field for the tag or memo of an address; null when it has none. */
  readonly memo: null | 'tag' | 'memo';
  readonly sampleAddresses: readonly string[];
  readonly terms: DepositTerms;
}

/**
 * The documentation contradicts itself: "tag: contains tags for XRP deposit addresses and memos for STX, XLM, and EOS",
 * but its example has a field `memo` (https://docs.kraken.com/api-reference/funding/get-deposit-addresses). Here
 * Stellar has `memo`, as in responses of Kraken that client libraries have recorded.
 */
const tagFields: Readonly<Record<string, 'tag'>> = { Ripple: 'tag', Stacks: 'tag' };

const usual: Omit<DepositTerms, 'minimum'> = {
  limit: null,
  fee: '0',
  setupFee: null,
  generates: true,
  lastsMs: null,
  needsAmount: false,
  listed: true,
};

/** For each asset code and method name, the fields that differ from `usual`. */
const special: Readonly<Record<string, Partial<DepositTerms>>> = {
  // A Lightning address is an invoice for one amount:
  // https://docs.kraken.com/api-reference/funding/get-deposit-addresses requires `amount`.
  'BTC Bitcoin Lightning': { limit: '0.1', lastsMs: DAY_MS, needsAmount: true },
  // The values of the following methods come from ccxt's recordings.
  'USDT Tether USD (ERC20)': { setupFee: '0.00000000' },
  'USDT Tether USD (TRC20)': { setupFee: '0.00000000' },
  'BNB BNB - BNB Chain': { setupFee: '0.0050000000' },
  'DAI DAI - Polygon (Unified)': { fee: '0.5' },
  'PYUSD PYUSD (SPL)': { limit: '25000' },
  'ETC Ether Classic (Hex)': { lastsMs: 7 * DAY_MS },
  'HBAR Hedera': { generates: false },
};

type Row = readonly [code: string, name: string, network: string, minimum: string];

/** Methods that support deposits only. */
const inOnly: readonly Row[] = [
  // Client libraries have recorded this method from Kraken's responses. A client must not take Arbitrum Nova for
  // Arbitrum One, which is another network.
  ['ETH', 'Arbitrum Nova', 'Arbitrum Nova', '0.00001'],
  // With this method, the asset has two deposit methods on Ethereum, and a client cannot know which one to use.
  ['GRT', 'GRT - Ethereum', 'Ethereum', '50'],
];

/** Names that no client can know. They simulate new names that Kraken introduces. */
const renamed: Readonly<Record<string, string>> = { 'LDO LDO - Ethereum (Unified)': 'LDO Onboarding 7' };

function termsOf(code: string, name: string, minimum: string): DepositTerms {
  return { ...usual, minimum, ...special[`${code} ${name}`] };
}

export const depositMethods: readonly DepositMethod[] = [
  ...methods.map(({ assetCode, depositMethod, network, memo, minimum, sampleAddresses: samples }) => ({
    assetCode,
    network,
    name: renamed[`${assetCode} ${depositMethod}`] ?? depositMethod,
    memo: memo === null ? null : (tagFields[network] ?? memo),
    sampleAddresses: samples,
    terms: termsOf(assetCode, depositMethod, minimum),
  })),
  ...inOnly.map(([assetCode, name, network, minimum]) => ({
    assetCode,
    name,
    network,
    memo: null,
    sampleAddresses: sampleAddresses['Ethereum'] ?? [],
    terms: termsOf(assetCode, name, minimum),
  })),
];
