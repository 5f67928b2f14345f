import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Secret } from '#platform/crypto';
import type { AccessKind, MadeKey } from '../../port/authorization.port.js';
import { AuthorizationError } from '../../port/authorization.port.js';
import type {
  AuthorizationContext,
  AuthorizationDeclaration,
  IssuedTokens,
  NamedKey,
} from '../../declaration/authorization-declaration.js';
import { parseBody } from '../../transport/error-map.js';
import type { ExchangeCredentials } from '../../port/exchange.port.js';
import type { AccountIdentity } from '../../port/identity.port.js';

/**
 * Permissions of a key (https://docs.kraken.com/openapi/oauth-rest.yaml). The scopes have the same names with hyphens.
 */
const permissions = [
  'funds_query',
  'funds_add',
  'funds_withdraw',
  'funds_earn',
  'trades_query_open',
  'trades_query_closed',
  'trades_modify',
  'trades_close',
  'ledger_query',
  'export_data',
] as const;
type Permission = (typeof permissions)[number];

/** The permissions that our calls need, as the reference of each endpoint names them. */
const needed: Record<AccessKind, readonly Permission[]> = {
  read: ['funds_query', 'ledger_query'],
  deposit: ['funds_add'],
  trade: ['trades_query_open', 'trades_query_closed', 'trades_modify', 'trades_close'],
  withdrawal: ['funds_withdraw'],
};

const WRITE_KEYS = 'account.fast-api-key:write';
const scopesOf = (kind: AccessKind): string[] => [
  WRITE_KEYS,
  ...needed[kind].map((permission) => `account.fast-api-key:${permission.replaceAll('_', '-')}`),
];

/**
 * How far a nonce may be below the highest used nonce. With 0, Kraken always refuses a used nonce, and therefore the
 * second copy of a request that the network delivers twice. A larger window does not guarantee that.
 */
const NONCE_WINDOW = 0;

const createdKey = z.object({
  result: z.object({
    api_key: z.string().min(1).max(1_024),
    secret: z.string().min(1).max(1_024),
    permissions: z.record(z.string(), z.unknown()).default({}),
  }),
});

const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);
const userInfo = z.object({ result: z.object({ email: optionalText, iban: optionalText }) });

/**
 * Kraken Connect (https://docs.kraken.com/api/docs/oauth/kraken-connect). The token creates an ordinary key and reads
 * the account's owner, and is then discarded. Kraken documents no revocation endpoint. To end the access, the owner
 * deletes the key.
 */
export const krakenAuthorization: AuthorizationDeclaration = {
  live: ({ api }) => ({ authorize: 'https://id.kraken.com/oauth/authorize', token: `${api}/oauth/token` }),
  sandbox: ({ api, browser }) => ({ authorize: `${browser}/oauth/authorize`, token: `${api}/oauth/token` }),
  // oauth-rest.yaml: "the base64-encoding of <client ID>:<client secret>"; public clients have an empty secret.
  clientAuthentication: 'basic_raw',
  scopes: {
    read: scopesOf('read'),
    deposit: scopesOf('deposit'),
    trade: scopesOf('trade'),
    withdrawal: scopesOf('withdrawal'),
  },
  alsoAsked: ['account.info:basic'],
  refreshDays: null,
  credentials: createKey,
  deleteKey,
  identity: readIdentity,
};

/**
 * Kraken: "Returns the email address and IIBAN of the user." For a call with an API key, Kraken documents only the
 * account number (IIBAN).
 */
async function readIdentity({ accessToken }: IssuedTokens, { call }: AuthorizationContext): Promise<AccountIdentity> {
  const response = await call({
    operation: 'oauth userinfo',
    method: 'GET',
    path: '/oauth/userinfo',
    authorization: { bearer: accessToken },
  });
  if (response.status !== 200) throw new Error('the exchange did not return the identity of the user');
  const { email, iban } = userInfo.parse(parseBody(response.body)).result;
  return { fullName: null, email, iban, country: null };
}

async function createKey(tokens: IssuedTokens, context: AuthorizationContext): Promise<NamedKey> {
  const { now, access } = context;
  // Kraken accepts names of 1 to 32 characters. The random part makes the name of each connect different.
  const name = `Causeway ${now.toISOString().slice(0, 10)} ${randomBytes(4).toString('hex')}`;
  const wanted = access.flatMap((kind) => needed[kind]);
  try {
    return { credentials: await makeKey(tokens, context, { name, wanted }), keyName: name };
  } catch (error) {
    // Kraken may have created the key although the call failed, so we delete the key of this name.
    await deleteKey({ name, accessToken: tokens.accessToken }, context).catch(() => undefined);
    throw error;
  }
}

async function makeKey(
  { accessToken }: IssuedTokens,
  { call, egressIps }: AuthorizationContext,
  { name, wanted }: { name: string; wanted: readonly Permission[] },
): Promise<ExchangeCredentials> {
  const response = await call({
    operation: 'oauth fast-api-key',
    method: 'POST',
    path: '/oauth/fast-api-key',
    authorization: { bearer: accessToken },
    json: {
      api_key_name: name,
      nonce_window: NONCE_WINDOW,
      permissions: Object.fromEntries(permissions.map((permission) => [permission, wanted.includes(permission)])),
      ...(egressIps.length === 0 ? {} : { ip_allowlist: egressIps }),
    },
  });
  if (response.status === 403)
    throw new AuthorizationError(
      'insufficient_scope',
      'kraken',
      'the granted scopes do not allow the creation of the key',
    );
  if (response.status !== 200) throw new Error('the exchange did not create the key');
  const { result } = createdKey.parse(parseBody(response.body));
  const missing = wanted.filter((permission) => result.permissions[permission] === false);
  if (missing.length > 0) {
    throw new AuthorizationError(
      'insufficient_scope',
      'kraken',
      `the created key lacks the permissions ${missing.join(' ')}`,
    );
  }
  return { apiKey: new Secret(result.api_key), apiSecret: new Secret(result.secret) };
}

/** Kraken: "Deletes a Fast API key." */
async function deleteKey({ name, accessToken }: MadeKey, { call }: Pick<AuthorizationContext, 'call'>): Promise<void> {
  const { status } = await call({
    operation: 'oauth fast-api-key delete',
    method: 'DELETE',
    path: '/oauth/fast-api-key',
    authorization: { bearer: accessToken },
    json: { api_key_name: name },
  });
  // 404 means that no key has this name.
  if (status !== 200 && status !== 404) throw new Error('the key was not deleted');
}
