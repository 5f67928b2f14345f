import { callerOf, subscriberOf } from './caller.js';

describe('a caller', () => {
  it('is an IPv4 address, or the /64 of an IPv6 address', () => {
    expect(callerOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(callerOf('2001:db8:1:2:3:4:5:6')).toBe(callerOf('2001:db8:1:2:ffff::1'));
    expect(callerOf('2001:db8:1:2::1')).not.toBe(callerOf('2001:db8:1:3::1'));
  });

  it('is, as a subscriber, an IPv4 address, or the /48 of an IPv6 address', () => {
    expect(subscriberOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(subscriberOf('2001:db8:1:2::1')).toBe(subscriberOf('2001:db8:1:ffff::1'));
    expect(subscriberOf('2001:db8:1::1')).not.toBe(subscriberOf('2001:db8:2::1'));
  });
});
