import { canonicalAddress, isCaselessAddress, sentAddress } from './address-rule.js';

const HEX = 'abcdef0123456789'.repeat(4);

describe('an address', () => {
  it.each([
    ['Ethereum', '0x7CB275a5e07ba943fee972e165d80daa67cb2dd0', '0x7cb275a5e07ba943fee972e165d80daa67cb2dd0'],
    ['TON, in its raw form', `-1:${HEX.toUpperCase()}`, `-1:${HEX}`],
    ['Bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ])('of %s is the same address in capitals', (_network, address, canonical) => {
    expect(canonicalAddress(address)).toBe(canonical);
    expect([address, canonical].map(isCaselessAddress)).toEqual([true, true]);
  });

  it.each([
    ['the XRP Ledger', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh'],
    ['TON, in its friendly form', 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2'],
    ['Bitcoin, in base58', '16UMkmhauCp7rRo89SciYkppzcTdfxrEFR'],
  ])('of %s is another address when the case of a letter changes', (_network, address) => {
    expect(canonicalAddress(address)).toBe(address);
    expect(isCaselessAddress(address)).toBe(false);
  });

  // BIP-173, BIP-350 and BOLT 11 (examples), and the CashAddr specification.
  it.each([
    ['Bitcoin', 'BC1P0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQZK5JJ0'],
    ['Lightning', 'LNBC2500U1PVJLUEZPP5QQQSYQCYQ5RQWZQFQQQSYQCYQ5RQWZQFQQQSYQCYQ5RQWZQFQYPQDQ5XYSXXATSYP3K7ENXV4JS'],
    ['Litecoin', 'LTC1QG42TKWUUXEFUTZXEZDKDEL39GFSTUAP288MFEA'],
    ['Cosmos', 'COSMOS1VQPJLJWSYNSN58DUGZ0W8UT7KUN7T8LS2QKMSQ'],
    ['Cardano', 'ADDR1VPU5VLRF4XKXV2QPWNGF6CJHTW542AYTY80V8DYR49RF5EG0YU80W'],
    ['Bitcoin Cash', 'BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A'],
  ])('of %s in capitals is stored and sent in lower case', (_network, address) => {
    expect(sentAddress(address)).toBe(address.toLowerCase());
    expect(canonicalAddress(address)).toBe(canonicalAddress(address.toLowerCase()));
  });

  it.each([
    'bc1QW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'DFSHkVSQycPZDu8CkiNvx8ymHKHoMLteUD',
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7',
    '0x7CB275A5E07BA943FEE972E165D80DAA67CB2DD0',
  ])('is stored and sent as given when its letters are mixed or its capitals mean something: %s', (address) =>
    expect(sentAddress(address)).toBe(address),
  );

  it('of Aptos is the same address without its leading zeros', () => {
    const short = `0xab${HEX.slice(0, 59)}`;
    expect([short, `0x000${short.slice(2)}`, `0X0${short.slice(2).toUpperCase()}`].map(canonicalAddress)).toEqual(
      Array.from({ length: 3 }, () => `0x000${short.slice(2)}`),
    );
  });

  /** The CashAddr specification (bitcoincashorg/bitcoincash.org, spec/cashaddr.md): the prefix may be left out. */
  it('of Bitcoin Cash is the same address without its prefix', () => {
    const address = 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
    expect([`bitcoincash:${address}`, address].map(canonicalAddress)).toEqual([address, address]);
  });

  /** HIP-15 (hashgraph/hedera-improvement-proposal): "0.0.123-vfmkw", whose checksum may be left out. */
  it('of Hedera is the same address without its checksum', () => {
    expect(['0.0.123-vfmkw', '0.0.123'].map(canonicalAddress)).toEqual(['0.0.123', '0.0.123']);
  });
});
