import { callerOf, subscriberOf } from './caller.js';

describe('a caller', () => {
  it('is identified by its IPv4 address, or by the /64 of its IPv6 address', () => {
    expect(callerOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(callerOf('2001:db8:1:2:3:4:5:6')).toBe(callerOf('2001:db8:1:2:ffff::1'));
    expect(callerOf('2001:db8:1:2::1')).not.toBe(callerOf('2001:db8:1:3::1'));
  });

  it('is identified as a subscriber by its IPv4 address, or by the /48 of its IPv6 address', () => {
    expect(subscriberOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(subscriberOf('2001:db8:1:2::1')).toBe(subscriberOf('2001:db8:1:ffff::1'));
    expect(subscriberOf('2001:db8:1::1')).not.toBe(subscriberOf('2001:db8:2::1'));
  });
});
