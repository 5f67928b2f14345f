import fc from 'fast-check';
import { allowlistAdmits, normalAllowlistEntry } from './ip-allowlist.js';

describe('an IP allow-list', () => {
  it('admits every address when it is empty', () => {
    expect(allowlistAdmits([], '192.0.2.1')).toBe(true);
    expect(allowlistAdmits([], '')).toBe(true);
  });

  it('admits a listed IPv4 address and no other', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (listed, caller) => {
        expect(allowlistAdmits([listed], caller)).toBe(listed === caller);
      }),
    );
  });

  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['192.0.2.7/32', '192.0.2.7', true],
    ['192.0.2.7/32', '192.0.2.8', false],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1', '2001:0db8:0:0::0001', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '192.0.2.1', false],
    ['192.0.2.7', '::ffff:192.0.2.7', true],
    ['192.0.2.0/24', '::ffff:192.0.3.1', false],
    ['192.0.2.7', '', false],
    ['192.0.2.7', 'unknown', false],
  ])('with the entry %s admits the caller %s: %s', (entry, caller, admitted) => {
    expect(allowlistAdmits([entry], caller)).toBe(admitted);
  });

  it('accepts addresses and ranges in their normal form', () => {
    expect(normalAllowlistEntry('192.0.2.7')).toBe('192.0.2.7');
    expect(normalAllowlistEntry('10.0.0.0/8')).toBe('10.0.0.0/8');
    expect(normalAllowlistEntry('2001:0DB8:0::0/32')).toBe('2001:db8::/32');
    expect(normalAllowlistEntry('::1')).toBe('::1');
  });

  it.each([
    '',
    'localhost',
    '192.0.2',
    '192.0.2.256',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '10.0.0.0/33',
    '10.0.0.0/',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:192.0.2.7',
    '::ffff:192.0.2.0/120',
    ' 192.0.2.7',
    '192.0.2.7\n',
  ])('refuses the entry %j, which programs read differently or not at all', (entry) => {
    expect(normalAllowlistEntry(entry)).toBeNull();
  });

  it('with the normal form of an address admits that address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const entry = normalAllowlistEntry(address);
        if (entry !== null) expect(allowlistAdmits([entry], address)).toBe(true);
      }),
    );
  });
});
