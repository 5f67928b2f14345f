import fc from 'fast-check';
import { ADDRESS_LENGTH_MAX, addressMatches } from './address-rule.js';
import { listNetworks, networkById, resolveNetworkId } from './networks.js';

/**
 * Addresses from public documentation: the documentation of the chains and their wallets, BIP-173, BIP-350, SEP-23,
 * TON's address page, AIP-40, and the namespaces of chainagnostic.org.
 */
const addresses: [network: string, address: string][] = [
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ['bitcoin', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
  ['bitcoin', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
  [
    'lightning',
    `lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp`,
  ],
  [
    'lightning',
    // The example of BOLT 11 with a fallback address and a route through two nodes.
    'lnbc20m1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqsfpp3qjmp7lwpagxun9pygexvgpjdc4jdj85fr9yq20q82gphp2nflc7jtzrcazrra7wwgzxqc8u7754cdlpfrmccae92qgzqvzq2ps8pqqqqqqpqqqqq9qqqvpeuqafqxu92d8lr6fvg0r5gv0heeeqgcrqlnm6jhphu9y00rrhy4grqszsvpcgpy9qqqqqqgqqqqq7qqzqj9n4evl6mr5aj9f58zp6fyjzup6ywn3x6sk8akg5v4tgn2q8g4fhx05wf6juaxu9760yp46454gpg5mtzgerlzezqcqvjnhjh8z3g2qqdhhwkj',
  ],
  ['ethereum', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
  ['arbitrum', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
  ['solana', 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy'],
  ['tron', 'TQmdxSuC16EhFg8FZWtYgrfFRosoRF7bCp'],
  ['litecoin', 'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea'],
  ['litecoin', 'LhHxAzrbDoP3auCBBWbZ5kheRKy9y9CarR'],
  ['bitcoincash', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['dogecoin', 'DFSHkVSQycPZDu8CkiNvx8ymHKHoMLteUD'],
  ['zcash', 't1gqMPbx6q7Fwce3bXohAo135ZznVibRhv5'],
  ['dash', 'XhAtHG2329prFM3FhA2P9WXfhpNQa2c1eV'],
  ['ripple', 'rLHzPsX3oXdzU2qP17kHCH2G4csZv1rAJh'],
  ['stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  ['stellar', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'],
  ['hedera', '0.0.1234567'],
  ['stacks', 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'],
  ['cosmos', 'cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq'],
  ['celestia', 'celestia176uvurkq5nd095dhwzp9ypxh3vsdx05hjl2v02'],
  ['injective', 'inj10s09nxjnx9s5vulfdyjdyneq2z2vc3l5875tnc'],
  ['sei', 'sei1ptqmtg9542wj0qtclzfmejvck0xy8ugw8chjej'],
  ['ton', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
  ['ton', 'UQAWzEKcdnykvXfUNouqdS62tvrp32bCxuKS6eQrS6ISgZ8t'],
  ['ton', 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF'],
  ['ton', '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'],
  ['ton', '-1:3333333333333333333333333333333333333333333333333333333333333333'],
  ['cardano', 'addr1vpu5vlrf4xkxv2qpwngf6cjhtw542ayty80v8dyr49rf5eg0yu80w'],
  ['polkadot', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'],
  ['kusama', 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F'],
  ['algorand', 'VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJA'],
  ['near', 'alice.near'],
  ['near', 'app.alice-2.near'],
  ['near', '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de'],
  ['tezos', 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb'],
  ['monero', '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A'],
  ['sui', '0x02a212de6a9dfa3a69e22387acfbafbb1a9e591bd9d636e7895dcfc8de05f331'],
  ['aptos', '0xdaeb69017da966bc7024e47ce743183def9151cbdd6f95bf6e9485365ad4a0c6'],
  ['filecoin', 'f1abjxfbp274xpdqcpuaykwkfb43omjotacm2p3za'],
];

/** Groups of networks with the same or overlapping address formats. Only these may accept each other's addresses. */
const families: string[][] = [
  listNetworks().flatMap(({ id, caip2 }) => (caip2?.startsWith('eip155:') === true ? [id] : [])),
  // Bitcoin Cash and Litecoin used Bitcoin's forms before their own.
  ['bitcoin', 'bitcoincash', 'litecoin'],
  // Stacks and Filecoin have addresses of 41 characters that may all be base-58 digits, like addresses of Solana.
  ['stacks', 'solana'],
  ['filecoin', 'solana'],
  // Sui and Aptos both have addresses of 32 bytes in hexadecimal.
  ['sui', 'aptos'],
];

const regexOf = (id: string): string => networkById(id)?.addressRegex ?? '^$';

describe('the table of networks', () => {
  it.each(addresses)('accepts an address of %s: %s', (id, address) => {
    expect(addressMatches(regexOf(id), address)).toBe(true);
  });

  it.each(addresses)('accepts an address of %s only as a whole', (id, address) => {
    for (const text of [` ${address}`, `${address} `, `${address}\n`, `${address},${address}`, address.slice(0, 3)]) {
      expect(addressMatches(regexOf(id), text)).toBe(false);
    }
  });

  it.each(addresses)('rejects an address of %s on every network with another address format: %s', (id, address) => {
    const related = new Set(families.filter((family) => family.includes(id)).flat());
    const takers = listNetworks().filter(({ addressRegex }) => addressMatches(addressRegex, address));
    expect(takers.map((network) => network.id).filter((taker) => taker !== id && !related.has(taker))).toEqual([]);
  });

  it('has a tested address for every address rule', () => {
    const seen = new Set(addresses.map(([id]) => regexOf(id)));
    expect(listNetworks().filter(({ addressRegex }) => !seen.has(addressRegex))).toEqual([]);
  });

  it.each([
    ['ethereum', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA9604', 'a digit is missing'],
    ['bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5md', 'a digit is missing'],
    ['bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdqq', 'a digit too many'],
    ['bitcoin', 'bc1pfeessrawgf', 'anyone can spend it'],
    ['bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'of the test chain'],
    ['bitcoin', '2N9fRkx5JTWXWHmXzZtvhQsufvoYRMq9ExV', 'of the test chain'],
    ['ton', 'kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqHpL', 'of the test chain'],
    ['filecoin', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'of any chain with such addresses'],
    ['sei', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'of any chain with such addresses'],
    ['aptos', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'of Ethereum'],
    ['solana', 'TQmdxSuC16EhFg8FZWtYgrfFRosoRF7bCp', 'of Tron'],
    ['near', '0.0.1234567', 'of Hedera'],
    ['hedera', '0.0.01234567', 'a second spelling of an address'],
    ['ripple', 'xrp', 'no address at all'],
    ['lightning', `lntb2500u1${'q'.repeat(60)}`, 'of the test network'],
    ['lightning', `lnbcrt2500u1${'q'.repeat(60)}`, 'of a regression test'],
    ['lightning', `lnbc02500u1${'q'.repeat(60)}`, 'an amount with a leading zero'],
    ['lightning', `lnbc${'9'.repeat(19)}u1${'q'.repeat(60)}`, 'an amount that is too long'],
  ])('refuses as an address of %s: %s (%s)', (id, address) => {
    expect(addressMatches(regexOf(id), address)).toBe(false);
  });

  it('has each CAIP-2 chain for one network only, in a namespace of chainagnostic.org', () => {
    const chains = listNetworks().flatMap(({ caip2 }) => (caip2 === null ? [] : [caip2]));
    expect(new Set(chains).size).toBe(chains.length);
    const namespaces = new Set(chains.map((chain) => chain.split(':')[0]));
    expect([...namespaces].sort()).toEqual(
      'algorand aptos bip122 cosmos eip155 fil hedera monero solana stacks stellar sui tezos tvm xrpl'.split(' '),
    );
    for (const chain of chains) expect(chain).toMatch(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/);
  });

  it('has no CAIP-2 id for a network whose coin may be on one of several chains', () => {
    expect([networkById('polkadot')?.caip2, networkById('kusama')?.caip2]).toEqual([null, null]);
  });

  it('has each name for one network only', () => {
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

  it('matches any address against a rule with nested repetition in linear time, and rejects too long addresses', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (address) => {
        expect(addressMatches('^(a+)+$', address)).toBe(/^a+$/.test(address));
      }),
    );
    expect(addressMatches('^(a+)+$', 'a'.repeat(ADDRESS_LENGTH_MAX))).toBe(true);
    expect(addressMatches('^(a+)+$', `${'a'.repeat(ADDRESS_LENGTH_MAX - 1)}!`)).toBe(false);
    expect(addressMatches('^(a+)+$', 'a'.repeat(ADDRESS_LENGTH_MAX + 1))).toBe(false);
  });
});
