import { sampleAddresses } from './addresses.js';

/** A network for deposits and withdrawals of one asset, as in DepositMethods and WithdrawMethods. */
export interface FundingMethod {
  /** The asset's code, e.g. `BTC`. */
  readonly assetCode: string;
  /** Name of the method in Kraken's WithdrawMethods. */
  readonly method: string;
  /** Name of the method in Kraken's DepositMethods; it often differs from `method`. */
  readonly depositMethod: string;
  /** Network name; only WithdrawMethods returns it. */
  readonly network: string;
  /** Smallest net amount of a withdrawal. */
  readonly minimum: string;
  /** The fee, which Kraken deducts from the amount of a withdrawal. */
  readonly fee: string;
  /** Largest net amount of one withdrawal. */
  readonly maximum: string;
  /** Kraken's name for the tag or memo of an address; null when it has none. */
  readonly memo: null | 'tag' | 'memo';
  /** Deposit addresses to hand out. */
  readonly sampleAddresses: readonly string[];
}

const memos: Readonly<Record<string, 'tag' | 'memo'>> = {
  Ripple: 'tag',
  Stellar: 'memo',
  Cosmos: 'memo',
  Celestia: 'memo',
  Injective: 'memo',
  Hedera: 'memo',
  Stacks: 'memo',
  'The Open Network': 'memo',
};

/**
 * Networks that carry another token under the asset's code, such as USDC.e for USDC, each with the network whose
 * address format it has.
 */
const chainOfVariant: Readonly<Record<string, string>> = {
  'Ethereum (kBTC)': 'Ethereum',
  'Polygon (USDC.e)': 'Polygon',
  'Optimism (USDC.e)': 'Optimism',
  'Sei - EVM': 'Ethereum',
};

type Row = readonly [
  method: string,
  network: string,
  minimum: string,
  fee: string,
  maximum: string,
  depositMethod?: string,
];

/** The first row of an asset is Kraken's default network. The names come from recorded responses of Kraken. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  BTC: [
    ['Bitcoin', 'Bitcoin', '0.0004', '0.00015', '100'],
    ['Bitcoin Lightning', 'Lightning', '0.000005', '0', '0.1'],
    ['kBTC - Ethereum', 'Ethereum (kBTC)', '0.0004', '0.00003', '100', 'kBTC - Ethereum (Unified)'],
  ],
  ETH: [
    ['Ether', 'Ethereum', '0.004', '0.0015', '2000', 'Ether (Hex)'],
    ['Arbitrum One', 'Arbitrum One', '0.002', '0.00008', '1000', 'ETH - Arbitrum One (Unified)'],
    ['Optimism', 'Optimism', '0.002', '0.00008', '1000', 'ETH - Optimism (Unified)'],
    ['ETH - Base', 'Base', '0.002', '0.00005', '1000', 'ETH - Base (Unified)'],
    ['Ethereum (Polygon)', 'Polygon', '0.002', '0.0001', '500', 'ETH - Polygon (Unified)'],
    ['Linea', 'Linea', '0.002', '0.0001', '500'],
    ['zkSync Era', 'zkSync Era', '0.002', '0.00015', '500'],
  ],
  USDT: [
    ['Tether USD (ERC20)', 'Ethereum', '10', '4', '1000000'],
    ['Tether USD (TRC20)', 'Tron', '5', '3', '1000000'],
    ['Tether USD (SPL)', 'Solana', '2', '1', '1000000'],
    ['Tether USD (Polygon)', 'Polygon', '2', '0.5', '1000000', 'USDT - Polygon (Unified)'],
    ['USDT - Avalanche C-Chain', 'Avalanche C-Chain', '2', '0.5', '1000000', 'USDT - Avalanche C-Chain (Unified)'],
    ['USDT - Arbitrum One', 'Arbitrum One', '2', '0.5', '1000000', 'USDT - Arbitrum One (Unified)'],
    ['USDT - Optimism', 'Optimism', '2', '0.5', '1000000', 'USDT - Optimism (Unified)'],
    ['Tether USD (Aptos)', 'Aptos', '2', '0.1', '500000'],
    ['USDT0 - Sei (EVM)', 'Sei - EVM', '2', '0.5', '500000', 'USDT0 - Sei (EVM) (Unified)'],
  ],
  USDC: [
    ['USDC', 'Ethereum', '10', '3', '1000000', 'USDC - Ethereum (Unified)'],
    ['USDC (SPL)', 'Solana', '2', '1', '1000000'],
    ['USDC - Arbitrum One', 'Arbitrum One', '2', '0.4', '1000000', 'USDC - Arbitrum One (Unified)'],
    ['USDC - Optimism', 'Optimism', '2', '0.4', '1000000', 'USDC - Optimism (Unified)'],
    ['USDC - Base', 'Base', '2', '0.2', '1000000', 'USDC - Base (Unified)'],
    ['USDC - Polygon', 'Polygon', '2', '0.5', '1000000', 'USDC - Polygon (Unified)'],
    ['USDC - Avalanche C-Chain', 'Avalanche C-Chain', '2', '0.5', '1000000', 'USDC - Avalanche C-Chain (Unified)'],
    ['USDC - Stellar XLM', 'Stellar', '2', '0.5', '500000'],
    ['USDC (Polygon)', 'Polygon (USDC.e)', '2', '0.5', '1000000', 'USDC.e - Polygon (Unified)'],
    ['Optimism', 'Optimism (USDC.e)', '2', '0.5', '1000000', 'USDC.e - Optimism (Unified)'],
  ],
  DAI: [
    ['Dai', 'Ethereum', '10', '4', '500000', 'DAI - Ethereum (Unified)'],
    ['DAI - Polygon', 'Polygon', '2', '0.5', '500000', 'DAI - Polygon (Unified)'],
  ],
  PYUSD: [
    ['PYUSD', 'Ethereum', '10', '4', '250000', 'PYUSD - Ethereum (Unified)'],
    ['PYUSD (SPL)', 'Solana', '2', '1', '250000'],
  ],
  XRP: [['Ripple XRP', 'Ripple', '2', '0.2', '1000000']],
  LTC: [['Litecoin', 'Litecoin', '0.01', '0.002', '10000']],
  DOGE: [['Dogecoin', 'Dogecoin', '15', '4', '5000000']],
  XLM: [['Stellar XLM', 'Stellar', '20', '0.00002', '5000000']],
  XMR: [['Monero', 'Monero', '0.05', '0.0001', '2000']],
  ZEC: [['Zcash (Transparent)', 'Zcash', '0.03', '0.0001', '5000']],
  ETC: [['Ether Classic (Hex)', 'Ethereum Classic', '0.2', '0.01', '20000']],
  SOL: [['Solana', 'Solana', '0.02', '0.01', '20000']],
  ADA: [['ADA', 'Cardano', '3', '0.6', '5000000']],
  DOT: [['Polkadot', 'Polkadot', '1.2', '0.05', '200000']],
  KSM: [['Kusama', 'Kusama', '0.1', '0.01', '20000']],
  ATOM: [['Cosmos', 'Cosmos', '0.5', '0.1', '100000']],
  POL: [
    ['POL - Polygon', 'Polygon', '5', '0.5', '2000000', 'POL - Polygon (Unified)'],
    ['POL', 'Ethereum', '20', '8', '2000000', 'POL - Ethereum (Unified)'],
  ],
  AVAX: [
    ['AVAX - Avalanche C-Chain', 'Avalanche C-Chain', '0.2', '0.02', '50000', 'AVAX - Avalanche C-Chain (Unified)'],
  ],
  BNB: [['BNB - BNB Chain', 'BNB Smart Chain', '0.01', '0.001', '5000']],
  TRX: [['Tron', 'Tron', '10', '1', '10000000']],
  BCH: [['Bitcoin Cash', 'Bitcoin Cash', '0.005', '0.0001', '5000']],
  DASH: [['Dash', 'Dash', '0.05', '0.002', '5000']],
  LINK: [
    ['Link', 'Ethereum', '0.5', '0.25', '100000', 'LINK - Ethereum (Unified)'],
    ['LINK - Arbitrum One', 'Arbitrum One', '0.2', '0.03', '100000', 'LINK - Arbitrum One (Unified)'],
  ],
  UNI: [
    ['UNI', 'Ethereum', '0.8', '0.4', '100000', 'UNI - Ethereum (Unified)'],
    ['UNI - Unichain', 'Unichain', '0.3', '0.05', '100000', 'UNI - Unichain (Unified)'],
  ],
  AAVE: [
    ['Aave', 'Ethereum', '0.04', '0.02', '10000', 'AAVE - Ethereum (Unified)'],
    ['AAVE - Arbitrum One', 'Arbitrum One', '0.02', '0.002', '10000', 'AAVE - Arbitrum One (Unified)'],
  ],
  ALGO: [['Algorand', 'Algorand', '5', '0.01', '5000000']],
  NEAR: [['NEAR', 'NEAR', '1', '0.01', '500000']],
  XTZ: [['XTZ', 'Tezos', '1', '0.2', '500000']],
  FIL: [['Filecoin', 'Filecoin', '0.3', '0.05', '200000']],
  SUI: [['Sui', 'Sui', '1', '0.05', '1000000']],
  APT: [['Aptos', 'Aptos', '0.3', '0.01', '200000']],
  TON: [['TON', 'The Open Network', '1', '0.05', '500000']],
  ARB: [['ARB - Arbitrum One', 'Arbitrum One', '2', '0.2', '1000000', 'ARB - Arbitrum One (Unified)']],
  OP: [['OP - Optimism', 'Optimism', '1', '0.1', '1000000', 'OP - Optimism (Unified)']],
  INJ: [
    ['Injective', 'Injective', '0.1', '0.01', '50000'],
    ['Injective Protocol (INJ)', 'Ethereum', '0.4', '0.2', '50000', 'INJ - Ethereum (Unified)'],
  ],
  TIA: [['Celestia', 'Celestia', '0.5', '0.05', '200000']],
  SEI: [['Sei', 'Sei', '5', '0.5', '2000000']],
  HBAR: [['Hedera', 'Hedera', '5', '0.5', '5000000']],
  STX: [['Stacks', 'Stacks', '2', '0.4', '500000']],
  PAXG: [['PAX (Gold)', 'Ethereum', '0.004', '0.002', '500', 'PAXG - Ethereum (Unified)']],
  SHIB: [['SHIB', 'Ethereum', '500000', '250000', '50000000000', 'SHIB - Ethereum (Unified)']],
  币安人生: [['币安人生 - BNB Smart Chain', 'BNB Smart Chain', '5', '2', '1000000']],
  'Jade Protocol': [['Jade Protocol', 'Ethereum', '5', '2', '1000000', 'Jade Protocol - Ethereum (Unified)']],
  PEPE: [['PEPE', 'Ethereum', '900000', '450000', '90000000000', 'PEPE - Ethereum (Unified)']],
  LDO: [['LDO', 'Ethereum', '6', '3', '500000', 'LDO - Ethereum (Unified)']],
  CRV: [['Curve DAO Token (CRV)', 'Ethereum', '8', '4', '500000', 'CRV - Ethereum (Unified)']],
  GRT: [
    ['GRT', 'Ethereum', '50', '25', '2000000', 'GRT - Ethereum (Unified)'],
    ['GRT - Arbitrum One', 'Arbitrum One', '10', '1', '2000000', 'GRT - Arbitrum One (Unified)'],
  ],
};

export const methods: readonly FundingMethod[] = Object.entries(rows).flatMap(([assetCode, ofAsset]) =>
  ofAsset.map(([method, network, minimum, fee, maximum, depositMethod = method]) => ({
    assetCode,
    method,
    depositMethod,
    network,
    minimum,
    fee,
    maximum,
    memo: memos[network] ?? null,
    sampleAddresses: sampleAddresses[chainOfVariant[network] ?? network] ?? [],
  })),
);
