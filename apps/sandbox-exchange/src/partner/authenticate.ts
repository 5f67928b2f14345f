import type { Exchange } from '../exchange.js';
import { isAllowed } from '../ip-allowlist.js';
import type { PartnerPermission, PartnerToken } from '../ledger/partner-records.js';
import { openMagicAccount } from './accounts/magic-tokens.js';
import { seconds } from './handler.js';
import { PartnerError } from './partner-error.js';

interface Presented {
  token: string | undefined;
  ip: string;
  permission: PartnerPermission | 'identity';
}

function may({ permissions, scopes }: PartnerToken, permission: Presented['permission']): boolean {
  if (permission === 'identity') return scopes === undefined || scopes.includes(permission);
  return permissions.includes(permission);
}

/** @throws PartnerError */
export function authenticate(exchange: Exchange, { token: text, ip, permission }: Presented, now: Date): PartnerToken {
  const token = text === undefined ? null : (exchange.tokens.get(text) ?? openMagicAccount(exchange, text, now));
  if (token === null) throw new PartnerError('unauthorized', 'the token is unknown');
  if (token.revoked) throw new PartnerError('token_revoked', 'the token was revoked');
  if (token.expiresAt !== null && token.expiresAt <= now.getTime()) {
    throw new PartnerError('token_expired', 'the token has expired');
  }
  if (!isAllowed(ip, token.ipAllowlist)) throw new PartnerError('ip_not_allowed', `${ip} is not on the allow-list`);
  if (!may(token, permission)) {
    throw new PartnerError('permission_missing', `the token lacks the permission ${permission}`);
  }
  // Responses show the last use in whole seconds, so the journal stores at most one change a second, and not one for
  // every call.
  if (token.lastUsedAt === null || seconds(token.lastUsedAt) < seconds(now.getTime())) {
    exchange.commit({ tokenUse: { token: token.token, at: now.getTime() } });
  }
  return token;
}
