import { isEncryptedOrLocal } from './encrypted-or-local.js';
import { url } from './settings/kinds.js';

/** The registration of this installation as an OAuth client of an exchange. */
export interface OAuthClient {
  readonly id: string;
  /** null = the exchange knows the application as a public client, which has no secret. */
  readonly secret: string | null;
}

const EXCHANGE_URL = /^EXCHANGE_(\w+)_URL$/;
const CHAIN_URL = /^ENRICHMENT_(\w+)_URL$/;
const CLIENT_ID = /^OAUTH_(\w+)_CLIENT_ID$/;
const CLIENT_SECRET = /^OAUTH_(\w+)_CLIENT_SECRET$/;
const PATTERNS = [EXCHANGE_URL, CHAIN_URL, CLIENT_ID, CLIENT_SECRET];

/**
 * Reads the settings whose names contain the id of an exchange or a network. The keys are these ids, in lower case and
 * with `-` for `_`. The code that declares the exchanges and networks refuses unknown ids.
 */
export function readSettingsById(env: NodeJS.ProcessEnv) {
  const withoutSlash = (_key: string, value: string): string => value.replace(/\/$/, '');
  return {
    exchangeUrls: collect(env, EXCHANGE_URL, withoutSlash),
    chainUrls: collect(env, CHAIN_URL, withoutSlash),
    oauthClients: collect(env, CLIENT_ID, (key, id): OAuthClient => ({ id, secret: env[secretOf(key)] ?? null })),
  };
}

/** Lists the invalid settings among those that `readSettingsById` reads. */
export function problemsOfSettingsById(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([key, value = '']) => {
    const problem = PATTERNS.some((pattern) => pattern.test(key)) ? problemOf(key, value, env) : null;
    return problem === null ? [] : [`${key}: ${problem}`];
  });
}

function problemOf(key: string, value: string, env: NodeJS.ProcessEnv): string | null {
  if (key !== key.toUpperCase()) return `must be written as ${key.toUpperCase()}`;
  if (CLIENT_ID.test(key)) return null;
  if (CLIENT_SECRET.test(key)) {
    const idKey = key.replace(/SECRET$/, 'ID');
    return env[idKey] === undefined ? `has no effect without ${idKey}` : null;
  }
  const { error } = url().safeParse(value);
  if (error !== undefined) return error.issues.map(({ message }) => message).join('; ');
  const isRisky = EXCHANGE_URL.test(key) && env['NODE_ENV'] === 'production' && !isEncryptedOrLocal(new URL(value));
  if (!isRisky) return null;
  return 'must begin with https:// in production, because every network on the way could otherwise change deposit addresses and read access tokens';
}

function collect<T>(
  env: NodeJS.ProcessEnv,
  pattern: RegExp,
  read: (key: string, value: string) => T,
): Record<string, T> {
  const found: Record<string, T> = {};
  for (const [key, value] of Object.entries(env)) {
    const name = pattern.exec(key)?.[1];
    if (name !== undefined && value !== undefined) found[name.toLowerCase().replaceAll('_', '-')] = read(key, value);
  }
  return found;
}

function secretOf(idKey: string): string {
  return idKey.replace(/ID$/, 'SECRET');
}
