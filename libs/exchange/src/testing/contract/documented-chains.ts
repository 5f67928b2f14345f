/**
 * The chains as sources describe them that are independent of our tables of names, chain ids and contracts. The suite
 * compares these tables with them, so nothing here comes from our tables.
 *
 * - EVM chains (chain id, names, coin, explorers, and the first part of the address of the web site):
 *   github.com/ethereum-lists/chains, `_data/chains/eip155-<id>.json`; the explorer era.zksync.network: viem 2.27.0
 *   (chains/definitions/zksync.ts).
 * - Other CAIP-2 ids: github.com/ChainAgnostic/namespaces at 3fee8ee, and for Celestia and Injective
 *   github.com/cosmos/chain-registry.
 * - Coins: github.com/satoshilabs/slips at 73c23ac, `slip-0044.md`; TIA and APT: the chains' own documentation
 *   (docs.celestia.org, aptos.dev).
 * - Token standards: eips.ethereum.org/EIPS/eip-20, developers.tron.network/docs/trc20, docs.bnbchain.org (BEP-20),
 *   solana.com/docs/tokens (SPL).
 */
export interface DocumentedChain {
  /** CAIP-2 id; null = no id is documented, or the name can be one of several chains. */
  readonly caip2: string | null;
  /** The coins of the chain itself. */
  readonly coins: readonly string[];
  /** The names of the chain. No two chains share one of them. */
  readonly names: readonly string[];
  /** Hosts of explorers. */
  readonly explorers?: readonly string[];
}

/** By our id of the network. */
export const documentedChains: Readonly<Record<string, DocumentedChain>> = {
  ethereum: {
    caip2: 'eip155:1',
    coins: ['ETH'],
    names: ['Ethereum', 'ETH', 'Ether', 'ERC20'],
    explorers: ['etherscan.io', 'eth.blockscout.com'],
  },
  arbitrum: {
    caip2: 'eip155:42161',
    coins: ['ETH'],
    names: ['Arbitrum One', 'arb1', 'Arbitrum'],
    explorers: ['arbiscan.io', 'explorer.arbitrum.io'],
  },
  optimism: {
    caip2: 'eip155:10',
    coins: ['ETH'],
    names: ['OP', 'OP Mainnet', 'oeth', 'Optimism'],
    explorers: ['optimistic.etherscan.io'],
  },
  base: { caip2: 'eip155:8453', coins: ['ETH'], names: ['Base'], explorers: ['basescan.org', 'base.blockscout.com'] },
  polygon: {
    // Polygon PoS: docs.polygon.technology/pos. SLIP-44 calls its coin MATIC, the list of chains POL.
    caip2: 'eip155:137',
    coins: ['POL'],
    names: ['Polygon', 'Polygon PoS', 'POL', 'MATIC'],
    explorers: ['polygonscan.com'],
  },
  bsc: {
    // The chain was renamed from Binance Smart Chain to BNB Smart Chain (docs.bnbchain.org).
    caip2: 'eip155:56',
    coins: ['BNB'],
    explorers: ['bscscan.com'],
    names: ['BNB Smart Chain', 'Binance Smart Chain', 'BSC', 'BNB', 'BNB Chain', 'BEP20'],
  },
  avalanche: {
    caip2: 'eip155:43114',
    coins: ['AVAX'],
    names: ['Avalanche C-Chain', 'AVAX', 'AVAXC', 'Avalanche'],
    explorers: ['snowtrace.io', 'avascan.info'],
  },
  linea: { caip2: 'eip155:59144', coins: ['ETH'], names: ['Linea'], explorers: ['lineascan.build'] },
  zksync: {
    caip2: 'eip155:324',
    coins: ['ETH'],
    names: ['zkSync Era', 'zkSync Era Mainnet'],
    explorers: ['explorer.zksync.io', 'era.zksync.network'],
  },
  unichain: { caip2: 'eip155:130', coins: ['ETH'], names: ['Unichain'], explorers: ['uniscan.xyz'] },
  ethereumclassic: { caip2: 'eip155:61', coins: ['ETC'], names: ['Ethereum Classic', 'ETC', 'Ether Classic'] },
  bitcoin: {
    // BIP-141: SegWit is a format of Bitcoin's transactions and addresses. Some exchanges list it as a network.
    caip2: 'bip122:000000000019d6689c085ae165831e93',
    coins: ['BTC'],
    names: ['Bitcoin', 'BTC', 'BTC SegWit'],
  },
  // github.com/lightning/bolts
  lightning: { caip2: null, coins: ['BTC'], names: ['Lightning', 'Lightning Network', 'Bitcoin Lightning'] },
  litecoin: { caip2: 'bip122:12a765e31ffd4059bada1e25190f6e98', coins: ['LTC'], names: ['Litecoin', 'LTC'] },
  bitcoincash: { caip2: 'bip122:000000000000000000651ef99cb9fcbe', coins: ['BCH'], names: ['Bitcoin Cash', 'BCH'] },
  dogecoin: { caip2: 'bip122:1a91e3dace36e2be3bf030a65679fe82', coins: ['DOGE'], names: ['Dogecoin', 'DOGE'] },
  zcash: { caip2: null, coins: ['ZEC'], names: ['Zcash', 'ZEC'] },
  dash: { caip2: null, coins: ['DASH'], names: ['Dash'] },
  monero: { caip2: 'monero:418015bb9ae982a1975da7d79277c270', coins: ['XMR'], names: ['Monero', 'XMR'] },
  solana: {
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    coins: ['SOL'],
    names: ['Solana', 'SOL', 'SPL'],
    explorers: ['explorer.solana.com', 'solscan.io'],
  },
  tron: { caip2: null, coins: ['TRX'], names: ['Tron', 'TRX', 'TRC20'], explorers: ['tronscan.org'] },
  // xrpl.org. "Ripple" is the name of the company behind it, and was the name of the ledger.
  ripple: { caip2: 'xrpl:0', coins: ['XRP'], names: ['XRP', 'XRP Ledger', 'XRPL', 'Ripple'] },
  stellar: { caip2: 'stellar:pubnet', coins: ['XLM'], names: ['Stellar', 'XLM', 'Stellar Lumens'] },
  hedera: { caip2: 'hedera:mainnet', coins: ['HBAR'], names: ['Hedera', 'HBAR'] },
  stacks: { caip2: 'stacks:1', coins: ['STX'], names: ['Stacks', 'STX'] },
  cosmos: { caip2: 'cosmos:cosmoshub-4', coins: ['ATOM'], names: ['Cosmos Hub', 'Cosmos', 'ATOM'] },
  celestia: { caip2: 'cosmos:celestia', coins: ['TIA'], names: ['Celestia', 'TIA'] },
  injective: { caip2: 'cosmos:injective-1', coins: ['INJ'], names: ['Injective', 'INJ'] },
  sei: { caip2: null, coins: ['SEI'], names: ['Sei'] },
  ton: {
    caip2: 'tvm:-239',
    coins: ['TON'],
    names: ['TON', 'The Open Network', 'Toncoin'],
    explorers: ['tonviewer.com'],
  },
  cardano: { caip2: null, coins: ['ADA'], names: ['Cardano', 'ADA'] },
  polkadot: { caip2: null, coins: ['DOT'], names: ['Polkadot', 'DOT'] },
  kusama: { caip2: null, coins: ['KSM'], names: ['Kusama', 'KSM'] },
  algorand: { caip2: 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k', coins: ['ALGO'], names: ['Algorand', 'ALGO'] },
  near: { caip2: null, coins: ['NEAR'], names: ['NEAR', 'NEAR Protocol'], explorers: ['nearblocks.io'] },
  tezos: { caip2: 'tezos:NetXdQprcVkpaWU', coins: ['XTZ'], names: ['Tezos', 'XTZ'], explorers: ['tzkt.io'] },
  sui: { caip2: 'sui:mainnet', coins: ['SUI'], names: ['Sui'] },
  aptos: { caip2: 'aptos:1', coins: ['APT'], names: ['Aptos', 'APT'], explorers: ['aptoscan.com'] },
  filecoin: { caip2: 'fil:f', coins: ['FIL'], names: ['Filecoin', 'FIL'] },
};

/**
 * Token contracts by chain, from sources other than those of our table of contracts. USDC: docs.gelato.cloud (USDC
 * Addresses). USDT: Bybit's and Binance's lists of coins as ccxt recorded them (ts/src/test/static/currencies), and for
 * Optimism the list of github.com/ethereum-optimism/ethereum-optimism.github.io.
 */
export const documentedContracts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  USDC: {
    ethereum: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    arbitrum: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
    optimism: '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
    base: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    polygon: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
    avalanche: '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e',
  },
  INJ: { ethereum: '0xe28b3b32b6c345a34ff64674606124dd5aceca30' },
  USDT: {
    ethereum: '0xdac17f958d2ee523a2206206994597c13d831ec7',
    arbitrum: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
    optimism: '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
    polygon: '0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
    avalanche: '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7',
    bsc: '0x55d398326f99059ff775485246999027b3197955',
    solana: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    ton: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    aptos: '0x357b0b74bc833e95a115ad22604854d6b0fca151cecd94111770e5d6ffc9dc2b',
    near: 'usdt.tether-token.near',
    tezos: 'KT1XnTn74bUtxHfDtBmm2bGZAQfhPbvKWR8o',
  },
};
