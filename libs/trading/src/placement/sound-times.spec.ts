import { InvalidConfig, loadConfig, testOverrides } from '#platform/config';
import { requireSoundTimes } from './sound-times.js';

const key = Buffer.alloc(32, 1).toString('base64');
const required = { DATABASE_URL: 'postgres://x', API_KEY_PEPPER: key, VAULT_KEYS: `test:${key}` };
const times = (env: Record<string, string>) => () =>
  requireSoundTimes(loadConfig({ NODE_ENV: 'test', ...required, ...env }));

describe('the settings for the times of an order', () => {
  it('are valid by default', () => {
    expect(times({})).not.toThrow();
  });

  it.each([
    [testOverrides({ ORDER_LEASE_MS: 15_000, EXCHANGE_SUBMIT_TIMEOUT_MS: 15_000 }), 'EXCHANGE_SUBMIT_TIMEOUT_MS'],
    // With such a long lease, the call may still send the order after the submission deadline.
    [testOverrides({ ORDER_LEASE_MS: 60_000, EXCHANGE_SUBMIT_TIMEOUT_MS: 15_000 }), 'ORDER_DEADLINE_SECONDS'],
    [{ ORDER_DEADLINE_SECONDS: '9' }, 'ORDER_DEADLINE_SECONDS'],
    // Kraken accepts a deadline at most a minute ahead of its own clock, so 55 seconds are the maximum.
    [{ ORDER_DEADLINE_SECONDS: '56' }, 'ORDER_DEADLINE_SECONDS'],
    // An exchange whose clock is a minute behind still accepts the order up to a minute after the deadline, so 60
    // seconds are the minimum.
    [{ ORDER_SETTLE_SECONDS: '59' }, 'ORDER_SETTLE_SECONDS'],
  ])('with %j are refused', (env, named) => {
    expect(times(env)).toThrow(named);
    expect(times(env)).toThrow(InvalidConfig);
  });
});
