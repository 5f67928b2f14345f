import { testOverrides } from '#platform/config';
import { testConfig } from '#platform/testing';
import { nextComparison, provableFrom, sentAfter } from './order-times.js';

const leaseUntil = new Date('2026-01-01T00:00:20Z');
const config = testConfig({ appUrl: 'postgres://localhost/unused' }, testOverrides({ ORDER_SETTLE_SECONDS: 120 }));

describe('the absence of an order', () => {
  it('is provable when the signature of a request from the end of the lease has expired and the lists are settled', () => {
    expect(provableFrom({ submissionDeadline: null, leaseUntil }, 60_000, config)).toEqual(
      new Date('2026-01-01T00:03:20Z'),
    );
  });

  it('is provable after the submission deadline when the lists are settled', () => {
    const submissionDeadline = new Date('2026-01-01T00:00:30Z');
    expect(provableFrom({ submissionDeadline, leaseUntil }, null, config)).toEqual(new Date('2026-01-01T00:02:30Z'));
  });

  it('is never provable when the exchange may accept the request at any time', () => {
    expect(provableFrom({ submissionDeadline: null, leaseUntil }, null, config)).toBeNull();
  });
});

describe('an order that was reported as none', () => {
  const { ORDER_COMPARISON_SECONDS, ORDER_COMPARED_FOR_SECONDS } = config.constants;
  /** Returns the pause in seconds until the next comparison of an order of an age in seconds; null = there is none. */
  const pauseAt = (age: number): number | null => {
    const at = new Date(leaseUntil.getTime() + age * 1_000);
    const next = nextComparison({ createdAt: leaseUntil }, at, config);
    return next === null ? null : (next.getTime() - at.getTime()) / 1_000;
  };

  it('is compared after pauses as long as its age, and not less than the shortest one', () => {
    expect(pauseAt(0)).toBe(ORDER_COMPARISON_SECONDS);
    expect(pauseAt(ORDER_COMPARISON_SECONDS * 2)).toBe(ORDER_COMPARISON_SECONDS * 2);
  });

  it('is not compared again when the next comparison would be too late', () => {
    expect(pauseAt(ORDER_COMPARED_FOR_SECONDS / 2)).toBe(ORDER_COMPARED_FOR_SECONDS / 2);
    expect(pauseAt(ORDER_COMPARED_FOR_SECONDS / 2 + 1)).toBeNull();
  });
});

describe('an order at its exchange', () => {
  it('is searched from ORDER_SETTLE_SECONDS before it was sent', () => {
    expect(sentAfter({ createdAt: leaseUntil }, config)).toEqual(new Date(leaseUntil.getTime() - 120_000));
  });
});
