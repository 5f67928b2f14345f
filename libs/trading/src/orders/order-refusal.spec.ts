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

describe('the details of a refused order', () => {
  const detailsOf = (code: Parameters<typeof refusal>[0], reason?: string): object | null =>
    refusalOf({ kind: 'rejected', code, rawCode: 'E:raw', answer: {}, reason }).result;

  it('have the order types of the route, or its status, only when the exchange refuses for that reason', () => {
    const raw = { exchangeCode: 'E:raw' };
    const type = 'TRADING_ORDER_TYPE_NOT_SUPPORTED';
    expect(detailsOf(type, 'limit_only')).toEqual({ ...raw, reason: 'limit_only', orderTypes: ['limit'] });
    expect(detailsOf(type, 'other')).toEqual({ ...raw, reason: 'other' });
    expect(detailsOf('GENERIC_INVALID_REQUEST', 'limit_only')).toEqual({ ...raw, reason: 'limit_only' });
    const route = 'TRADING_ROUTE_UNAVAILABLE';
    expect(detailsOf(route, 'cancel_only')).toEqual({ ...raw, reason: 'cancel_only', status: 'cancel_only' });
    expect(detailsOf(route)).toEqual(raw);
  });

  it('are explained by a message about limit orders only for routes that accept no other type', () => {
    const limits = /accepts limit orders only/;
    expect(refusal('TRADING_ORDER_TYPE_NOT_SUPPORTED', 'limit_only')).toMatch(limits);
    expect(refusal('TRADING_ORDER_TYPE_NOT_SUPPORTED', 'other')).not.toMatch(limits);
    expect(refusal('GENERIC_INVALID_REQUEST', 'limit_only')).toBe('The exchange refused the order: limit only');
  });
});
