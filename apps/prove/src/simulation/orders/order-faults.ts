/** The faults of the network and the lies of the exchange that affect the submission of an order. */
export const orderFaults = [
  'request_lost',
  'answer_lost',
  'accepted_late',
  'server_error_before',
  'server_error_after',
  'slow_beyond_lease',
  'hang',
  'refused_connection',
  'own_limit',
  'too_many_requests_before',
  'too_many_requests_after',
  'malformed_success',
  'definite_refusal',
  /** The exchange executes the order and answers with the code of a definite refusal. */
  'executed_but_refused',
  /** The exchange executes the order and calls the API key invalid. */
  'key_refused',
  /** The exchange accepts the order and answers with an id that is not its own. */
  'wrong_id',
  'delivered_twice',
  'second_copy_refused',
] as const;
export type OrderFault = (typeof orderFaults)[number];

/** The views of an account. Each may show changes late. */
export const orderViews = ['by_client_id', 'by_id', 'open', 'ended', 'balances'] as const;
export type OrderView = (typeof orderViews)[number];
