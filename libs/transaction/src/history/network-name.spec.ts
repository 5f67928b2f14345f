import fc from 'fast-check';
import { resolveNetworkId } from '#exchange';
import { NETWORK_NAME_MAX, UNKNOWN_NETWORK, betterNetwork, networkName, normalNetworkName } from './network-name.js';

describe('the network of a transaction', () => {
  it.each([
    ['our id', { network: 'polygon', exchangeNetwork: 'Polygon PoS' }, 'polygon'],
    ['the exchange’s own name', { network: null, exchangeNetwork: 'Polygon - USDC.e' }, 'kraken:polygon - usdc.e'],
    ['unknown', { network: null, exchangeNetwork: null }, 'unknown'],
    ['unknown, for a name without visible characters', { network: null, exchangeNetwork: ' \u0000\u2028 ' }, 'unknown'],
    ['a name on one line', { network: null, exchangeNetwork: 'A\n\tB\u0000C' }, 'kraken:a b c'],
  ])('is %s', (_what, reported, shown) => {
    expect(networkName('kraken', reported)).toBe(shown);
  });

  it('is always lower case, one line, and short enough for a filter', () => {
    fc.assert(
      fc.property(fc.option(fc.string({ unit: 'binary', maxLength: 400 })), (exchangeNetwork) => {
        const shown = networkName('kraken', { network: null, exchangeNetwork });
        expect(shown).toBe(shown.trim());
        expect(shown).toBe(shown.toLowerCase());
        expect(shown).not.toMatch(/\p{C}/u);
        expect(shown).not.toBe('');
        expect([...shown].length).toBeLessThanOrEqual(NETWORK_NAME_MAX);
        expect(normalNetworkName(shown)).toBe(shown);
      }),
    );
  });

  it('is never one of our ids when only the exchange’s own name, or no name, is known', () => {
    expect(resolveNetworkId(UNKNOWN_NETWORK)).toBeNull();
    expect(resolveNetworkId(networkName('kraken', { network: null, exchangeNetwork: 'polygon' }))).toBeNull();
  });

  it('is replaced by a more certain name, and never by a less certain one', () => {
    const order = ['unknown', 'kraken:polygon (usdc.e)', 'polygon'];
    for (const [rank, known] of order.entries()) {
      for (const [otherRank, reported] of order.entries()) {
        expect(betterNetwork(known, reported)).toBe(order[Math.max(rank, otherRank)]);
      }
    }
    expect(betterNetwork('kraken:a', 'kraken:b')).toBe('kraken:a');
    expect(betterNetwork('bitcoin', 'lightning')).toBe('bitcoin');
  });
});
