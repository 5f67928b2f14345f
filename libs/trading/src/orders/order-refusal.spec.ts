import { OrderRefused } from './order.errors.js';
import { refusalOf } from './order-refusal.js';

const refusal = (code: Parameters<typeof refusalOf>[0]['code'], reason?: string) =>
  refusalOf({ kind: 'rejected', code, rawCode: 'E:raw', answer: {}, ...(reason !== undefined && { reason }) }).message;

describe('the message of a refused order', () => {
  it('names the reason that the exchange gives', () => {
    expect(refusal('GENERIC_INVALID_REQUEST', 'insufficient_balance')).toBe(
      'The exchange refused the order: insufficient balance',
    );
    expect(refusal('TRADING_ROUTE_UNAVAILABLE', 'cancel_only')).toMatch(/accepts no orders/);
  });

  it('asks the caller to wait when the rate limit of the exchange is reached', () => {
    expect(refusal('GENERIC_RATE_LIMIT_EXCEEDED')).toBe(
      'The rate limit of the exchange is reached: wait as many seconds as Retry-After states, then place the order again',
    );
  });

  it.each([
    ['the time that the exchange demands', 30_000, 30],
    ['ten seconds when the exchange reports no time', undefined, 10],
  ])('comes with a Retry-After of %s', (_name, retryAfterMs, retryAfterSeconds) => {
    const code = 'GENERIC_RATE_LIMIT_EXCEEDED';
    const refused = refusalOf({ kind: 'rejected', code, rawCode: 'E:raw', answer: {}, retryAfterMs });
    expect(new OrderRefused(refused)).toMatchObject({
      retryAfterSeconds,
      details: { result: { exchangeCode: 'E:raw' } },
    });
  });

  it('refers to the error code of the exchange when the exchange gives no known reason', () => {
    for (const code of ['TRADING_PROVIDER_ERROR', 'GENERIC_VALIDATION_ERROR', 'WITHDRAWAL_KYC_REQUIRED'] as const)
      expect(refusal(code)).toBe(
        'The exchange refused the order: Causeway does not know the reason (see result.exchangeCode)',
      );
  });
});
