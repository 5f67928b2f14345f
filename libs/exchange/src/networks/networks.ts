import type { TagType } from '../port/exchange.port.js';

/** A chain, or another network that transfers an asset (Lightning). It has the same id for all exchanges. */
export interface Network {
  /** Our id, in lower case, as callers send and read it. */
  readonly id: string;
  /** The name shown to people. */
  readonly name: string;
  /**
   * RE2 expression that a whole address matches. It allows only the documented formats, so that an address of another
   * family is refused early. It does not check checksums; `hasValidChecksum` does.
   *
   * These formats are left out, because few wallets use them or because another chain has them, too: X-addresses of the
   * XRP Ledger, unified and TEX addresses of Zcash, MWEB addresses of Litecoin, token addresses of Bitcoin Cash,
   * contracts of Stellar (C…), `0x…` on NEAR, Sei and Filecoin, `f0…` on Filecoin, and short addresses of Aptos.
   */
  readonly addressRegex: string;
  /** The kind of tag that addresses have; null = they have none. */
  readonly tagType: TagType | null;
  /** Maximum number of decimal places on a chain that carries only its own coin; null for other chains. */
  readonly maxDecimals: number | null;
  /** Our codes of the coins that exist on this chain itself, not as a token with a contract. */
  readonly coins: readonly string[];
  /** Other names that callers may use, in upper case. */
  readonly aliases: readonly string[];
  /** CAIP-2 id from namespaces.chainagnostic.org; null = there is none, or the network can be one of several chains. */
  readonly caip2: string | null;
}

type Entry = Pick<Network, 'id' | 'name' | 'addressRegex'> & Partial<Omit<Network, 'id' | 'name' | 'addressRegex'>>;

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const BECH32 = '[02-9ac-hj-np-z]';
const EVM_ADDRESS = '^0x[0-9a-fA-F]{40}$';

/** SegWit programs in use: version 0 (20 or 32 bytes) and version 1 (32 bytes). */
const segwit = (prefix: string): string => `${prefix}1(q${BECH32}{38}|[qp]${BECH32}{58})`;
/** Cosmos SDK addresses: 20 bytes for accounts, 32 for contracts and modules. */
const cosmosSdk = (prefix: string): string => `^${prefix}1(${BECH32}{38}|${BECH32}{58})$`;

const evm = (chainId: number, chain: Pick<Entry, 'id' | 'name' | 'coins' | 'aliases'>): Entry => ({
  ...chain,
  addressRegex: EVM_ADDRESS,
  caip2: `eip155:${chainId}`,
});

const entries: readonly Entry[] = [
  {
    id: 'bitcoin',
    name: 'Bitcoin',
    coins: ['BTC'],
    addressRegex: `^(${segwit('bc')}|[13]${BASE58}{25,34})$`,
    maxDecimals: 8,
    aliases: ['BTC', 'XBT', 'BITCOIN MAINNET'],
    caip2: 'bip122:000000000019d6689c085ae165831e93',
  },
  {
    id: 'lightning',
    name: 'Lightning',
    coins: ['BTC'],
    // An invoice with routing hints is longer than any address; BOLT 11 sets no limit.
    addressRegex: `^lnbc([1-9][0-9]{0,17}[munp]?)?1${BECH32}{50,1000}$`,
    maxDecimals: 8,
    aliases: ['LN', 'BTCLN', 'BTCLIGHTNING', 'BITCOIN LIGHTNING'],
  },
  evm(1, { id: 'ethereum', name: 'Ethereum', coins: ['ETH'], aliases: ['ETH', 'ERC20', 'ERC-20'] }),
  evm(42161, {
    id: 'arbitrum',
    name: 'Arbitrum One',
    coins: ['ETH'],
    aliases: ['ARBITRUM ONE', 'ARBONE', 'ARB', 'ARBITRUMONE'],
  }),
  evm(10, { id: 'optimism', name: 'Optimism', coins: ['ETH'], aliases: ['OP', 'OP MAINNET'] }),
  evm(8453, { id: 'base', name: 'Base', coins: ['ETH'], aliases: ['BASE MAINNET'] }),
  evm(137, { id: 'polygon', name: 'Polygon', coins: ['POL'], aliases: ['MATIC', 'POL', 'POLYGON POS'] }),
  evm(56, {
    id: 'bsc',
    name: 'BNB Smart Chain',
    coins: ['BNB'],
    aliases: ['BEP20', 'BEP-20', 'BNB', 'BNB SMART CHAIN'],
  }),
  evm(43114, {
    id: 'avalanche',
    name: 'Avalanche C-Chain',
    coins: ['AVAX'],
    aliases: ['AVAX', 'AVAXC', 'AVAX C-CHAIN', 'AVALANCHE C-CHAIN'],
  }),
  evm(59144, { id: 'linea', name: 'Linea', coins: ['ETH'] }),
  evm(324, { id: 'zksync', name: 'zkSync Era', coins: ['ETH'], aliases: ['ZKSYNC ERA', 'ZKSYNCERA'] }),
  evm(130, { id: 'unichain', name: 'Unichain', coins: ['ETH'] }),
  evm(61, { id: 'ethereumclassic', name: 'Ethereum Classic', coins: ['ETC'], aliases: ['ETC', 'ETHEREUM CLASSIC'] }),
  {
    id: 'solana',
    name: 'Solana',
    coins: ['SOL'],
    // An address has 32 bytes: at least 40 Base58 digits, except for one key in 200 million. Shorter texts are
    // addresses of Bitcoin, Tron or Tezos.
    addressRegex: `^${BASE58}{40,44}$`,
    aliases: ['SOL', 'SPL'],
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  },
  {
    id: 'tron',
    name: 'Tron',
    coins: ['TRX'],
    addressRegex: `^T${BASE58}{33}$`,
    aliases: ['TRX', 'TRC20', 'TRC-20'],
  },
  {
    id: 'litecoin',
    name: 'Litecoin',
    coins: ['LTC'],
    addressRegex: `^(${segwit('ltc')}|[LM3]${BASE58}{25,34})$`,
    maxDecimals: 8,
    aliases: ['LTC'],
    caip2: 'bip122:12a765e31ffd4059bada1e25190f6e98',
  },
  {
    id: 'bitcoincash',
    name: 'Bitcoin Cash',
    coins: ['BCH'],
    addressRegex: `^((bitcoincash:)?[qp]${BECH32}{41}|[13]${BASE58}{25,34})$`,
    maxDecimals: 8,
    aliases: ['BCH', 'BITCOIN CASH'],
    caip2: 'bip122:000000000000000000651ef99cb9fcbe',
  },
  {
    id: 'dogecoin',
    name: 'Dogecoin',
    coins: ['DOGE'],
    addressRegex: `^[DA9]${BASE58}{25,34}$`,
    maxDecimals: 8,
    aliases: ['DOGE', 'XDG'],
    caip2: 'bip122:1a91e3dace36e2be3bf030a65679fe82',
  },
  {
    id: 'zcash',
    name: 'Zcash',
    coins: ['ZEC'],
    addressRegex: `^(t[13]${BASE58}{33}|zs1${BECH32}{75})$`,
    maxDecimals: 8,
    aliases: ['ZEC'],
  },
  {
    id: 'dash',
    name: 'Dash',
    coins: ['DASH'],
    addressRegex: `^[X7]${BASE58}{33}$`,
    maxDecimals: 8,
  },
  {
    id: 'monero',
    name: 'Monero',
    coins: ['XMR'],
    addressRegex: `^[48]${BASE58}{94}(${BASE58}{11})?$`,
    maxDecimals: 12,
    aliases: ['XMR'],
    caip2: 'monero:418015bb9ae982a1975da7d79277c270',
  },
  {
    id: 'ripple',
    name: 'XRP Ledger',
    coins: ['XRP'],
    addressRegex: `^r${BASE58}{24,34}$`,
    tagType: 'destinationTag',
    aliases: ['XRP', 'XRPL', 'XRP LEDGER'],
    caip2: 'xrpl:0',
  },
  {
    id: 'stellar',
    name: 'Stellar',
    coins: ['XLM'],
    addressRegex: '^(G[A-Z2-7]{55}|M[A-Z2-7]{68})$',
    tagType: 'memo',
    aliases: ['XLM'],
    caip2: 'stellar:pubnet',
  },
  {
    id: 'hedera',
    name: 'Hedera',
    coins: ['HBAR'],
    addressRegex: '^0\\.0\\.(0|[1-9][0-9]{0,9})$',
    tagType: 'memo',
    aliases: ['HBAR'],
    caip2: 'hedera:mainnet',
  },
  {
    id: 'stacks',
    name: 'Stacks',
    coins: ['STX'],
    addressRegex: '^S[PM][0-9A-HJKMNP-TV-Z]{37,39}$',
    tagType: 'memo',
    aliases: ['STX'],
    caip2: 'stacks:1',
  },
  {
    id: 'cosmos',
    name: 'Cosmos Hub',
    coins: ['ATOM'],
    addressRegex: cosmosSdk('cosmos'),
    tagType: 'memo',
    aliases: ['ATOM', 'COSMOS HUB'],
    caip2: 'cosmos:cosmoshub-4',
  },
  {
    id: 'celestia',
    name: 'Celestia',
    coins: ['TIA'],
    addressRegex: cosmosSdk('celestia'),
    tagType: 'memo',
    aliases: ['TIA'],
    caip2: 'cosmos:celestia',
  },
  {
    id: 'injective',
    name: 'Injective',
    coins: ['INJ'],
    addressRegex: cosmosSdk('inj'),
    tagType: 'memo',
    aliases: ['INJ'],
    caip2: 'cosmos:injective-1',
  },
  {
    id: 'sei',
    name: 'Sei',
    coins: ['SEI'],
    addressRegex: cosmosSdk('sei'),
    tagType: 'memo',
  },
  {
    id: 'ton',
    name: 'TON',
    coins: ['TON'],
    // The user-friendly mainnet forms of the basic workchain and the masterchain, and the raw forms (`0:…`, `-1:…`).
    addressRegex: '^([EU][Qf][A-Za-z0-9_-]{46}|(0|-1):[0-9a-fA-F]{64})$',
    tagType: 'memo',
    aliases: ['THE OPEN NETWORK', 'TONCOIN'],
    caip2: 'tvm:-239',
  },
  {
    id: 'cardano',
    name: 'Cardano',
    coins: ['ADA'],
    addressRegex: `^(addr1${BECH32}{50,110}|(Ae2|DdzFF)${BASE58}{50,105})$`,
    aliases: ['ADA'],
  },
  {
    id: 'polkadot',
    name: 'Polkadot',
    coins: ['DOT'],
    addressRegex: `^1${BASE58}{45,47}$`,
    // No CAIP-2 id: the coin moved from the Relay Chain to Asset Hub in 2025. Exchanges do not state which they use.
    aliases: ['DOT'],
  },
  {
    id: 'kusama',
    name: 'Kusama',
    coins: ['KSM'],
    addressRegex: `^[C-J]${BASE58}{45,47}$`,
    // No CAIP-2 id: exchanges do not state whether the coin is on the Relay Chain or on Asset Hub.
    aliases: ['KSM'],
  },
  {
    id: 'algorand',
    name: 'Algorand',
    coins: ['ALGO'],
    addressRegex: '^[A-Z2-7]{58}$',
    aliases: ['ALGO'],
    caip2: 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k',
  },
  {
    id: 'near',
    name: 'NEAR',
    coins: ['NEAR'],
    // The name of an account ends in a top-level account. All existing top-level accounts begin with a letter.
    addressRegex: '^([0-9a-f]{64}|(([a-z0-9]+[-_])*[a-z0-9]+\\.)+[a-z][a-z0-9]*([-_][a-z0-9]+)*)$',
    aliases: ['NEAR PROTOCOL'],
  },
  {
    id: 'tezos',
    name: 'Tezos',
    coins: ['XTZ'],
    addressRegex: `^(tz[1-4]|KT1)${BASE58}{33}$`,
    aliases: ['XTZ'],
    caip2: 'tezos:NetXdQprcVkpaWU',
  },
  { id: 'sui', name: 'Sui', coins: ['SUI'], addressRegex: '^0x[0-9a-fA-F]{64}$', caip2: 'sui:mainnet' },
  {
    id: 'aptos',
    name: 'Aptos',
    coins: ['APT'],
    // An address has 32 bytes, of which older wallets omit leading zeros.
    addressRegex: '^0x[0-9a-fA-F]{60,64}$',
    aliases: ['APT'],
    caip2: 'aptos:1',
  },
  {
    id: 'filecoin',
    name: 'Filecoin',
    coins: ['FIL'],
    // The format 0x… is left out, because addresses of Ethereum have the same format.
    addressRegex: '^(f[12][a-z2-7]{39}|f3[a-z2-7]{84}|f410f[a-z2-7]{39})$',
    aliases: ['FIL'],
    caip2: 'fil:f',
  },
];

const networks: readonly Network[] = entries.map((entry) => ({
  tagType: null,
  maxDecimals: null,
  coins: [],
  aliases: [],
  caip2: null,
  ...entry,
}));

const allCoins: ReadonlySet<string> = new Set(networks.flatMap(({ coins }) => coins));
const byId = new Map(networks.map((network) => [network.id, network]));
const idByName = new Map(
  networks.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name.toUpperCase(), id])),
);

/** All networks that the service knows. Other networks of an exchange are left out. */
export function listNetworks(): readonly Network[] {
  return networks;
}

/** Whether the asset is the native coin of one of our networks. */
export function isCoin(asset: string): boolean {
  return allCoins.has(asset);
}

/** Finds a network by our id; null = unknown. */
export function networkById(id: string): Network | null {
  return byId.get(id) ?? null;
}

/** Resolves a caller's text to our id: our ids in any case, or common names such as ERC20; null = unknown. */
export function resolveNetworkId(text: string): string | null {
  return idByName.get(text.trim().toUpperCase()) ?? null;
}
