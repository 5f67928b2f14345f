import { newTotpSecret, totpCode, totpStep } from './totp.js';

/**
 * RFC 6238, appendix B: the secret `12345678901234567890`, SHA-1, eight digits. A six-digit code is the last six of
 * them.
 */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors: [seconds: number, code: string][] = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
];
const at = (seconds: number) => new Date(seconds * 1000);

describe('an authenticator', () => {
  it.each(vectors)('shows at %d seconds the last six digits of %s, as in appendix B of RFC 6238', (seconds, code) => {
    expect(totpCode(SECRET, at(seconds))).toBe(code.slice(2));
    expect(totpStep(SECRET, code.slice(2), at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it('has a code that is valid from one step before its time to one step after it, and no longer', () => {
    const code = totpCode(SECRET, at(1234567890));
    const step = Math.floor(1234567890 / 30);
    const start = step * 30;
    for (const seconds of [start - 30, start - 1, start, start + 59]) {
      expect(totpStep(SECRET, code, at(seconds))).toBe(step);
    }
    expect(totpStep(SECRET, code, at(start - 31))).toBeNull();
    expect(totpStep(SECRET, code, at(start + 60))).toBeNull();
  });

  it.each(['', '1', '12345', '1234567', 'abcdef', '94287082'])(
    'does not accept %j, which is not a current code of six digits',
    (code) => {
      expect(totpStep(SECRET, code, at(59))).toBeNull();
    },
  );

  it('gets its own secret of 160 bits', () => {
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(newTotpSecret());
  });
});
