import fc from 'fast-check';
import { networkById } from '../../networks/networks.js';
import { depositMethods } from '../../testing/kraken-deposit-documentation.js';
import { depositNetworkOf } from './kraken-assets.js';

const names = Object.values(depositMethods).flatMap((methods) => methods.map(({ method }) => method));

describe('the network of a deposit method at Kraken', () => {
  it.each([
    ['BTC', 'Bitcoin', 'bitcoin'],
    ['BTC', 'Bitcoin Lightning', 'lightning'],
    ['ETH', 'Ether (Hex)', 'ethereum'],
    ['ETH', 'ETH - Arbitrum One (Unified)', 'arbitrum'],
    ['USDT', 'Tether USD (SPL)', 'solana'],
    ['USDC', 'USDC (SPL)', 'solana'],
    ['USDC', 'USDC - Ethereum (Unified)', 'ethereum'],
    ['USDC', 'USDC - Base (Unified)', 'base'],
    ['USDC', 'USDC - Stellar XLM', 'stellar'],
    ['POL', 'POL - Polygon (Unified)', 'polygon'],
    ['PENGU', 'PENGU - Solana', 'solana'],
    ['BNB', 'BNB - BNB Chain', 'bsc'],
    ['AVAX', 'AVAX - Avalanche C-Chain (Unified)', 'avalanche'],
    ['SOL', 'SOL - Solana', 'solana'],
    ['XRP', 'Ripple XRP', 'ripple'],
  ])('for %s with the name "%s" is %s', (asset, method, network) => {
    expect(depositNetworkOf(asset, method)).toBe(network);
  });

  it.each([
    ['a variant of the asset', 'USDC', 'USDC.e - Optimism (Unified)'],
    ['a variant of the asset', 'BTC', 'kBTC - Ethereum (Unified)'],
    ['a variant on a chain with two forms of addresses', 'USDT', 'USDT0 - Sei (EVM) (Unified)'],
    ['the name of a token alone', 'USDC', 'USDC'],
    ['the name of a token that has a chain of its own now', 'INJ', 'Injective Protocol (INJ)'],
    ['a method of another asset', 'USDC', 'Optimism'],
    ['a method of another asset', 'USDT', 'USDC - Base (Unified)'],
    ['a standard that the coin does not have', 'ETH', 'Ethereum (ERC20)'],
    ['a wrapped coin', 'ETH', 'Ethereum (Polygon)'],
    ['a wrapped coin', 'ETH', 'ETH - Polygon (Unified)'],
    ['a chain that our table lacks', 'ETH', 'Arbitrum Nova'],
    ['a chain that our table lacks', 'VET', 'VET - VeChain'],
    ['a foreign token with the name of a coin', 'BTC', 'BTC - Solana'],
    ['a foreign token with the name of a coin', 'ETH', 'ETH - Solana (Unified)'],
    ['a foreign token with the name of a coin', 'DOGE', 'DOGE (SPL)'],
    ['a longer name than the network’s', 'USDC', 'USDC - Base Sepolia (Unified)'],
    ['a bank', 'EUR', 'Fidor Bank AG (Sepa)'],
    ['the name in another case', 'BTC', 'bitcoin'],
    ['the name with a trailing space', 'BTC', 'Bitcoin '],
    ['a property of every JavaScript object', 'constructor', 'name'],
    ['a property of every JavaScript object', 'BTC', 'toString'],
  ])('is unknown for %s: %s with the name "%s"', (_why, asset, method) => {
    expect(depositNetworkOf(asset, method)).toBeNull();
  });

  it('is unique among the methods of a recorded list', () => {
    for (const [code, list] of Object.entries({ BTC: 'XXBT', ETH: 'XETH', USDT: 'USDT', XRP: 'XXRP' } as const)) {
      const networks = depositMethods[list].flatMap(({ method }) => depositNetworkOf(code, method) ?? []);
      expect(new Set(networks).size).toBe(networks.length);
      expect(networks.length).toBeGreaterThan(0);
    }
  });

  const words = fc.constantFrom(...names, 'Solana', 'Base', 'Sei', 'Unified', 'USDC', 'BTC', ' - ', ' (', ')');
  const method = fc.array(words, { maxLength: 5 }).map((parts) => parts.join(''));
  const asset = fc.constantFrom('BTC', 'ETH', 'USDT', 'USDC', 'XRP', 'SEI', 'LINK');

  it('is a network of our table or unknown, for any name', () => {
    fc.assert(
      fc.property(asset, method, (code, name) => {
        const id = depositNetworkOf(code, name);
        expect(id === null || networkById(id) !== null).toBe(true);
      }),
    );
  });
});
