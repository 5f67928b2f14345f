import { Amount } from '#money';
import { InvalidConfig } from '#platform/config';
import { listNetworks, networkById } from '../networks/networks.js';

/** The operator's estimates of withdrawal fees at one exchange, by our asset code and network id: `BTC:bitcoin`. */
export type FeeEstimates = ReadonlyMap<string, Amount>;

/** One entry of the setting WITHDRAWAL_FEE_ESTIMATES. */
interface FeeEstimate {
  readonly exchange: string;
  readonly asset: string;
  readonly network: string;
  readonly fee: string;
}

/** Reads the estimates for one exchange from the setting WITHDRAWAL_FEE_ESTIMATES. */
export function feeEstimatesOf(exchange: string, setting: string): FeeEstimates {
  const estimates = parse(setting).filter((estimate) => estimate.exchange === exchange);
  return new Map(estimates.map(({ asset, network, fee }) => [`${asset}:${network}`, Amount.of(fee)]));
}

/**
 * @param exchanges ids of the exchanges that need estimates
 * @throws InvalidConfig for an estimate without effect. Without its estimate, a withdrawal would not be offered.
 */
export function assertFeeEstimates(setting: string, exchanges: readonly string[]): void {
  const estimates = parse(setting);
  const names = estimates.map(({ exchange, asset, network }) => `${exchange}:${asset}:${network}`);
  const problems = estimates.flatMap(({ exchange, network }, index) => {
    const name = names[index] ?? '';
    if (!exchanges.includes(exchange))
      return [`${name} names no exchange that needs estimates; use ${exchanges.join(', ')}`];
    if (networkById(network) === null) {
      const ids = listNetworks().map(({ id }) => id);
      return [`${name} names an unknown network; use one of ${ids.join(', ')}`];
    }
    return names.indexOf(name) === index ? [] : [`${name} has more than one fee; state one`];
  });
  if (problems.length > 0) throw new InvalidConfig(problems.map((problem) => `WITHDRAWAL_FEE_ESTIMATES: ${problem}`));
}

function parse(setting: string): FeeEstimate[] {
  const entries = setting.split(',').map((entry) => /^([^:]+):([^:]+):(.+)=(.+)$/.exec(entry.trim()));
  return entries.flatMap((entry) => {
    const [, exchange, asset, network, fee] = entry ?? [];
    if (exchange === undefined || asset === undefined || network === undefined || fee === undefined) return [];
    return [{ exchange, asset, network, fee }];
  });
}
