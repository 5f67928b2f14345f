import { scrub } from './scrub.js';

describe('scrub', () => {
  it.each([
    ['{"message":"key svc_test_AbC123xyz used"}', 'AbC123xyz'],
    ['{"authorization":"Bearer abc.def-ghi"}', 'abc.def-ghi'],
    ['{"body":"{\\"apiSecret\\":\\"hunter2\\"}"}', 'hunter2'],
    ['{"apiSecret":"hunter2"}', 'hunter2'],
    ['{"text":"nonce=1&otp=123456&x=1"}', '123456'],
  ])('removes the secret in %s', (line, secret) => {
    expect(line).toContain(secret);
    expect(scrub(line)).not.toContain(secret);
  });

  it('keeps an ordinary line unchanged', () => {
    const line = '{"level":30,"message":"request","route":"/v0/wallet","status":200}';
    expect(scrub(line)).toBe(line);
  });
});
