/** Reasons for which the exchange refuses a call. Each protocol has its own codes for them. */
export type Reason =
  | 'key_unknown'
  | 'key_revoked'
  | 'ip_not_allowed'
  | 'passphrase_wrong'
  | 'signature_wrong'
  | 'nonce_used'
  | 'key_version'
  | 'account_unified'
  | 'account_classic'
  | 'timestamp_invalid'
  | 'timestamp_expired'
  | 'window_too_long'
  | 'permission_missing'
  | 'rate_limited'
  | 'not_opened'
  | 'unavailable'
  | 'system_error'
  | 'parameter_invalid'
  | 'period_too_long'
  | 'reference_repeated'
  | 'network_unknown'
  | 'withdrawals_closed'
  | 'deposits_closed'
  | 'address_exists'
  | 'amount_precision'
  | 'below_minimum'
  | 'above_maximum'
  | 'tag_missing'
  | 'address_invalid'
  | 'address_not_saved'
  | 'insufficient_funds'
  | 'insufficient_funds_for_fee'
  | 'pair_unknown'
  | 'pair_closed'
  | 'order_unknown'
  | 'order_id_repeated'
  | 'order_minimum'
  | 'order_price'
  | 'order_volume'
  | 'order_funds'
  | 'too_many_orders'
  | 'deadline_past'
  | 'deadline_elapsed';

export class Refusal extends Error {
  constructor(
    readonly reason: Reason,
    message: string = reason.replaceAll('_', ' '),
  ) {
    super(message);
  }
}

/** Each entry assigns a reason to the Kraken error texts that begin with `text`. */
const krakenErrors: readonly (readonly [text: string, reason: Reason])[] = [
  ['EFunding:Insufficient funds', 'insufficient_funds'],
  ['EOrder:Insufficient funds', 'order_funds'],
  ['EOrder:Order minimum', 'order_minimum'],
  ['EOrder:Cost minimum', 'order_minimum'],
  ['EOrder:Invalid price', 'order_price'],
  ['EOrder:Tick size', 'order_price'],
  ['EOrder:Orders limit', 'too_many_orders'],
  ['EGeneral:Invalid arguments:volume', 'order_volume'],
  ['EGeneral:Invalid arguments:cl_ord_id not unique', 'order_id_repeated'],
  ['EService:Unavailable', 'unavailable'],
  ['EService:Market', 'pair_closed'],
];

/** Converts the error text of a `KrakenError` into a refusal. */
export function refusalOf(message: string): Refusal {
  const reason = krakenErrors.find(([text]) => message.startsWith(text))?.[1] ?? 'parameter_invalid';
  return new Refusal(reason, message);
}
