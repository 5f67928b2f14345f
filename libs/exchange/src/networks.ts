import type { TagType } from './exchange.port.js';

/** A chain, or a way of moving an asset that is not a chain, under one name for all exchanges. */
export interface Network {
  /** Ours, lower case; what callers send and read. */
  readonly id: string;
  /** Short name for people. */
  readonly name: string;
  /** RE2 expression that an address matches as a whole. */
  readonly addressRegex: string;
  /** What a tag is called on this network; null = addresses have none. */
  readonly tagType: TagType | null;
  /** Most digits after the point that the chain can carry, where its own coin is all that moves on it; null elsewhere. */
  readonly maxDecimals: number | null;
  /** Other names that callers may use, upper case. */
  readonly aliases: readonly string[];
  /** CAIP-2 id (chainagnostic.org), null where none is established. */
  readonly caip2: string | null;
}

type Entry = Pick<Network, 'id' | 'name' | 'addressRegex'> & Partial<Omit<Network, 'id' | 'name' | 'addressRegex'>>;

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const BECH32 = '[02-9ac-hj-np-z]';
const EVM_ADDRESS = '^0x[0-9a-fA-F]{40}$';

const evm = (id: string, name: string, chainId: number, ...aliases: string[]): Entry => ({
  id,
  name,
  addressRegex: EVM_ADDRESS,
  aliases,
  caip2: `eip155:${chainId}`,
});

const entries: readonly Entry[] = [
  {
    id: 'bitcoin',
    name: 'Bitcoin',
    addressRegex: `^(bc1${BECH32}{11,71}|[13]${BASE58}{25,34})$`,
    maxDecimals: 8,
    aliases: ['BTC', 'XBT', 'BITCOIN MAINNET'],
    caip2: 'bip122:000000000019d6689c085ae165831e93',
  },
  {
    id: 'lightning',
    name: 'Lightning',
    addressRegex: `^lnbc[0-9]*[munp]?1${BECH32}{50,240}$`,
    maxDecimals: 8,
    aliases: ['LN', 'BTCLN', 'BTCLIGHTNING', 'BITCOIN LIGHTNING'],
  },
  evm('ethereum', 'Ethereum', 1, 'ETH', 'ERC20', 'ERC-20'),
  evm('arbitrum', 'Arbitrum One', 42161, 'ARBITRUM ONE', 'ARBONE', 'ARB', 'ARBITRUMONE'),
  evm('optimism', 'Optimism', 10, 'OP', 'OP MAINNET'),
  evm('base', 'Base', 8453, 'BASE MAINNET'),
  evm('polygon', 'Polygon', 137, 'MATIC', 'POL', 'POLYGON POS'),
  evm('bsc', 'BNB Smart Chain', 56, 'BEP20', 'BEP-20', 'BNB', 'BNB SMART CHAIN'),
  evm('avalanche', 'Avalanche C-Chain', 43114, 'AVAX', 'AVAXC', 'AVAX C-CHAIN', 'AVALANCHE C-CHAIN'),
  evm('linea', 'Linea', 59144),
  evm('zksync', 'zkSync Era', 324, 'ZKSYNC ERA', 'ZKSYNCERA'),
  evm('unichain', 'Unichain', 130),
  evm('ethereumclassic', 'Ethereum Classic', 61, 'ETC', 'ETHEREUM CLASSIC'),
  {
    id: 'solana',
    name: 'Solana',
    addressRegex: `^${BASE58}{32,44}$`,
    aliases: ['SOL', 'SPL'],
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  },
  {
    id: 'tron',
    name: 'Tron',
    addressRegex: `^T${BASE58}{33}$`,
    aliases: ['TRX', 'TRC20', 'TRC-20'],
    caip2: 'tron:0x2b6653dc',
  },
  {
    id: 'litecoin',
    name: 'Litecoin',
    addressRegex: `^(ltc1${BECH32}{11,71}|[LM3]${BASE58}{25,34})$`,
    maxDecimals: 8,
    aliases: ['LTC'],
    caip2: 'bip122:12a765e31ffd4059bada1e25190f6e98',
  },
  {
    id: 'bitcoincash',
    name: 'Bitcoin Cash',
    addressRegex: `^((bitcoincash:)?[qp]${BECH32}{41}|[13]${BASE58}{25,34})$`,
    maxDecimals: 8,
    aliases: ['BCH', 'BITCOIN CASH'],
  },
  {
    id: 'dogecoin',
    name: 'Dogecoin',
    addressRegex: `^[DA9]${BASE58}{25,34}$`,
    maxDecimals: 8,
    aliases: ['DOGE', 'XDG'],
    caip2: 'bip122:1a91e3dace36e2be3bf030a65679fe82',
  },
  {
    id: 'zcash',
    name: 'Zcash',
    addressRegex: `^(t[13]${BASE58}{33}|zs1${BECH32}{75})$`,
    maxDecimals: 8,
    aliases: ['ZEC'],
  },
  {
    id: 'dash',
    name: 'Dash',
    addressRegex: `^[X7]${BASE58}{33}$`,
    maxDecimals: 8,
  },
  {
    id: 'monero',
    name: 'Monero',
    addressRegex: `^[48]${BASE58}{94}(${BASE58}{11})?$`,
    maxDecimals: 12,
    aliases: ['XMR'],
  },
  {
    id: 'ripple',
    name: 'XRP Ledger',
    addressRegex: `^r${BASE58}{24,34}$`,
    tagType: 'destinationTag',
    aliases: ['XRP', 'XRPL', 'XRP LEDGER'],
    caip2: 'xrpl:0',
  },
  {
    id: 'stellar',
    name: 'Stellar',
    addressRegex: '^(G[A-Z2-7]{55}|M[A-Z2-7]{68})$',
    tagType: 'memo',
    aliases: ['XLM'],
    caip2: 'stellar:pubnet',
  },
  {
    id: 'hedera',
    name: 'Hedera',
    addressRegex: '^0\\.0\\.[0-9]{1,10}$',
    tagType: 'memo',
    aliases: ['HBAR'],
    caip2: 'hedera:mainnet',
  },
  {
    id: 'stacks',
    name: 'Stacks',
    addressRegex: '^S[PM][0-9A-HJKMNP-TV-Z]{37,39}$',
    tagType: 'memo',
    aliases: ['STX'],
    caip2: 'stacks:1',
  },
  {
    id: 'cosmos',
    name: 'Cosmos Hub',
    addressRegex: `^cosmos1${BECH32}{38,58}$`,
    tagType: 'memo',
    aliases: ['ATOM', 'COSMOS HUB'],
    caip2: 'cosmos:cosmoshub-4',
  },
  {
    id: 'celestia',
    name: 'Celestia',
    addressRegex: `^celestia1${BECH32}{38,58}$`,
    tagType: 'memo',
    aliases: ['TIA'],
    caip2: 'cosmos:celestia',
  },
  {
    id: 'injective',
    name: 'Injective',
    addressRegex: `^inj1${BECH32}{38}$`,
    tagType: 'memo',
    aliases: ['INJ'],
    caip2: 'cosmos:injective-1',
  },
  {
    id: 'sei',
    name: 'Sei',
    addressRegex: `^(sei1${BECH32}{38,58}|0x[0-9a-fA-F]{40})$`,
    tagType: 'memo',
  },
  {
    id: 'ton',
    name: 'TON',
    addressRegex: '^([EUk0]Q[A-Za-z0-9_-]{46}|-?[01]:[0-9a-fA-F]{64})$',
    tagType: 'memo',
    aliases: ['THE OPEN NETWORK', 'TONCOIN'],
  },
  {
    id: 'cardano',
    name: 'Cardano',
    addressRegex: `^(addr1${BECH32}{50,110}|(Ae2|DdzFF)${BASE58}{50,105})$`,
    aliases: ['ADA'],
  },
  {
    id: 'polkadot',
    name: 'Polkadot',
    addressRegex: `^1${BASE58}{45,47}$`,
    aliases: ['DOT'],
    caip2: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
  },
  {
    id: 'kusama',
    name: 'Kusama',
    addressRegex: `^[C-J]${BASE58}{45,47}$`,
    aliases: ['KSM'],
    caip2: 'polkadot:b0a8d493285c2df73290dfb7e61f870f',
  },
  { id: 'algorand', name: 'Algorand', addressRegex: '^[A-Z2-7]{58}$', aliases: ['ALGO'] },
  {
    id: 'near',
    name: 'NEAR',
    addressRegex: '^([0-9a-f]{64}|([a-z0-9]+[-_])*[a-z0-9]+(\\.([a-z0-9]+[-_])*[a-z0-9]+)+)$',
    aliases: ['NEAR PROTOCOL'],
    caip2: 'near:mainnet',
  },
  { id: 'tezos', name: 'Tezos', addressRegex: `^(tz[1-4]|KT1)${BASE58}{33}$`, aliases: ['XTZ'] },
  { id: 'sui', name: 'Sui', addressRegex: '^0x[0-9a-fA-F]{64}$', caip2: 'sui:mainnet' },
  { id: 'aptos', name: 'Aptos', addressRegex: '^0x[0-9a-fA-F]{1,64}$', aliases: ['APT'], caip2: 'aptos:1' },
  {
    id: 'filecoin',
    name: 'Filecoin',
    addressRegex: '^(f[1-3][a-z2-7]{38,86}|f410f[a-z2-7]{39}|0x[0-9a-fA-F]{40})$',
    aliases: ['FIL'],
  },
];

const networks: readonly Network[] = entries.map((entry) => ({
  tagType: null,
  maxDecimals: null,
  aliases: [],
  caip2: null,
  ...entry,
}));

const byId = new Map(networks.map((network) => [network.id, network]));
const idByName = new Map(
  networks.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name.toUpperCase(), id])),
);

/** Every network that the service knows. What an exchange offers beyond them is left out, never passed through. */
export function listNetworks(): readonly Network[] {
  return networks;
}

/** The network with our id. */
export function networkById(id: string): Network | null {
  return byId.get(id) ?? null;
}

/** Our id for what a caller wrote: our ids in any case, and common names such as ERC20 or TRC20; null = unknown. */
export function resolveNetworkId(text: string): string | null {
  return idByName.get(text.trim().toUpperCase()) ?? null;
}
