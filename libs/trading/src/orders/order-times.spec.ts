import { testConfig } from '#platform/testing';
import { provableFrom } from './order-times.js';

const leaseUntil = new Date('2026-01-01T00:00:20Z');
const config = testConfig({ appUrl: 'postgres://localhost/unused' }, { ORDER_SETTLE_SECONDS: '120' });

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
