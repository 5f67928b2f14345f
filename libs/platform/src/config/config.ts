import type { z } from 'zod';
import type { Constants } from './constants.js';
import { InvalidConfig } from './invalid-config.js';
import { schema } from './schema.js';
import { problemsOfSettingsById, readSettingsById, type OAuthClient, type SettingsById } from './settings-by-id.js';
import { applyTestOverrides, type NumberName } from './test-overrides.js';

export type ConfigValues = z.infer<typeof schema>;

/** The validated configuration of this process. It is read once at start and then injected. */
export class Config implements SettingsById {
  readonly exchangeUrls: Readonly<Record<string, string>>;
  readonly chainUrls: Readonly<Record<string, string>>;
  readonly oauthClients: Readonly<Record<string, OAuthClient>>;
  readonly otherNames: readonly string[];

  constructor(
    readonly values: ConfigValues,
    byId: SettingsById,
    /** The constants. Only tests give them other values than those of production. */
    readonly constants: Constants,
  ) {
    this.exchangeUrls = byId.exchangeUrls;
    this.chainUrls = byId.chainUrls;
    this.oauthClients = byId.oauthClients;
    this.otherNames = byId.otherNames;
  }

  /** Returns a copy with the settings in `values` replaced. */
  with(values: Partial<ConfigValues>): Config {
    return new Config({ ...this.values, ...values }, this, this.constants);
  }

  /** Returns a setting or a constant. */
  numberOf(name: NumberName): number {
    return { ...this.constants, ...this.values }[name];
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
  return new Config(values, readSettingsById(given), constants);
}
