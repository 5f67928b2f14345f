import { InvalidConfig, type Config } from '#platform/config';
import { Keyring } from '#platform/crypto';

/**
 * The settings without which neither API nor worker can do anything, or with which they do wrong, checked together so that one start tells of all.
 * @throws InvalidConfig
 */
export function requireSettings(config: Config): void {
  const missing = (['DATABASE_URL', 'API_KEY_PEPPER'] as const)
    .filter((key) => config.values[key] === undefined)
    .map((key) => `${key}: is not set`);
  const { TICKERS_FROM_SANDBOX: isPlayed } = config.values;
  const played = isPlayed && config.isProduction ? ['TICKERS_FROM_SANDBOX: its prices are not real'] : [];
  const problems = [...missing, ...played, ...vaultProblems(config)];
  if (problems.length > 0) throw new InvalidConfig(problems);
}

function vaultProblems(config: Config): string[] {
  try {
    Keyring.fromConfig(config);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
