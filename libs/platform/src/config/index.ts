/**
 * platform/config: the only code that reads the environment variables.
 *
 * Owns: every setting with its default, bounds and meaning, and the constants that tests change. Never does: change
 * after start, log a value. Invariants: a process with an invalid setting does not start, and reports every problem at
 * once; only a process with NODE_ENV=test changes a constant.
 */
export { Config, loadConfig, type ConfigValues } from './config.js';
export { ConfigModule } from './config.module.js';
export { environmentValue } from './environment-value.js';
export { isEncryptedOrLocal } from './encrypted-or-local.js';
export { LOCAL_SETTINGS_FILE, withLocalInstallation } from './local-installation.js';
export { InvalidConfig, requireKnown } from './invalid-config.js';
export { groups as configGroups } from './schema.js';
export { misspelledSettings, type OAuthClient } from './settings-by-id.js';
export { testOverrides, type NumberName, type NumberSetting, type TestOverrides } from './test-overrides.js';
export { VERSION } from './version.js';
