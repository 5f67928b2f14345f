import { ValidationFailed } from '#platform/errors';
import { normalAllowlist, requireFuture, requireOverlap, requireScopes } from './api-key-rules.js';

const now = new Date('2026-01-01T00:00:00Z');

describe('the rules of an API key', () => {
  it('require an expiry in the future, or none', () => {
    expect(() => requireFuture(null, now)).not.toThrow();
    expect(() => requireFuture(new Date(now.getTime() + 1), now)).not.toThrow();
    for (const at of [now, new Date(0), new Date('nonsense'), new Date('9999-12-31T23:59:59-00:01')])
      expect(() => requireFuture(at, now)).toThrow(ValidationFailed);
  });

  it('require at least one scope', () => {
    expect(() => requireScopes(['read'])).not.toThrow();
    expect(() => requireScopes([])).toThrow(ValidationFailed);
  });

  it('allow an overlap from zero to thirty days', () => {
    for (const seconds of [0, 2_592_000]) expect(() => requireOverlap(seconds)).not.toThrow();
    for (const seconds of [-1, 0.5, 2_592_001, NaN]) expect(() => requireOverlap(seconds)).toThrow(ValidationFailed);
  });

  it('keep each entry of an allow-list once, in its normal form', () => {
    expect(normalAllowlist(['2001:DB8::1', '2001:db8:0::1', '10.0.0.0/8'])).toEqual(['2001:db8::1', '10.0.0.0/8']);
    expect(() => normalAllowlist(['everywhere'])).toThrow(/ipAllowlist/);
    expect(() => normalAllowlist(Array.from({ length: 51 }, (_, index) => `192.0.2.${index}`))).toThrow(/at most 50/);
  });
});
