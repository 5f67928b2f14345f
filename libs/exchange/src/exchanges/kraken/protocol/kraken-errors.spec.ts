import type { ErrorCode } from '#platform/errors';
import type { SubmitOutcome } from '../../../port/exchange.port.js';
import { evidenceOf } from '../../../submission/submit-evidence.js';
import { asWithdrawal } from '../../../submission/withdrawal-outcome.js';
import { krakenErrors } from './kraken-errors.js';

/** The outcome of a submission to which Kraken responds with this error. */
function outcome(rawCode: string): SubmitOutcome {
  const response = { status: 200, body: JSON.stringify({ error: [rawCode] }) };
  const { acceptance, toOutcome } = asWithdrawal({ statuses: [200], readId: () => null });
  return toOutcome(evidenceOf(krakenErrors, acceptance, response));
}

/** Definite refusals: nothing was executed. The reason is listed where the code alone is not specific. */
const refusals: [rawCode: string, code: ErrorCode, reason?: string][] = [
  ['EAPI:Invalid signature', 'WALLET_INVALID_CREDENTIALS'],
  ['EAccount:Invalid permissions', 'WITHDRAWAL_PROVIDER_ERROR', 'permission_missing'],
  ['EGeneral:Permission denied', 'WITHDRAWAL_PROVIDER_ERROR', 'permission_missing'],
  ['EFunding:Insufficient funds', 'WITHDRAWAL_INSUFFICIENT_BALANCE'],
  ['EFunding:Unknown withdraw key', 'WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted'],
  ['EFunding:Invalid address', 'WITHDRAWAL_INVALID_ADDRESS'],
  ['EFunding:Invalid withdrawal address', 'WITHDRAWAL_INVALID_ADDRESS'],
  ['EFunding:No funding method', 'WITHDRAWAL_NETWORK_NOT_SUPPORTED'],
  ['EFunding:Unknown asset', 'WITHDRAWAL_ASSET_NOT_SUPPORTED'],
  ['EQuery:Unknown asset', 'WITHDRAWAL_ASSET_NOT_SUPPORTED'],
  ['EFunding:Invalid amount', 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM', 'invalid_amount'],
  ['EFunding:Too many addresses', 'WITHDRAWAL_TOO_MANY_ADDRESSES'],
  ['EFunding:Duplicate withdraw key', 'WITHDRAWAL_FUNDING_ADDRESS_CONFLICT'],
  ['EBM:limit exceeded:CAL', 'WITHDRAWAL_KYC_REQUIRED'],
  ['EBM:limit exceeded', 'WITHDRAWAL_KYC_REQUIRED'],
  ['EAuth:Account unconfirmed', 'WITHDRAWAL_EMAIL_UNVERIFIED'],
  ['EFunding:Max fee exceeded', 'WITHDRAWAL_PROVIDER_ERROR', 'fee_changed'],
  ['EAuth:Account temporary disabled', 'WITHDRAWAL_PROVIDER_ERROR', 'account_locked'],
  ['ETrade:User Locked', 'WITHDRAWAL_PROVIDER_ERROR', 'account_locked'],
  // A disabled feature proves nothing about the key, and a key that is called invalid may disconnect the wallet.
  ['EAPI:Feature disabled', 'WITHDRAWAL_PROVIDER_ERROR', 'feature_disabled'],
  ['EAPI:Bad request', 'WITHDRAWAL_PROVIDER_ERROR', 'invalid_arguments'],
  ['EGeneral:Invalid arguments', 'WITHDRAWAL_PROVIDER_ERROR', 'invalid_arguments'],
  ['EGeneral:Unknown method', 'WITHDRAWAL_PROVIDER_ERROR', 'invalid_arguments'],
];
const wantsCode = ['EAPI:Invalid OTP', 'EAPI:OTP required'];
/** Kraken may return these before it checks the nonce: an earlier copy of the request may have been executed. */
const beforeTheNonce = [
  'EAPI:Invalid nonce',
  'EAPI:Invalid key',
  'EAPI:Rate limit exceeded',
  'EGeneral:Too many requests',
  'EGeneral:Temporary lockout',
  'EAuth:Too many requests',
  'EAuth:Rate limit exceeded',
];
const proveNothing = [
  ...beforeTheNonce,
  'EGeneral:Internal error',
  'EService:Unavailable',
  'EService:Busy',
  'EService:Deadline elapsed',
  'EDatabase:Internal error',
];

describe('the error map of Kraken', () => {
  it.each(refusals)('interprets %s as %s', (...[rawCode, code, reason]) => {
    const reported = outcome(rawCode);
    expect(reported).toMatchObject({ kind: 'rejected', code, rawCode });
    expect('reason' in reported ? reported.reason : undefined).toBe(reason);
  });

  it.each(wantsCode)('interprets %s as a request for an authenticator code', (rawCode) => {
    const expected = { kind: 'verification_required', code: 'WITHDRAWAL_2FA_REQUIRED_TOTP', rawCode };
    expect(outcome(rawCode)).toMatchObject(expected);
  });

  it.each([
    ...proveNothing,
    'EGeneral:Internal error:4711',
    'EService:Market in cancel_only mode',
    'EFunding:Something new',
  ])('interprets %s as no proof', (rawCode) => {
    expect(outcome(rawCode).kind).toBe('unknown');
  });

  it('contains no code that is not tested here', () => {
    const here = [...refusals.map(([rawCode]) => rawCode), ...wantsCode, ...proveNothing];
    expect(here).toEqual(expect.arrayContaining(Object.keys(krakenErrors.meanings)));
  });
});
