import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Exchange } from '../exchange.js';
import type { Reply } from '../faults/protocol.js';
import type { OAuthGrant } from '../ledger/oauth-records.js';
import type { ApiKey } from '../ledger/records.js';
import { readBearer } from './bearer.js';
import { fastApiKeyScopes } from './provider.js';
import { UNCACHED } from './token-endpoint.js';

const PREFIX = 'account.fast-api-key:';
const WRITE_SCOPE = `${PREFIX}write`;
const ALLOWLIST_MAX = 100;

const permissionNames = [
  ...['export_data', 'funds_add', 'funds_earn', 'funds_query', 'funds_withdraw', 'ledger_query'],
  ...['trades_close', 'trades_modify', 'trades_query_closed', 'trades_query_open'],
] as const;
const unixTime = z.number().int().min(0).nullish();

const keyInput = z.object({
  api_key_name: z.string().min(1).max(32).optional(),
  ip_allowlist: z.array(z.string().min(1).max(100)).max(ALLOWLIST_MAX).default([]),
  nonce_window: z.number().int().min(0).max(1_000_000_000).nullish(),
  permissions: z.partialRecord(z.enum(permissionNames), z.boolean()).optional(),
  query_from: unixTime,
  query_to: unixTime,
  valid_until: unixTime,
});
type KeyInput = z.infer<typeof keyInput>;

const scopeOf = (permission: string): string => PREFIX + permission.replaceAll('_', '-');

interface KeyRequest {
  token: string | undefined;
  rawBody: string;
}

/** An error in the format of RFC 6750 3; Kraken documents no errors of this endpoint. */
export function refusal(status: number, error: string, description: string): Reply {
  const headers = { 'www-authenticate': `Bearer realm="sandbox exchange", error="${error}"` };
  return { status, body: { error, error_description: description }, headers };
}

/**
 * Creates an ordinary key pair for the account that authorized the application.
 * Source: https://kraken-sandbox.mintlify.app/api-reference/fast-api/create-key. The call "requires
 * account.fast-api-key:write".
 * Two rules are not documented: each permission requires its own scope, and a key ends with its grant.
 */
export function createFastApiKey(exchange: Exchange, request: KeyRequest, now: Date): Reply {
  const read = readRequest(exchange, request, keyInput, now);
  if ('refused' in read) return read.refused;
  const { grant, input } = read;
  const wanted = wantedOf(input, grant);
  const missing = wanted.find((name) => !grant.scopes.includes(scopeOf(name)));
  if (missing !== undefined) return refusal(403, 'insufficient_scope', `${scopeOf(missing)} was not granted`);
  const key = keyOf(input, { grant, wanted }, now);
  exchange.commit({ key });
  return { status: 200, body: { result: describe(key, input, { grant, wanted }) }, headers: UNCACHED };
}

const deleteInput = z.object({ api_key_name: z.string().min(1).max(32) });

/**
 * Deletes a key by its name. The call requires the scope account.fast-api-key:write.
 * Source: https://docs.kraken.com/openapi/oauth-rest.yaml, "Delete Fast API Key". The response for an unknown name is
 * not documented.
 */
export function deleteFastApiKey(exchange: Exchange, request: KeyRequest, now: Date): Reply {
  const read = readRequest(exchange, request, deleteInput, now);
  if ('refused' in read) return read.refused;
  const { grant, input } = read;
  const { api_key_name: name } = input;
  const key = [...exchange.keys.values()].find((one) => one.grantId === grant.id && one.name === name && !one.revoked);
  if (key === undefined) return refusal(404, 'invalid_request', 'the application has no key with this name');
  exchange.commit({ key: { ...key, revoked: true } });
  return { status: 200, body: { result: true }, headers: UNCACHED };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without `permissions` in the request, the key gets all permissions that were granted. */
function wantedOf({ permissions }: KeyInput, { scopes }: OAuthGrant): string[] {
  return permissionNames.filter((name) =>
    permissions === undefined ? scopes.includes(scopeOf(name)) : permissions[name] === true,
  );
}

interface KeyGrant {
  grant: OAuthGrant;
  wanted: string[];
}

function keyOf(
  { api_key_name, ip_allowlist, nonce_window, valid_until }: KeyInput,
  { grant, wanted }: KeyGrant,
  now: Date,
): ApiKey {
  return {
    apiKey: randomBytes(42).toString('base64'),
    apiSecret: randomBytes(64).toString('base64'),
    accountId: grant.accountId,
    grantId: grant.id,
    ipAllowlist: ip_allowlist,
    ...(api_key_name === undefined ? {} : { name: api_key_name }),
    permissions: wanted.flatMap((name) => fastApiKeyScopes[scopeOf(name)] ?? []),
    nonceWindow: nonce_window ?? 0,
    lastNonce: '0',
    revoked: false,
    ...(valid_until === undefined || valid_until === null || valid_until === 0
      ? {}
      : { validUntil: valid_until * 1_000 }),
    createdAt: now.getTime(),
    modifiedAt: now.getTime(),
  };
}

function describe(key: ApiKey, input: KeyInput, { grant, wanted }: KeyGrant): unknown {
  const created = String(Math.floor(key.createdAt / 1_000));
  return {
    id: randomUUID(),
    api_key: key.apiKey,
    secret: key.apiSecret,
    api_key_name: input.api_key_name ?? `${grant.clientId} ${created}`,
    created_time: created,
    modified_time: created,
    last_used: null,
    ip_allowlist: key.ipAllowlist,
    nonce: 0,
    nonce_window: key.nonceWindow,
    oauth_client: grant.clientId,
    permissions: Object.fromEntries(permissionNames.map((name) => [name, wanted.includes(name)])),
    purpose: 'standard',
    query_from: input.query_from ?? 0,
    query_to: input.query_to ?? 0,
    valid_until: input.valid_until ?? 0,
  };
}

/** Returns the grant that allows creating and deleting keys, with the input of the request; or the error response. */
function readRequest<Input>(
  exchange: Exchange,
  { token, rawBody }: KeyRequest,
  schema: z.ZodType<Input>,
  now: Date,
): { grant: OAuthGrant; input: Input } | { refused: Reply } {
  const bearer = readBearer(exchange, { token, provider: 'kraken' }, now);
  if ('problem' in bearer) return { refused: refusal(401, 'invalid_token', `the access token is ${bearer.problem}`) };
  const { grant } = bearer;
  if (!grant.scopes.includes(WRITE_SCOPE)) {
    return { refused: refusal(403, 'insufficient_scope', `${WRITE_SCOPE} is needed`) };
  }
  const { success, data: input, error } = schema.safeParse(jsonOf(rawBody));
  return success ? { grant, input } : { refused: refusal(400, 'invalid_request', z.prettifyError(error)) };
}
