import type { Exchange } from '../exchange.js';
import type { Reply } from '../faults/protocol.js';
import { ibanOf } from '../kraken/account.js';
import { identityOf } from './accounts.js';
import { readBearer } from './bearer.js';
import { refusal } from './fast-api-key.js';
import { UNCACHED } from './token-endpoint.js';

const SCOPE = 'account.info:basic';

/**
 * Source: https://docs.kraken.com/openapi/oauth-rest.yaml, "Get User Info": "Returns the email address and IIBAN of the
 * user". The call requires the scope account.info:basic.
 */
export function krakenUserInfo(exchange: Exchange, { token }: { token: string | undefined }, now: Date): Reply {
  const bearer = readBearer(exchange, { token, provider: 'kraken' }, now);
  if ('problem' in bearer) return refusal(401, 'invalid_token', `the access token is ${bearer.problem}`);
  const { scopes, accountId } = bearer.grant;
  if (!scopes.includes(SCOPE)) return refusal(403, 'insufficient_scope', `${SCOPE} is needed`);
  const { account } = exchange.bookOf(accountId);
  const { email } = identityOf(exchange, account);
  return { status: 200, body: { result: { email, iban: ibanOf(exchange, account) } }, headers: UNCACHED };
}
