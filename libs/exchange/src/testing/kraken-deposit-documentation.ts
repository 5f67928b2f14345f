/**
 * Responses of DepositMethods and DepositAddresses. Kraken's reference (funding/get-deposit-methods,
 * funding/get-deposit-addresses) shows addresses of test chains. The names of methods and the other addresses come from
 * recordings: ccxt (kraken.js), the tests of kraken-async-rs, XChange (pull request 4619), and the tests of other
 * client libraries.
 */
export const depositMethods = {
  /** Kraken's reference: funding/get-deposit-methods */
  XXBT: [
    { method: 'Bitcoin', limit: false, fee: '0.0000000000', 'gen-address': true, minimum: '0.00010000' },
    { method: 'Bitcoin Lightning', limit: false, fee: '0.00000000', 'gen-address': true, minimum: '0.00010000' },
    { method: 'kBTC - Ethereum (Unified)', limit: false, 'gen-address': true, minimum: '0.00010000' },
  ],
  /** Recorded in 2025 by kraken-async-rs. */
  XETH: [
    { method: 'Ether (Hex)', limit: false, 'gen-address': true, minimum: '0.0500000000' },
    { method: 'Ethereum (ERC20)', limit: false, 'gen-address': true, minimum: '0.0000100000' },
    { method: 'Arbitrum Nova', limit: false, 'gen-address': true, minimum: '0.0000100000' },
    { method: 'ETH - Arbitrum One (Unified)', limit: false, 'gen-address': true, minimum: '0.0000100000' },
    { method: 'ETH - Optimism (Unified)', limit: false, 'gen-address': true, minimum: '0.0000100000' },
    { method: 'ETH - Base (Unified)', limit: false, 'gen-address': true, minimum: '0.0000100000' },
    { method: 'ETH - Polygon (Unified)', limit: false, 'gen-address': true, minimum: '0.0000100000' },
    { method: 'zkSync Era', limit: false, 'gen-address': true, minimum: '0.0200000000' },
    { method: 'Linea', limit: false, 'gen-address': true, minimum: '0.0200000000' },
  ],
  /** Recorded by ccxt. */
  USDT: [
    { method: 'Tether USD (ERC20)', limit: false, 'address-setup-fee': '0.00000000', 'gen-address': true },
    { method: 'Tether USD (TRC20)', limit: false, 'address-setup-fee': '0.00000000', 'gen-address': true },
    { method: 'Tether USD (SPL)', limit: false, 'gen-address': true },
    { method: 'USDT0 - Sei (EVM) (Unified)', limit: false, 'gen-address': true },
  ],
  XXRP: [{ method: 'Ripple XRP', limit: false, 'gen-address': true, minimum: '1.00000000' }],
} as const;

/**
 * Kraken's reference: funding/get-deposit-addresses. The documented example mixes assets and has addresses of test
 * chains.
 */
export const documentedAddresses = {
  testnet: [
    { address: '2N9fRkx5JTWXWHmXzZtvhQsufvoYRMq9ExV', expiretm: '0', new: true },
    { address: '2NCpXUCEYr8ur9WXM1tAjZSem2w3aQeTcAo', expiretm: '0', new: true },
    { address: '2Myd4eaAW96ojk38A2uDK4FbioCayvkEgVq', expiretm: '0' },
  ],
  ripple: { address: 'rLHzPsX3oXdzU2qP17kHCH2G4csZv1rAJh', expiretm: '0', new: true, tag: '1361101127' },
  /** Recorded by kraken-async-rs. */
  bitcoin: { address: '17SkEw2md5avVNyYgj6RiXuQKNwkXaxFyQ', expiretm: '0' },
  /** Recorded by ccxt. */
  ether: { address: '0x77b5051f97efa9cc52c9ad5b023a53fc15c200d3', expiretm: '0' },
  /** The address and the memo are from support.kraken.com, "Memo for Stellar Lumens (XLM) deposits". */
  stellar: { address: 'GA5XIGA5C7QTPTWXQHY6MCJRMTRZDOSHR6EFIBNDQTCQHG262N4GGKTM', expiretm: '0', memo: '01234567' },
} as const;
