import fc from 'fast-check';
import { addressMatches } from './address-rule.js';
import { listNetworks, networkById, resolveNetworkId } from './networks.js';

/** Addresses that public documentation of the chains shows. */
const addresses: [network: string, address: string][] = [
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['bitcoin', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
  ['ethereum', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
  ['arbitrum', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
  ['solana', 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy'],
  ['tron', 'TQmdxSuC16EhFg8FZWtYgrfFRosoRF7bCp'],
  ['litecoin', 'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea'],
  ['bitcoincash', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['dogecoin', 'DFSHkVSQycPZDu8CkiNvx8ymHKHoMLteUD'],
  ['ripple', 'rLHzPsX3oXdzU2qP17kHCH2G4csZv1rAJh'],
  ['stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  ['hedera', '0.0.1234567'],
  ['cosmos', 'cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq'],
  ['ton', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
  ['polkadot', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'],
  ['algorand', 'VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJA'],
  ['near', 'alice.near'],
  ['tezos', 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb'],
  ['monero', '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A'],
  ['sui', '0x02a212de6a9dfa3a69e22387acfbafbb1a9e591bd9d636e7895dcfc8de05f331'],
  ['filecoin', 'f1abjxfbp274xpdqcpuaykwkfb43omjotacm2p3za'],
];

const regexOf = (id: string): string => networkById(id)?.addressRegex ?? '^$';

describe('networks', () => {
  it.each(addresses)('takes an address of %s: %s', (id, address) => {
    expect(addressMatches(regexOf(id), address)).toBe(true);
  });

  it.each(addresses)('takes an address of %s only as a whole', (id, address) => {
    for (const text of [` ${address}`, `${address} `, `${address}\n`, `${address},${address}`, address.slice(0, 3)]) {
      expect(addressMatches(regexOf(id), text)).toBe(false);
    }
  });

  it.each([
    ['bitcoin', 'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea'],
    ['ethereum', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA9604'],
    ['tron', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
    ['solana', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['ripple', 'xrp'],
  ])('refuses for %s what is of another chain: %s', (id, address) => {
    expect(addressMatches(regexOf(id), address)).toBe(false);
  });

  it('has a name for one network only', () => {
    const names = listNetworks().flatMap(({ id, aliases }) => [id.toUpperCase(), ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(names.map((name) => name.toUpperCase()));
  });

  it('resolves its own ids in any case, and common names', () => {
    for (const { id } of listNetworks()) expect(resolveNetworkId(id.toUpperCase())).toBe(id);
    expect(['ERC20', 'trc20', ' BEP20 ', 'OP', 'Arbitrum One', 'SOL'].map(resolveNetworkId)).toEqual([
      'ethereum',
      'tron',
      'bsc',
      'optimism',
      'arbitrum',
      'solana',
    ]);
    expect(resolveNetworkId('nope')).toBeNull();
    expect(networkById('ETHEREUM')).toBeNull();
  });

  it('answers at once for any address and any rule, and never for one that is too long', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (address) => {
        expect(addressMatches('^(a+)+$', address)).toBe(/^a{1,256}$/.test(address));
      }),
    );
    expect(addressMatches('^(a+)+$', 'a'.repeat(256))).toBe(true);
    expect(addressMatches('^(a+)+$', `${'a'.repeat(255)}!`)).toBe(false);
    expect(addressMatches('^(a+)+$', 'a'.repeat(257))).toBe(false);
  });
});
