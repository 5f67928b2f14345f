import type { Config } from '#platform/config';
import type { ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { ProjectMode } from '../port/exchange.port.js';

type Declared = Pick<ExchangeDeclaration, 'spec' | 'liveUrl'>;

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
