import { sampleAddresses } from './addresses.js';
import { methods } from './networks.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What DepositMethods tells of a method beside its name, and what its addresses are like. */
export interface DepositTerms {
  /** Most that can be received now; null = no limit. */
  readonly limit: string | null;
  readonly fee: string;
  readonly minimum: string;
  /** null = not told. */
  readonly setupFee: string | null;
  /** `gen-address`. Without it the account has one address from the start. */
  readonly generates: boolean;
  /** How long a new address lasts; null = for ever. */
  readonly lastsMs: number | null;
  /** Whether an address is for one amount, which has to be given. */
  readonly needsAmount: boolean;
  /** Whether it is offered at all. */
  readonly listed: boolean;
}

/** A way into the exchange for one asset. Its network is told nowhere but in its name. */
export interface DepositMethod {
  readonly assetCode: string;
  readonly name: string;
  readonly network: string;
  /** The field of an address that has its second part; null = there is none. */
  readonly memo: null | 'tag' | 'memo';
  readonly sampleAddresses: readonly string[];
  readonly terms: DepositTerms;
}

/**
 * "tag: contains tags for XRP deposit addresses and memos for STX, XLM, and EOS" says
 * https://docs.kraken.com/api-reference/funding/get-deposit-addresses, whose example has a field `memo` nevertheless.
 * Here Stellar has that, as in recordings of clients.
 */
const tagFields: Readonly<Record<string, 'tag'>> = { Ripple: 'tag', Stacks: 'tag' };

const usual: Omit<DepositTerms, 'minimum'> = {
  ...{ limit: null, fee: '0', setupFee: null, generates: true, lastsMs: null, needsAmount: false, listed: true },
};

/** By code and name of the method, where they are not the usual ones. */
const special: Readonly<Record<string, Partial<DepositTerms>>> = {
  // An invoice: https://docs.kraken.com/api-reference/funding/get-deposit-addresses wants `amount` for it.
  'BTC Bitcoin Lightning': { limit: '0.1', lastsMs: DAY_MS, needsAmount: true },
  // With the field as in ccxt's recording.
  'USDT Tether USD (ERC20)': { setupFee: '0.00000000' },
  'USDT Tether USD (TRC20)': { setupFee: '0.00000000' },
  'BNB BNB - BNB Chain': { setupFee: '0.0050000000' },
  'DAI DAI - Polygon (Unified)': { fee: '0.5' },
  'PYUSD PYUSD (SPL)': { limit: '25000' },
  'ETC Ether Classic (Hex)': { lastsMs: 7 * DAY_MS },
  'HBAR Hedera': { generates: false },
};

type Row = readonly [code: string, name: string, network: string, minimum: string];

/** Nothing leaves by them. */
const inOnly: readonly Row[] = [
  // A chain of its own, whatever its name is like; recorded by clients.
  ['ETH', 'Arbitrum Nova', 'Arbitrum Nova', '0.00001'],
  // Two names of one network: nobody can know which is meant.
  ['GRT', 'GRT - Ethereum', 'Ethereum', '50'],
];

/** Names that no client can have heard of: made up, as the next new name of the real exchange will seem. */
const renamed: Readonly<Record<string, string>> = { 'LDO LDO - Ethereum (Unified)': 'LDO Onboarding 7' };

function termsOf(code: string, name: string, minimum: string): DepositTerms {
  return { ...usual, minimum, ...special[`${code} ${name}`] };
}

export const depositMethods: readonly DepositMethod[] = [
  ...methods.map(({ assetCode, depositMethod, network, memo, minimum, sampleAddresses: samples }) => ({
    ...{ assetCode, network, name: renamed[`${assetCode} ${depositMethod}`] ?? depositMethod },
    ...{ memo: memo === null ? null : (tagFields[network] ?? memo), sampleAddresses: samples },
    terms: termsOf(assetCode, depositMethod, minimum),
  })),
  ...inOnly.map(([assetCode, name, network, minimum]) => ({
    ...{ assetCode, name, network, memo: null, sampleAddresses: sampleAddresses['Ethereum'] ?? [] },
    terms: termsOf(assetCode, name, minimum),
  })),
];
