import { Amount } from '#money';

/** The operator's estimates of withdrawal fees at one exchange, by our asset code and network id: `BTC:bitcoin`. */
export type FeeEstimates = ReadonlyMap<string, Amount>;

/** Reads the estimates for one exchange from the setting WITHDRAWAL_FEE_ESTIMATES. */
export function feeEstimatesOf(exchange: string, setting: string): FeeEstimates {
  const entries = setting.split(',').map((entry) => /^([^:]+):(.+)=(.+)$/.exec(entry.trim()));
  return new Map(
    entries.flatMap((entry) => {
      const [, id, key = '', fee = ''] = entry ?? [];
      return id === exchange ? [[key, Amount.of(fee)] as const] : [];
    }),
  );
}
