import { loadConfig, testOverrides } from '#platform/config';
import { ManualClock } from '#platform/testing';
import { ExchangePauses } from './exchange-pauses.js';

const FAILURES = 3;
const PAUSE_SECONDS = 30;
const kraken = { exchange: 'kraken', mode: 'live', projectId: 'one' } as const;

describe('ExchangePauses', () => {
  let clock: ManualClock;
  let pauses: ExchangePauses;

  beforeEach(() => {
    clock = new ManualClock();
    const pausing = { WALLET_SYNC_PAUSE_FAILURES: FAILURES, WALLET_SYNC_PAUSE_SECONDS: PAUSE_SECONDS };
    pauses = new ExchangePauses(clock, loadConfig(testOverrides(pausing)));
  });

  const fail = (called: { exchange: string; mode: 'test' | 'live'; projectId: string }, times = FAILURES): void => {
    for (let time = 0; time < times; time++) pauses.failed(called, { kind: 'unavailable' });
  };

  it('admits calls to an exchange that responds between its failures', () => {
    fail(kraken, FAILURES - 1);
    expect(pauses.admits(kraken)).toBe(true);
    pauses.answered(kraken);
    fail(kraken, FAILURES - 1);
    expect(pauses.admits(kraken)).toBe(true);
  });

  it('pauses an exchange that failed too often in a row, and no other', () => {
    fail(kraken);
    expect(pauses.admits(kraken)).toBe(false);
    expect(pauses.admits({ ...kraken, exchange: 'okx' })).toBe(true);
  });

  it('pauses only one project when only its calls have failed, however often', () => {
    fail(kraken, 3 * FAILURES);
    expect(pauses.admits(kraken)).toBe(false);
    const other = { ...kraken, projectId: 'two' };
    expect(pauses.admits(other)).toBe(true);
    fail(other, 1);
    expect(pauses.admits(other)).toBe(true);
  });

  it('pauses all projects when the calls of several projects have failed', () => {
    for (const projectId of ['two', 'three', 'four']) fail({ ...kraken, projectId }, 1);
    expect(pauses.admits(kraken)).toBe(false);
    pauses.answered(kraken);
    expect(pauses.admits(kraken)).toBe(true);
  });

  it('does not pause live projects because of failures in test projects', () => {
    fail({ ...kraken, mode: 'test' });
    expect(pauses.admits({ ...kraken, mode: 'test' })).toBe(false);
    expect(pauses.admits(kraken)).toBe(true);
  });

  it('admits one call after each pause, until a call succeeds', () => {
    fail(kraken);
    for (let round = 0; round < 3; round++) {
      clock.advance(PAUSE_SECONDS * 1_000);
      expect([pauses.admits(kraken), pauses.admits(kraken)]).toEqual([true, false]);
      pauses.failed(kraken, { kind: 'unavailable' });
      expect(pauses.admits(kraken)).toBe(false);
    }
    clock.advance(PAUSE_SECONDS * 1_000);
    expect(pauses.admits(kraken)).toBe(true);
    pauses.answered(kraken);
    expect([pauses.admits(kraken), pauses.admits(kraken)]).toEqual([true, true]);
  });

  it('admits another call after the next pause when the first call never reported its result', () => {
    fail(kraken);
    clock.advance(PAUSE_SECONDS * 1_000);
    pauses.admits(kraken);
    clock.advance(PAUSE_SECONDS * 1_000);
    expect(pauses.admits(kraken)).toBe(true);
  });
});
