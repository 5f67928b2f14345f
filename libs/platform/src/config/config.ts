import { z } from 'zod';
import { CONSTANTS, type Constants } from './constants.js';
import { InvalidConfig } from './invalid-config.js';
import { schema } from './schema.js';
import { applyTestOverrides } from './test-overrides.js';

export type ConfigValues = z.infer<typeof schema>;

/** The registration of this installation as an OAuth client of an exchange. */
export interface OAuthClient {
  readonly id: string;
  /** null = the exchange knows the application as a public client, which has no secret. */
  readonly secret: string | null;
}

/** The validated configuration of this process. It is read once at start and then injected. */
export class Config {
  constructor(
    readonly values: ConfigValues,
    /** Base addresses that replace those of real exchanges, from `EXCHANGE_<ID>_URL`; the key is the exchange id. */
    readonly exchangeUrls: Readonly<Record<string, string>> = {},
    /** Addresses of chain APIs, from `ENRICHMENT_<NETWORK>_URL`; the key is our network id. */
    readonly chainUrls: Readonly<Record<string, string>> = {},
    /** OAuth clients registered at exchanges, from `OAUTH_<ID>_CLIENT_ID` and `_SECRET`; the key is the exchange id. */
    readonly oauthClients: Readonly<Record<string, OAuthClient>> = {},
    /** The constants. Only tests give them other values than those of production. */
    readonly constants: Constants = CONSTANTS,
  ) {}

  /** Returns a copy with the settings in `values` replaced. */
  with(values: Partial<ConfigValues>): Config {
    const { exchangeUrls, chainUrls, oauthClients, constants } = this;
    return new Config({ ...this.values, ...values }, exchangeUrls, chainUrls, oauthClients, constants);
  }

  get isProduction(): boolean {
    return this.values.NODE_ENV === 'production';
  }
}

const EXCHANGE_URL_KEY = /^EXCHANGE_([A-Z0-9]+)_URL$/;
const OAUTH_CLIENT_KEY = /^OAUTH_([A-Z0-9]+)_CLIENT_ID$/;
const CHAIN_URL_KEY = /^ENRICHMENT_([A-Z0-9_]+)_URL$/;

/**
 * Reads the configuration from the environment.
 * @throws InvalidConfig with every missing or malformed setting.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as not set, because compose files and shells pass unset variables that way.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new InvalidConfig(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const [values, constants] = applyTestOverrides(given, parsed.data);
  const [exchangeUrls, chainUrls] = [urlsOf(given, EXCHANGE_URL_KEY), urlsOf(given, CHAIN_URL_KEY)];
  return new Config(values, exchangeUrls, chainUrls, oauthClientsOf(given), constants);
}

function oauthClientsOf(env: NodeJS.ProcessEnv): Record<string, OAuthClient> {
  const clients: Record<string, OAuthClient> = {};
  for (const [key, id] of Object.entries(env)) {
    const name = OAUTH_CLIENT_KEY.exec(key)?.[1];
    if (name === undefined || id === undefined) continue;
    clients[name.toLowerCase()] = { id, secret: env[`OAUTH_${name}_CLIENT_SECRET`] ?? null };
  }
  return clients;
}

/** Reads the variables whose names match `pattern`. The key is the captured name in lower case, with `-` for `_`. */
function urlsOf(env: NodeJS.ProcessEnv, pattern: RegExp): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const [key, value] of Object.entries(env)) {
    const name = pattern.exec(key)?.[1];
    if (name === undefined || value === undefined) continue;
    if (!z.url().safeParse(value).success)
      throw new InvalidConfig([`${key}: must be a URL, such as https://api.example.com`]);
    urls[name.toLowerCase().replaceAll('_', '-')] = value.replace(/\/$/, '');
  }
  return urls;
}
