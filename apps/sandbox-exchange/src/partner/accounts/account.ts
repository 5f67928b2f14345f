import { assetById } from '../../catalogue.js';
import { identityOf } from '../../oauth/accounts.js';
import { endpoint, ok, seconds } from '../handler.js';

export const account = endpoint({
  permission: 'read',
  handler: ({ account: { id }, profile, token }) => {
    const { mode, relation, methods } = profile.verification;
    return ok({
      id,
      email: maskedEmail(profile.email),
      emailVerified: profile.emailVerified,
      kyc: profile.kyc,
      permissions: token.permissions,
      ipAllowlist: token.ipAllowlist,
      verification: { mode, relation, methods },
      tokenExpiresAt: token.expiresAt === null ? null : seconds(token.expiresAt),
      tokenCreatedAt: seconds(token.createdAt),
      tokenLastUsedAt: token.lastUsedAt === null ? null : seconds(token.lastUsedAt),
      holdUntil: profile.holdUntil,
    });
  },
});

export const balances = endpoint({
  permission: 'read',
  handler: ({ exchange, account: owner }) => {
    const book = exchange.book(owner);
    return ok({
      balances: book.assets().map((id) => ({
        asset: assetById(id).code,
        free: book.free(id),
        held: book.held(id),
        total: book.total(id),
      })),
    });
  },
});

/** The identity of the account's owner; a field that the control API has removed is null. */
export const identity = endpoint({
  permission: 'identity',
  handler: ({ exchange, account }) => ok(identityOf(exchange, account)),
});

/** Shows only the first letter: `a***@customer.example`. */
export function maskedEmail(email: string): string {
  const [name = '', domain = ''] = email.split('@');
  return `${name.slice(0, 1)}***@${domain}`;
}

/** Shows only the last two digits. */
export function maskedPhone(phone: string): string {
  return `*** ${phone.slice(-2)}`;
}
