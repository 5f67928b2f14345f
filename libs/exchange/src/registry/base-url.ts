import { InvalidConfig, misspelledSettings, type Config } from '#platform/config';
import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { ProjectMode } from '../port/exchange.port.js';
import { exchanges } from './exchanges.js';

type Declared = Pick<ExchangeDeclaration, 'spec' | 'liveUrl'>;

/**
 * @throws InvalidConfig when an address (`EXCHANGE_<ID>_URL`) is configured for an exchange without a real address.
 *   Also for a variable that begins like the address of an exchange, but has another ending.
 */
export function assertAddresses(config: Config): void {
  const known = Object.values(exchanges).flatMap(({ spec, liveUrl }) => (liveUrl === undefined ? [] : [spec.id]));
  const unknown = Object.keys(config.exchangeUrls).filter((id) => !known.includes(id));
  const nameOf = (id: string): string => `EXCHANGE_${id.toUpperCase().replaceAll('-', '_')}_URL`;
  const problems = [
    ...unknown.map((id) => `${nameOf(id)}: is only for real exchanges (${known.join(', ')})`),
    ...misspelledSettings(config, 'EXCHANGE', known),
  ];
  if (problems.length > 0) throw new InvalidConfig(problems);
}

/** The base address of an exchange for an account. @throws ExchangeError `unavailable` when there is none */
export function baseUrlOf(
  exchange: Declared,
  { mode, region }: { mode: ProjectMode; region?: string | undefined },
  config: Config,
): string {
  const { id, hasSandbox } = exchange.spec;
  if (mode === 'live') {
    const url = liveUrlOf(exchange, config, region);
    if (url === null) throw new ExchangeError('unavailable', id, 'this exchange exists only in the sandbox');
    return url;
  }
  if (!hasSandbox) throw new ExchangeError('unavailable', id, 'the sandbox exchange does not simulate this exchange');
  const url = config.values.SANDBOX_URL;
  if (url !== undefined) return url.replace(/\/$/, '');
  throw new ExchangeError('unavailable', id, 'SANDBOX_URL is not set, but wallets of test projects need it', {
    reason: 'sandbox_not_configured',
  });
}

/**
 * The address of the real exchange; null = the exchange exists only in the sandbox. An address in the configuration
 * (`exchangeUrls`) replaces the addresses of all regions.
 * @throws ExchangeError `unavailable` when the exchange has no such region. No other region is used instead, because a
 *   key must be sent only to the site that issued it.
 */
export function liveUrlOf({ spec, liveUrl }: Declared, config: Config, region?: string): string | null {
  if (liveUrl === undefined) return null;
  const url = region === undefined ? liveUrl : spec.regions?.find(({ id }) => id === region)?.url;
  if (url === undefined) throw new ExchangeError('unavailable', spec.id, 'the exchange has no region with this id');
  return config.exchangeUrls[spec.id] ?? url;
}
