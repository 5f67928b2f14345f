import { accountOf, canonicalAddress, formsOf, isCaselessAddress, mayBeOneAccount } from './address-rule.js';

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

  // docs.ton.org, "Smart contract addresses": the forms of one account, bounceable, not bounceable and raw.
  const TON_FORMS = [
    'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPuwA',
    '0:CA6E321C7CCE9ECEDF0A8CA2492EC8592494AA5FB5CE0387DFF96EF6AF982A3E',
  ];

  it('of TON is another address in another form, but the account is the same', () => {
    const [first = '', second = ''] = TON_FORMS;
    expect(new Set(TON_FORMS.map(accountOf))).toEqual(new Set([canonicalAddress(TON_FORMS[3] ?? '')]));
    expect(canonicalAddress(first)).not.toBe(canonicalAddress(second));
  });

  it('of TON has the same list of forms, whichever of its forms a caller sends', () => {
    const [bounceable, notBounceable, , raw = ''] = TON_FORMS;
    const forms = [raw.toLowerCase(), bounceable, notBounceable];
    for (const form of TON_FORMS) expect(formsOf(form)).toEqual(forms);
    // docs.ton.org: the masterchain's address of the Elector.
    const elector = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF';
    expect(formsOf(`-1:${'33'.repeat(32)}`)).toContain(elector);
    expect(formsOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toHaveLength(1);
  });

  it.each([
    ['other forms of TON', TON_FORMS[0], TON_FORMS[1], true],
    ['two accounts of TON', TON_FORMS[0], 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2', false],
    ['two accounts of TON in two forms', TON_FORMS[1], 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2', false],
    ['an account of TON in its raw form', TON_FORMS[3], 'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2', false],
    // docs.hedera.com, "Account Properties": an account has an address in Ethereum's format, too.
    ['the form of Hedera for EVMs', '0.0.7', '0x0000000000000000000000000000000000000007', true],
    // spec.filecoin.io, "Address": protocol 0 is the id of an account that has another address, too.
    ['the id of an account of Filecoin', 'f1abjxfbp274xpdqcpuaykwkfb43omjotacm2p3za', 'f01234', true],
    [
      'the older form of Bitcoin Cash',
      'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
      true,
    ],
    ['two addresses of Ethereum', `0x${HEX.slice(0, 40)}`, `0x${HEX.slice(1, 41)}`, false],
  ])('and another one, %s (%s, %s), may be of one account: %s', (_what, one = '', other = '', expected) => {
    expect(mayBeOneAccount(one, other)).toBe(expected);
    expect(mayBeOneAccount(other, one)).toBe(expected);
  });
});
