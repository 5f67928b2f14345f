import type { z } from 'zod';
import { CONSTANTS, type Constants } from './constants.js';
import { InvalidConfig } from './invalid-config.js';
import { schema } from './schema.js';
import { problemsOfSettingsById, readSettingsById, type OAuthClient } from './settings-by-id.js';
import { applyTestOverrides } from './test-overrides.js';

export type ConfigValues = z.infer<typeof schema>;

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

/**
 * Reads the configuration from the environment.
 * @throws InvalidConfig with every missing or malformed setting.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as not set, because compose files and shells pass unset variables that way.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  const issues = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
  const problems = [...issues, ...problemsOfSettingsById(given)];
  if (!parsed.success || problems.length > 0) throw new InvalidConfig(problems);
  const [values, constants] = applyTestOverrides(given, parsed.data);
  const { exchangeUrls, chainUrls, oauthClients } = readSettingsById(given);
  return new Config(values, exchangeUrls, chainUrls, oauthClients, constants);
}
