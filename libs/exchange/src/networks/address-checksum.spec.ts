import { hasValidChecksum } from './address-checksum.js';

/**
 * Addresses from public documentation: BIP-173, BIP-350, BOLT 11, EIP-55, docs.ton.org, the namespaces of
 * chainagnostic.org, and the documentation of the chains and their wallets.
 */
const addresses: [network: string, address: string][] = [
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['bitcoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['bitcoin', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
  ['bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['bitcoin', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
  [
    'lightning',
    'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp',
  ],
  ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['polygon', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
  ['tron', 'TQmdxSuC16EhFg8FZWtYgrfFRosoRF7bCp'],
  ['litecoin', 'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea'],
  ['litecoin', 'LhHxAzrbDoP3auCBBWbZ5kheRKy9y9CarR'],
  ['litecoin', 'MLy36ApB4YZb2cBtTc1uYJhYsP2JkYokaf'],
  ['bitcoincash', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'],
  ['dogecoin', 'DFSHkVSQycPZDu8CkiNvx8ymHKHoMLteUD'],
  ['zcash', 't1gqMPbx6q7Fwce3bXohAo135ZznVibRhv5'],
  ['dash', 'XhAtHG2329prFM3FhA2P9WXfhpNQa2c1eV'],
  ['ripple', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  ['cosmos', 'cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq'],
  ['celestia', 'celestia176uvurkq5nd095dhwzp9ypxh3vsdx05hjl2v02'],
  ['injective', 'inj10s09nxjnx9s5vulfdyjdyneq2z2vc3l5875tnc'],
  ['sei', 'sei1ptqmtg9542wj0qtclzfmejvck0xy8ugw8chjej'],
  ['ton', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
  ['cardano', 'addr1vpu5vlrf4xkxv2qpwngf6cjhtw542ayty80v8dyr49rf5eg0yu80w'],
  ['tezos', 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb'],
  // stellar-protocol, SEP-23, "Valid test cases".
  ['stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  ['stellar', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'],
];

/** Replaces the character at `place` by another character of the same kind (digit or not) of the address. */
function mistyped(address: string, place: number): string {
  const [before, wrong = '', after] = [address.slice(0, place), address[place], address.slice(place + 1)];
  const isSameKind = (other: string): boolean => /\d/.test(other) === /\d/.test(wrong) && other !== wrong;
  return `${before}${[...address.slice(-12)].find(isSameKind) ?? 'z'}${after}`;
}

describe('the checksum of an address', () => {
  it.each(addresses)('is valid on %s: %s', (network, address) => {
    expect(hasValidChecksum(network, address)).toBe(true);
  });

  it.each(addresses)('is invalid on %s after a typing error: %s', (network, address) => {
    const places = Array.from({ length: 12 }, (_, index) => address.length - 1 - index);
    for (const place of places) {
      const wrong = mistyped(address, place);
      expect([wrong, hasValidChecksum(network, wrong)]).toEqual([wrong, false]);
    }
  });

  it.each([
    ['Ethereum in lower case', 'ethereum', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
    ['Ethereum in capitals', 'ethereum', '0xD8DA6BF26964AF9D7EED9E03E53415D37AA96045'],
    ['Solana', 'solana', 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy'],
    ['TON in the raw form', 'ton', '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'],
    ['Bitcoin Cash, whose checksum is not examined', 'bitcoincash', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6b'],
    ['a network that we do not know', 'elsewhere', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'],
    ['a form that we do not know', 'litecoin', 'ltcmweb1qqfs5f2pfv2gdm9wafa9z7pmjdqwxpnmqrxs7v'],
    ['another form that we do not know', 'ripple', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqh'],
  ])('is not examined in an address of %s', (_what, network, address) => {
    expect(hasValidChecksum(network, address)).toBe(true);
  });

  it('counts as invalid for a number of Hedera with leading zeros, because an address has one spelling only', () => {
    expect(['0.0.4489720', '0.0.04489720', '0.0.0'].map((address) => hasValidChecksum('hedera', address))).toEqual([
      true,
      false,
      true,
    ]);
  });
});
