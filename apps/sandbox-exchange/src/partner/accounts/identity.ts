import { identityOf } from '../oauth/accounts.js';
import { endpoint, ok } from './handler.js';

/** Who owns the account; what the control API took away is null. */
export const identity = endpoint({
  permission: 'identity',
  handler: ({ exchange, account }) => ok(identityOf(exchange, account)),
});
