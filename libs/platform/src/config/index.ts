/**
 * platform/config: the only code that reads the environment variables.
 *
 * Owns: every setting with its default, bounds and meaning. Never does: change after start, log a value.
 * Invariant: a process with an invalid setting does not start, and reports every problem at once.
 */
export { Config, loadConfig, type ConfigValues, type NumberSetting, type OAuthClient } from './config.js';
export { ConfigModule } from './config.module.js';
export { InvalidConfig } from './invalid-config.js';
export { groups as configGroups } from './schema.js';
export { VERSION } from './version.js';
