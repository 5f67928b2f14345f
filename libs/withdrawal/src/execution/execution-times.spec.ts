import { InvalidConfig, loadConfig, testOverrides } from '#platform/config';
import { requireSoundTimes } from './execution-times.js';

const times = (env: Record<string, string>) => () => requireSoundTimes(loadConfig({ NODE_ENV: 'test', ...env }));

describe('the settings for the times of an execution', () => {
  it('are valid by default', () => {
    expect(times({})).not.toThrow();
  });

  it.each([
    [testOverrides({ WITHDRAWAL_LEASE_MS: 15_000 }), 'EXCHANGE_SUBMIT_TIMEOUT_MS: must be at most 14750'],
    [{ EXECUTE_WAIT_MS: '15000' }, 'EXCHANGE_SUBMIT_TIMEOUT_MS: must be below EXECUTE_WAIT_MS'],
  ])('with %j are refused', (env, named) => {
    expect(times(env)).toThrow(named);
    expect(times(env)).toThrow(InvalidConfig);
  });
});
