import { canonicalAddress, isCaselessAddress } from './address-rule.js';

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
