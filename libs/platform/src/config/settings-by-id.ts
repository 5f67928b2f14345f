import { isEncryptedOrLocal } from './encrypted-or-local.js';
import { url } from './settings/kinds.js';

/** The registration of this installation as an OAuth client of an exchange. */
export interface OAuthClient {
  readonly id: string;
  /** null = the exchange knows the application as a public client, which has no secret. */
  readonly secret: string | null;
}

/** The settings whose names contain the id of an exchange or a network. The keys are these ids. */
export interface SettingsById {
  /** Base addresses that replace those of real exchanges, from `EXCHANGE_<ID>_URL`; the key is the exchange id. */
  readonly exchangeUrls: Readonly<Record<string, string>>;
  /** Addresses of chain APIs, from `ENRICHMENT_<NETWORK>_URL`; the key is our network id. */
  readonly chainUrls: Readonly<Record<string, string>>;
  /** OAuth clients registered at exchanges, from `OAUTH_<ID>_CLIENT_ID` and `_SECRET`; the key is the exchange id. */
  readonly oauthClients: Readonly<Record<string, OAuthClient>>;
  /** Names of all other variables that begin like these settings. Some belong to other programs. */
  readonly otherNames: readonly string[];
}

// Each pattern also matches names in small letters, so that they are refused instead of ignored.
const EXCHANGE_URL = /^EXCHANGE_(\w+)_URL$/i;
const CHAIN_URL = /^ENRICHMENT_(\w+)_URL$/i;
const CLIENT_ID = /^OAUTH_(\w+)_CLIENT_ID$/i;
const CLIENT_SECRET = /^OAUTH_(\w+)_CLIENT_SECRET$/i;
const PATTERNS = [EXCHANGE_URL, CHAIN_URL, CLIENT_ID, CLIENT_SECRET];

/** The settings begin with a key of this map, and end with one of its words. The id is between them. */
const ENDINGS = { EXCHANGE: ['URL'], ENRICHMENT: ['URL'], OAUTH: ['CLIENT_ID', 'CLIENT_SECRET'] } as const;
const BEGINNING = new RegExp(`^(?:${Object.keys(ENDINGS).join('|')})_`, 'i');

/** Matches what follows a service's name in the variables that Kubernetes sets for it in every container. */
const KUBERNETES_ENDING =
  /^_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/;

/**
 * Reads the settings whose names contain the id of an exchange or a network. The keys are these ids, in lower case and
 * with `-` for `_`. The code that declares the exchanges and networks refuses unknown ids.
 */
export function readSettingsById(env: NodeJS.ProcessEnv): SettingsById {
  const withoutSlash = (_key: string, value: string): string => value.replace(/\/$/, '');
  return {
    exchangeUrls: collect(env, EXCHANGE_URL, withoutSlash),
    chainUrls: collect(env, CHAIN_URL, withoutSlash),
    oauthClients: collect(env, CLIENT_ID, (key, id): OAuthClient => ({ id, secret: env[secretOf(key)] ?? null })),
    otherNames: Object.keys(env).filter((key) => BEGINNING.test(key) && !PATTERNS.some((pattern) => pattern.test(key))),
  };
}

/**
 * Lists the variables that contain one of the ids, but are no setting, such as `EXCHANGE_<ID>_URI`.
 * @param beginning the first word of the settings
 * @param ids the exchanges or networks that can have such a setting
 */
export function misspelledSettings(
  { otherNames }: Pick<SettingsById, 'otherNames'>,
  beginning: keyof typeof ENDINGS,
  ids: readonly string[],
): string[] {
  return ids.flatMap((id) => {
    const start = `${beginning}_${id.toUpperCase().replaceAll('-', '_')}`;
    const settings = ENDINGS[beginning].map((ending) => `${start}_${ending}`);
    return otherNames
      .filter((name) => {
        const upper = name.toUpperCase();
        return upper === start || (upper.startsWith(`${start}_`) && !KUBERNETES_ENDING.test(upper.slice(start.length)));
      })
      .map((name) => `${name}: is not a setting; use ${settings.join(' or ')}`);
  });
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
