import type { ErrorCode } from '#platform/errors';
import { asOrder } from '../../submission/order-outcome.js';
import { evidenceOf } from '../../submission/submit-evidence.js';
import type { OrderOutcome } from '../../port/trading.port.js';
import { krakenErrors } from './kraken-errors.js';
import { krakenOrderErrors } from './kraken-errors.js';

/** The outcome of an order to which Kraken responds with this error. */
function outcome(...rawCodes: string[]): OrderOutcome {
  const response = { status: 200, body: JSON.stringify({ error: rawCodes }) };
  const { acceptance, toOutcome } = asOrder({ statuses: [200], readId: () => null });
  return toOutcome(evidenceOf(krakenOrderErrors, acceptance, response));
}

/** Definite refusals: there is no order. The reason is listed where the code alone is not specific. */
const refusals: [rawCode: string, code: ErrorCode, reason?: string][] = [
  ['EAPI:Invalid signature', 'WALLET_INVALID_CREDENTIALS'],
  ['EGeneral:Permission denied', 'TRADING_PROVIDER_ERROR', 'permission_missing'],
  ['EAccount:Invalid permissions:DOGE trading restricted for US:WA.', 'TRADING_PROVIDER_ERROR', 'country_not_served'],
  ['EQuery:Unknown asset pair', 'TRADING_ROUTE_NOT_FOUND'],
  ['EQuery:Unknown asset', 'TRADING_ROUTE_NOT_FOUND'],
  ['EService:Market in cancel_only mode', 'TRADING_ROUTE_UNAVAILABLE', 'cancel_only'],
  ['EService:Market in limit_only mode', 'TRADING_ORDER_TYPE_NOT_SUPPORTED', 'limit_only'],
  ['EService:Market in post_only mode', 'TRADING_ROUTE_UNAVAILABLE', 'post_only'],
  ['EService:Market in reduce_only mode', 'TRADING_ROUTE_UNAVAILABLE', 'reduce_only'],
  ['EOrder:Order minimum not met', 'GENERIC_VALIDATION_ERROR', 'below_minimum_volume'],
  ['EOrder:Cost minimum not met', 'GENERIC_VALIDATION_ERROR', 'below_minimum_cost'],
  ['EOrder:Tick size check failed', 'GENERIC_VALIDATION_ERROR', 'invalid_tick_size'],
  ['EOrder:Trading agreement required', 'TRADING_PROVIDER_ERROR', 'agreement_not_confirmed'],
  ['EOrder:Invalid price', 'GENERIC_VALIDATION_ERROR', 'invalid_price'],
  ['EOrder:Invalid price:XBTUSD price can only be up to 1 decimals.', 'GENERIC_VALIDATION_ERROR', 'invalid_price'],
  ['EGeneral:Invalid arguments:price', 'GENERIC_VALIDATION_ERROR', 'invalid_price'],
  ['EGeneral:Invalid arguments:volume', 'GENERIC_VALIDATION_ERROR', 'invalid_volume'],
  ['EGeneral:Invalid arguments:volume minimum not met', 'GENERIC_VALIDATION_ERROR', 'below_minimum_volume'],
  ['EGeneral:Invalid arguments:ordertype', 'TRADING_ORDER_TYPE_NOT_SUPPORTED'],
  ['EGeneral:Invalid arguments', 'TRADING_PROVIDER_ERROR', 'invalid_arguments'],
  ['EGeneral:Invalid arguments:deadline', 'TRADING_PROVIDER_ERROR', 'invalid_arguments'],
  ['EAPI:Bad request', 'TRADING_PROVIDER_ERROR', 'invalid_arguments'],
  ['EGeneral:Unknown method', 'TRADING_PROVIDER_ERROR', 'invalid_arguments'],
  ['EOrder:Insufficient funds', 'GENERIC_INVALID_REQUEST', 'insufficient_balance'],
  ['EOrder:Orders limit exceeded', 'GENERIC_INVALID_REQUEST', 'too_many_open_orders'],
  ['EOrder:Scheduled orders limit exceeded', 'GENERIC_INVALID_REQUEST', 'too_many_open_orders'],
  ['EOrder:Rate limit exceeded', 'GENERIC_RATE_LIMIT_EXCEEDED'],
  ['EOrder:Domain rate limit exceeded', 'GENERIC_RATE_LIMIT_EXCEEDED'],
  ['EBM:limit exceeded', 'TRADING_PROVIDER_ERROR', 'purchase_limit'],
  ['EBM:limit exceeded:CAL', 'TRADING_PROVIDER_ERROR', 'purchase_limit'],
  ['EAPI:Invalid OTP', 'TRADING_PROVIDER_ERROR', 'two_factor_required'],
  ['EAPI:OTP required', 'TRADING_PROVIDER_ERROR', 'two_factor_required'],
  ['EAuth:Account unconfirmed', 'TRADING_PROVIDER_ERROR', 'account_unconfirmed'],
  ['EOrder:Cannot open opposing position', 'TRADING_PROVIDER_ERROR', 'margin_refused'],
  ['EOrder:Cannot open position', 'TRADING_PROVIDER_ERROR', 'margin_refused'],
  ['EOrder:Insufficient margin', 'TRADING_PROVIDER_ERROR', 'margin_refused'],
  ['EOrder:Margin allowance exceeded', 'TRADING_PROVIDER_ERROR', 'margin_refused'],
  ['EOrder:Margin level too low', 'TRADING_PROVIDER_ERROR', 'margin_refused'],
  ['EOrder:Margin position size exceeded', 'TRADING_PROVIDER_ERROR', 'margin_refused'],
  ['EOrder:Positions limit exceeded', 'TRADING_PROVIDER_ERROR', 'margin_refused'],
];
const faults = [
  // These errors do not prove that an earlier copy of the request was refused: a used nonce, and errors that Kraken
  // may return before it checks the nonce.
  'EAPI:Invalid nonce',
  'EAPI:Invalid key',
  'EAPI:Rate limit exceeded',
  'EService: Throttled',
  'EService: Throttled: 1788471234',
  'EService:Throttled',
  'EAPI:Feature disabled',
  'EAccount:Invalid permissions',
  'EAuth:Account temporary disabled',
  'ETrade:Locked',
  'ETrade:User Locked',
  'EAuth:Rate limit exceeded',
  'EAuth:Too many requests',
  'EGeneral:Temporary lockout',
  'EGeneral:Too many requests',
  'EGeneral:Internal error',
  'EService:Unavailable',
  'EService:Busy',
  // According to the documentation, the order may have been placed all the same.
  'EService:Deadline elapsed',
  'EDatabase:Internal error',
  // An order with our id exists. An earlier copy of the request may have placed it.
  'EGeneral:Invalid arguments:cl_ord_id',
  'EGeneral:Invalid arguments:cl_ord_id not unique',
  'EGeneral:Invalid arguments:duplicate cl_ord_id',
];
const unlisted = [
  'EGeneral:Internal error:4711',
  'EOrder:Reduce only:Position is closed',
  'EOrder:Unknown order',
  'EOrder:Something new',
  'EService:Something new',
  'ETrade:Invalid request',
  // An error of Kraken's funding system proves nothing about an order.
  'EFunding:Insufficient funds',
];

describe('the error map of Kraken for orders', () => {
  it.each(refusals)('interprets %s as %s', (...[rawCode, code, reason]) => {
    const reported = outcome(rawCode);
    expect(reported).toMatchObject({ kind: 'rejected', code, rawCode });
    expect('reason' in reported ? reported.reason : undefined).toBe(reason);
    expect(code).not.toMatch(/^WITHDRAWAL_/);
  });

  it.each([...faults, ...unlisted])('interprets %s as no proof of a refusal', (rawCode) => {
    expect(outcome(rawCode).kind).toBe('unknown');
  });

  it.each([...faults, ...unlisted])('interprets %s beside a definite refusal as no proof of a refusal', (rawCode) => {
    expect(outcome('EOrder:Insufficient funds', rawCode).kind).toBe('unknown');
    expect(outcome(rawCode, 'EOrder:Insufficient funds').kind).toBe('unknown');
  });

  it('contains only codes that are tested here', () => {
    const here = [...refusals.map(([rawCode]) => rawCode), ...faults];
    expect(here).toEqual(expect.arrayContaining(Object.keys(krakenOrderErrors.meanings)));
  });

  it('adds no code of orders to the error map for withdrawals', () => {
    expect(Object.keys(krakenErrors.meanings).filter((code) => /^EOrder|Market in/.test(code))).toEqual([]);
  });
});
