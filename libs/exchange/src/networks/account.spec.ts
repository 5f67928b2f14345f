import { accountOf, formsOf, mayBeOneAccount, receiverOf } from './account.js';
import { canonicalAddress } from './address-rule.js';

const HEX = 'abcdef0123456789'.repeat(4);

describe('the account of an address', () => {
  // The tables of equal addresses: litecoin.org, "Litecoin address converter", and the CashAddr specification
  // (bitcoincashorg/bitcoincash.org, spec/cashaddr.md), "Examples of address translation".
  it.each([
    ['Litecoin', 'MTf4tP1TCNBn8dNkyxeBVoPrFCcVzxJvvh', '3MSvaVbVFFLML86rt5eqgA9SvW23upaXdY'],
    [
      'Bitcoin Cash, with a key',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
    ],
    ['Bitcoin Cash, with a script', 'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC'],
  ])('of %s is the same for the newer and the older form', (_network, newer, older) => {
    expect(accountOf(newer)).toBe(older);
    expect(accountOf(older)).toBe(older);
    expect(mayBeOneAccount(newer, older)).toBe(true);
  });

  it('of Litecoin and Bitcoin Cash differs for a newer address and an older address of another account', () => {
    expect(mayBeOneAccount('MTf4tP1TCNBn8dNkyxeBVoPrFCcVzxJvvh', '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC')).toBe(false);
    const key = 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
    expect(mayBeOneAccount(key, '1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR')).toBe(false);
  });

  it.each(['MTf4tP1TCNBn8dNkyxeBVoPrFCcVzxJvvi', 'qq', 'p'.repeat(42), `M${'A'.repeat(68)}`])(
    'is the text itself when %s is not a valid address',
    (text) => expect(accountOf(text)).toBe(text),
  );

  // stellar-protocol, SEP-23, "Valid test cases": an account, and the muxed accounts with the ids 0 and 2^63.
  const STELLAR = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
  it.each([
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ', null, '0'],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK', null, '9223372036854775808'],
    [STELLAR, '7', '7'],
    [STELLAR, null, null],
    // A tag beside a muxed address does not make another receiver.
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ', '7', '0'],
  ])(
    'of Stellar is reached with the memo in a muxed address, or else with the tag: %s (tag: %s)',
    (address, tag, expected) => {
      expect(receiverOf(address, tag)).toEqual({ account: STELLAR, tag: expected });
    },
  );

  it('of Stellar is the text itself when the address is mistyped', () => {
    // The first address has a spare bit, and the second one has another checksum.
    for (const end of ['LL', 'MK']) {
      const address = `MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJ${end}`;
      expect(receiverOf(address, null)).toEqual({ account: address, tag: null });
    }
  });

  // docs.ton.org, "Smart contract addresses": the forms of one account, bounceable, not bounceable and raw.
  const TON_FORMS = [
    'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPuwA',
    '0:CA6E321C7CCE9ECEDF0A8CA2492EC8592494AA5FB5CE0387DFF96EF6AF982A3E',
  ];

  it('of TON is the same for all forms, which are different addresses', () => {
    const [first = '', second = ''] = TON_FORMS;
    expect(new Set(TON_FORMS.map(accountOf))).toEqual(new Set([canonicalAddress(TON_FORMS[3] ?? '')]));
    expect(canonicalAddress(first)).not.toBe(canonicalAddress(second));
  });

  it('of TON has the same list of forms for each form that a caller can send', () => {
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
  ])('may be the same for two addresses (%s: %s, %s): %s', (_what, one = '', other = '', expected) => {
    expect(mayBeOneAccount(one, other)).toBe(expected);
    expect(mayBeOneAccount(other, one)).toBe(expected);
  });
});
