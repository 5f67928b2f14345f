/**
 * Token contracts by our asset code and network id, so that clients can identify a token. The sources are the issuers'
 * lists, and Uniswap's default token list (22.10.0) for other tokens. Other contracts are left out: a wrong contract is
 * worse than none. A chain's own coin has no contract.
 * Issuers: developers.circle.com/stablecoins/usdc-contract-addresses, tether.to/en/supported-protocols, docs.usdt0.to
 * (on Arbitrum and Polygon, USDT0 kept the contracts that Tether's USDT had there).
 */
const contracts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  USDC: {
    ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    optimism: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    polygon: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    avalanche: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  },
  USDT: {
    ethereum: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    solana: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    arbitrum: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
    polygon: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    avalanche: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
  },
  DAI: {
    ethereum: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    polygon: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  },
  PYUSD: { ethereum: '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8' },
  WBTC: { ethereum: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599' },
  LINK: { ethereum: '0x514910771AF9Ca656af840dff83E8264EcF986CA' },
  UNI: { ethereum: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984' },
  AAVE: { ethereum: '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9' },
  GRT: { ethereum: '0xc944E90C64B2c07662A292be6244BDf05Cda44a7' },
  CRV: { ethereum: '0xD533a949740bb3306d119CC777fa900bA034cd52' },
  LDO: { ethereum: '0x5A98FcBEA516Cf06857215779Fd812CA3beF1B32' },
  SHIB: { ethereum: '0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE' },
  PEPE: { ethereum: '0x6982508145454Ce325dDbE47a25d4ec3d2311933' },
  PAXG: { ethereum: '0x45804880De22913dAFE09f4980848ECE6EcbAf78' },
  INJ: { ethereum: '0xe28b3B32B6c345A34Ff64674606124Dd5Aceca30' },
  POL: { ethereum: '0x455e53CBB86018Ac2B8092FdCd39d8444aFFC3F6' },
  OP: { optimism: '0x4200000000000000000000000000000000000042' },
};

/** All contracts with their asset and network. */
export function listTokenContracts(): { asset: string; network: string; address: string }[] {
  return Object.entries(contracts).flatMap(([asset, ofAsset]) =>
    Object.entries(ofAsset).map(([network, address]) => ({ asset, network, address })),
  );
}

/**
 * Tokens whose issuer lists every contract. The same name on another chain, or with another contract, is a token of
 * another issuer.
 */
const issuedByList: ReadonlySet<string> = new Set(['USDC', 'USDT']);

/** Whether the issuer's list of contracts decides on which chains the token exists. */
export function isIssuedByList(asset: string): boolean {
  return issuedByList.has(asset);
}

/** The contract of a token on a network; null = not known, or the asset is the chain's own coin. */
export function tokenContract(asset: string, network: string): string | null {
  const ofAsset = Object.hasOwn(contracts, asset) ? contracts[asset] : undefined;
  return ofAsset !== undefined && Object.hasOwn(ofAsset, network) ? (ofAsset[network] ?? null) : null;
}
