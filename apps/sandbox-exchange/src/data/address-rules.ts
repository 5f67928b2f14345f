const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const BECH32 = '[02-9ac-hj-np-z]';
const EVM = '^0x[0-9a-fA-F]{40}$';

/**
 * For each of Kraken's network names, the format of an address as a regular expression in RE2 syntax, anchored at both
 * ends. The rules do not check checksums, like most rules that exchanges publish.
 */
export const addressRules: Readonly<Record<string, string>> = {
  Bitcoin: `^(bc1${BECH32}{11,71}|[13]${BASE58}{25,34})$`,
  Lightning: `^lnbc[0-9]*[munp]?1${BECH32}{50,1000}$`,
  Solana: `^${BASE58}{32,44}$`,
  Tron: `^T${BASE58}{33}$`,
  Litecoin: `^(ltc1${BECH32}{11,71}|[LM3]${BASE58}{25,34})$`,
  'Bitcoin Cash': `^((bitcoincash:)?[qp]${BECH32}{41}|[13]${BASE58}{25,34})$`,
  Dogecoin: `^[DA9]${BASE58}{25,34}$`,
  Zcash: `^t[13]${BASE58}{33}$`,
  Dash: `^[X7]${BASE58}{33}$`,
  Monero: `^[48]${BASE58}{94}(${BASE58}{11})?$`,
  Ripple: `^r${BASE58}{24,34}$`,
  Stellar: '^G[A-Z2-7]{55}$',
  Hedera: '^0[.]0[.][0-9]{1,10}$',
  Stacks: '^S[PM][0-9A-HJKMNP-TV-Z]{37,39}$',
  Cosmos: `^cosmos1${BECH32}{38,58}$`,
  Celestia: `^celestia1${BECH32}{38,58}$`,
  Injective: `^inj1${BECH32}{38}$`,
  Sei: `^sei1${BECH32}{38,58}$`,
  'The Open Network': '^[EU]Q[A-Za-z0-9_-]{46}$',
  Cardano: `^addr1${BECH32}{50,110}$`,
  Polkadot: `^1${BASE58}{45,47}$`,
  Kusama: `^[C-J]${BASE58}{45,47}$`,
  Algorand: '^[A-Z2-7]{58}$',
  NEAR: '^([0-9a-f]{64}|[a-z0-9_-]{2,57}[.]near)$',
  Tezos: `^(tz[1-4]|KT1)${BASE58}{33}$`,
  Sui: '^0x[0-9a-fA-F]{64}$',
  Aptos: '^0x[0-9a-fA-F]{1,64}$',
  Filecoin: '^f[1-3][a-z2-7]{38,86}$',
};

/** A network without an entry has Ethereum's address format. */
export function addressRule(network: string): string {
  return addressRules[network] ?? EVM;
}
