import { createHash } from 'node:crypto';

/** The coin of each network that also carries tokens. Every other network carries only its own coin. */
const coins: Readonly<Record<string, string>> = {
  Ethereum: 'ETH',
  'Arbitrum One': 'ETH',
  Optimism: 'ETH',
  Base: 'ETH',
  Linea: 'ETH',
  'zkSync Era': 'ETH',
  Unichain: 'ETH',
  Polygon: 'POL',
  'BNB Smart Chain': 'BNB',
  'Avalanche C-Chain': 'AVAX',
  Tron: 'TRX',
  Solana: 'SOL',
  Stellar: 'XLM',
  Aptos: 'APT',
  'Sei - EVM': 'SEI',
  'Ethereum (kBTC)': 'ETH',
  'Polygon (USDC.e)': 'POL',
  'Optimism (USDC.e)': 'ETH',
};

/**
 * For each asset code and network name, the contracts that the issuers publish:
 * https://developers.circle.com/stablecoins/usdc-contract-addresses and https://tether.to/en/supported-protocols. The
 * other contracts are those of Uniswap's default token list (https://tokens.uniswap.org).
 */
const contracts: Readonly<Record<string, string>> = {
  'USDC Ethereum': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  'USDC Arbitrum One': '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  'USDC Optimism': '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  'USDC Base': '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  'USDC Polygon': '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  'USDC Avalanche C-Chain': '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
  'USDC Solana': 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'USDT Ethereum': '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  'USDT Tron': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  'USDT Solana': 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  'USDT Arbitrum One': '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
  'USDT Polygon': '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
  'USDT Avalanche C-Chain': '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
  'DAI Ethereum': '0x6B175474E89094C44Da98b954EedeAC495271d0F',
  'DAI Polygon': '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  'PYUSD Ethereum': '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8',
  'LINK Ethereum': '0x514910771AF9Ca656af840dff83E8264EcF986CA',
  'UNI Ethereum': '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984',
  'AAVE Ethereum': '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9',
  'GRT Ethereum': '0xc944E90C64B2c07662A292be6244BDf05Cda44a7',
  'CRV Ethereum': '0xD533a949740bb3306d119CC777fa900bA034cd52',
  'LDO Ethereum': '0x5A98FcBEA516Cf06857215779Fd812CA3beF1B32',
  'SHIB Ethereum': '0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE',
  'PEPE Ethereum': '0x6982508145454Ce325dDbE47a25d4ec3d2311933',
  'PAXG Ethereum': '0x45804880De22913dAFE09f4980848ECE6EcbAf78',
  'INJ Ethereum': '0xe28b3B32B6c345A34Ff64674606124Dd5Aceca30',
  'POL Ethereum': '0x455e53CBB86018Ac2B8092FdCd39d8444aFFC3F6',
  'OP Optimism': '0x4200000000000000000000000000000000000042',
};

/** The contract of an asset on a network; null for the network's own coin. A contract is made up if none is listed. */
export function contractOf(code: string, network: string): string | null {
  const coin = coins[network];
  if (coin === undefined || coin === code) return null;
  const name = `${code} ${network}`;
  return contracts[name] ?? `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
}
