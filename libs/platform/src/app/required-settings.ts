import { InvalidConfig, type Config } from '#platform/config';
import { Keyring } from '#platform/crypto';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

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
  const problems = [...missing, ...played, ...edgeProblems(config), ...vaultProblems(config)];
  if (problems.length > 0) throw new InvalidConfig(problems);
}

/** Of what faces the internet. */
function edgeProblems({ values, isProduction }: Config): string[] {
  const { PUBLIC_URL, CONNECT_COUNTRY_HEADER, TRUST_PROXY, LISTENERS_MAX, CONNECTIONS_MAX } = values;
  const problems: [boolean, string][] = [
    [
      isProduction && PUBLIC_URL !== undefined && !isPrivateOnTheWay(new URL(PUBLIC_URL)),
      'PUBLIC_URL: has to be https, or every network on the way could take over what people connect',
    ],
    [
      CONNECT_COUNTRY_HEADER !== undefined && !TRUST_PROXY,
      'CONNECT_COUNTRY_HEADER: is read with TRUST_PROXY alone, because every client can send it',
    ],
    [
      LISTENERS_MAX * 2 > CONNECTIONS_MAX,
      'LISTENERS_MAX: may be half of CONNECTIONS_MAX at most, or listeners could keep everybody else out',
    ],
  ];
  return problems.filter(([isThere]) => isThere).map(([, text]) => text);
}

function isPrivateOnTheWay({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

function vaultProblems(config: Config): string[] {
  try {
    Keyring.fromConfig(config);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
