import { InvalidConfig, isEncryptedOrLocal, type Config } from '#platform/config';
import { Keyring } from '#platform/crypto';
import { LAST_REQUESTS_MS } from '#platform/lifecycle';
import { MONEY_WAIT_MS } from '#platform/load';

/**
 * Checks the settings that API and worker require, and combinations of settings that are not safe. Reports all problems
 * at once.
 * @throws InvalidConfig
 */
export function requireSettings(config: Config): void {
  const missing = (['DATABASE_URL', 'API_KEY_PEPPER'] as const)
    .filter((key) => config.values[key] === undefined)
    .map((key) => `${key}: is not set`);
  const problems = [
    ...missing,
    ...localProblems(config),
    ...edgeProblems(config),
    ...stopProblems(config),
    ...vaultProblems(config),
  ];
  if (problems.length > 0) throw new InvalidConfig(problems);
}

/** Lists the settings that only a local or test installation may have, when they are set in production. */
function localProblems({ values, isProduction }: Config): string[] {
  const problems: [boolean, string][] = [
    [values.TICKERS_FROM_SANDBOX, 'TICKERS_FROM_SANDBOX: refused in production, because its prices are not real'],
    [values.DEMO_FILE !== undefined, 'DEMO_FILE: refused in production, because everyone could read the credentials'],
    [
      values.WEBHOOK_ALLOW_PRIVATE,
      'WEBHOOK_ALLOW_PRIVATE: refused in production, because everyone who registers an endpoint could reach the network of the worker',
    ],
  ];
  return problems.filter(([isThere]) => isProduction && isThere).map(([, text]) => text);
}

/** Lists invalid combinations of the settings for traffic from the internet. */
function edgeProblems({ values, isProduction }: Config): string[] {
  const { PUBLIC_URL, CONNECT_COUNTRY_HEADER, TRUST_PROXY, TRUST_PROXY_HOPS, LISTENERS_MAX, CONNECTIONS_MAX } = values;
  const problems: [boolean, string][] = [
    [
      isProduction && PUBLIC_URL !== undefined && !isEncryptedOrLocal(new URL(PUBLIC_URL)),
      'PUBLIC_URL: must begin with https:// in production, because every network on the way could otherwise take over connected accounts',
    ],
    [
      CONNECT_COUNTRY_HEADER !== undefined && !TRUST_PROXY,
      'CONNECT_COUNTRY_HEADER: needs TRUST_PROXY, because every client can send this header',
    ],
    [
      TRUST_PROXY_HOPS > 1 && !TRUST_PROXY,
      'TRUST_PROXY_HOPS: has no effect without TRUST_PROXY=true; set both, or neither',
    ],
    [
      LISTENERS_MAX * 2 > CONNECTIONS_MAX,
      'LISTENERS_MAX: must be at most half of CONNECTIONS_MAX, so that other requests find a connection',
    ],
  ];
  return problems.filter(([isThere]) => isThere).map(([, text]) => text);
}

/** Checks that SHUTDOWN_TIMEOUT_MS leaves a stopping process enough time for the executions in progress. */
function stopProblems({ values: { EXECUTE_WAIT_MS, SHUTDOWN_TIMEOUT_MS } }: Config): string[] {
  const longestMs = LAST_REQUESTS_MS + MONEY_WAIT_MS + EXECUTE_WAIT_MS;
  if (SHUTDOWN_TIMEOUT_MS > longestMs) return [];
  return [
    `SHUTDOWN_TIMEOUT_MS: must be above ${longestMs}, so that a stopping process can finish every execution (EXECUTE_WAIT_MS)`,
  ];
}

function vaultProblems(config: Config): string[] {
  try {
    Keyring.fromConfig(config);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
