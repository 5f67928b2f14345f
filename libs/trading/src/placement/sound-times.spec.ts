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
    [testOverrides({ ORDER_DEADLINE_SECONDS: 7 }), 'ORDER_DEADLINE_SECONDS'],
  ])('with %j are refused', (env, named) => {
    expect(times(env)).toThrow(named);
    expect(times(env)).toThrow(InvalidConfig);
  });
});
