import { fault, ifNew, refused, type Meaning } from '../../testing/contract/documented.js';
import { json, type DocumentedRefusal } from '../../testing/contract/exchange-contract.js';
import { refusal } from '../../testing/kraken-documentation.js';

const arguments_: Meaning = refused(undefined, 'invalid_arguments');
const locked: Meaning = ifNew(undefined, 'account_locked');
const permission: Meaning = { grade: 'permission', isDefinite: true };
const pause: Meaning = { grade: 'pause' };
const address: Meaning = refused('WITHDRAWAL_INVALID_ADDRESS');
const asset: Meaning = refused('WITHDRAWAL_ASSET_NOT_SUPPORTED');
const totp: Meaning = refused('WITHDRAWAL_2FA_REQUIRED_TOTP');
const order = (grade: Meaning['grade'], rest: Omit<Meaning, 'grade'> = {}): Meaning => ({
  ...rest,
  grade,
  of: 'order',
});

/** The errors of https://docs.kraken.com/api/docs/guides/spot-errors and of the references of the endpoints. */
const general: Record<string, Meaning> = {
  'EAPI:Invalid key': { grade: 'credentials' },
  'EAPI:Invalid signature': { grade: 'credentials', isDefinite: true, reason: 'invalid_signature' },
  'EAPI:Invalid nonce': fault,
  'EAPI:Rate limit exceeded': pause,
  'EService: Throttled: 1788471234': pause,
  'EService:Throttled': pause,
  'EAPI:Bad request': arguments_,
  'EGeneral:Invalid arguments': arguments_,
  'EGeneral:Internal error': fault,
  'EGeneral:Permission denied': permission,
  'EGeneral:Temporary lockout': pause,
  'EGeneral:Too many requests': pause,
  'EGeneral:Unknown method': arguments_,
  'EService:Unavailable': fault,
  'EService:Busy': fault,
  'EService:Deadline elapsed': fault,
  'EAuth:Account temporary disabled': locked,
  'EAuth:Too many requests': pause,
  'EAuth:Rate limit exceeded': pause,
  'EDatabase:Internal error': fault,
  'ETrade:Locked': locked,
  'ETrade:User Locked': locked,
};
const funding: Record<string, Meaning> = {
  'EGeneral:Internal error:4711': fault,
  'EAPI:Feature disabled': ifNew(undefined, 'feature_disabled'),
  'EAuth:Account unconfirmed': refused('WITHDRAWAL_EMAIL_UNVERIFIED'),
  'EAccount:Invalid permissions': ifNew(undefined, 'account_not_permitted'),
  'EBM:limit exceeded': refused('WITHDRAWAL_KYC_REQUIRED'),
  'EBM:limit exceeded:CAL': refused('WITHDRAWAL_KYC_REQUIRED'),
  'EFunding:Unknown withdraw key': refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted'),
  'EFunding:Invalid amount': refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM', 'invalid_amount'),
  'EFunding:Insufficient funds': refused('WITHDRAWAL_INSUFFICIENT_BALANCE'),
  'EFunding:Invalid address': address,
  'EFunding:Invalid withdrawal address': address,
  'EFunding:Max fee exceeded': refused(undefined, 'fee_changed'),
  'EFunding:No funding method': refused('WITHDRAWAL_NETWORK_NOT_SUPPORTED'),
  'EFunding:Too many addresses': refused('WITHDRAWAL_TOO_MANY_ADDRESSES'),
  'EFunding:Duplicate withdraw key': refused('WITHDRAWAL_FUNDING_ADDRESS_CONFLICT'),
  'EFunding:Unknown asset': asset,
  'EQuery:Unknown asset': asset,
  'EAPI:OTP required': totp,
  'EAPI:Invalid OTP': ifNew('WITHDRAWAL_2FA_REQUIRED_TOTP'),
};
const orders: Record<string, Meaning> = {
  'EOrder:Insufficient funds': order('refused', { code: 'GENERIC_INVALID_REQUEST', reason: 'insufficient_balance' }),
  'EOrder:Order minimum not met': order('refused', { code: 'GENERIC_VALIDATION_ERROR' }),
  'EOrder:Rate limit exceeded': order('pause', { isDefinite: true }),
  'EOrder:Unknown order': order('unknown'),
  'EOrder:Orders limit exceeded': order('refused', { code: 'GENERIC_INVALID_REQUEST' }),
  'EQuery:Unknown asset pair': order('refused', { code: 'TRADING_ROUTE_NOT_FOUND' }),
  'EService:Market in cancel_only mode': order('refused', { code: 'TRADING_ROUTE_UNAVAILABLE' }),
  'EOrder:Trading agreement required': order('refused', { reason: 'agreement_not_confirmed' }),
  'EGeneral:Invalid arguments:cl_ord_id not unique': order('unknown'),
  'EGeneral:Invalid arguments:duplicate cl_ord_id': order('unknown'),
};

export function krakenRefusals(): DocumentedRefusal[] {
  const named = (list: Record<string, Meaning>, of?: 'all'): DocumentedRefusal[] =>
    Object.entries(list).map(([name, meaning]) => ({
      name,
      reply: json(refusal(name)),
      ...(of !== undefined && { of }),
      ...meaning,
    }));
  return [...named(general, 'all'), ...named(funding), ...named(orders)];
}
