import { keccak_256 as keccak } from '@noble/hashes/sha3.js';
import { addressMatches } from './address-rule.js';
import { networkById } from './networks.js';
import { listTokenContracts, tokenContract } from './token-contracts.js';

/** The address with the checksum of EIP-55: the case of each letter depends on the hash of the address. */
function withChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak(Buffer.from(digits))).toString('hex');
  const cased = [...digits].map((digit, at) => (parseInt(hash[at] ?? '', 16) >= 8 ? digit.toUpperCase() : digit));
  return `0x${cased.join('')}`;
}

describe('token contracts', () => {
  const all = listTokenContracts();

  it('are addresses of their networks, with a correct checksum in their letters', () => {
    expect(withChecksum('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe(
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    );
    for (const { network, address } of all) {
      expect(addressMatches(networkById(network)?.addressRegex ?? '^$', address)).toBe(true);
      if (address.startsWith('0x')) expect(address).toBe(withChecksum(address));
    }
  });

  it('belong to one asset each', () => {
    const places = all.map(({ network, address }) => `${network} ${address}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('are found only for the exact asset and network', () => {
    for (const { asset, network, address } of all) expect(tokenContract(asset, network)).toBe(address);
    expect(tokenContract('USDC', 'bsc')).toBeNull();
    expect(tokenContract('ETH', 'ethereum')).toBeNull();
    expect(tokenContract('constructor', 'name')).toBeNull();
    expect(tokenContract('USDC', 'toString')).toBeNull();
  });
});
