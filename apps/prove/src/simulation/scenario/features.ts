/**
 * What a run may have beside what every run has, and how often it does. What leaves nobody but an operator to find out is
 * rare here, as it is in life; `--with` makes every run have it.
 */
const rates = {
  /** Something on the way delivers a request twice, to an exchange that books it once. */
  delivered_twice: 0.08,
  /** The same, to an exchange that books both copies. */
  booked_twice: 0.005,
  /** The same, to an exchange that books the first copy and refuses the second one for good. */
  refused_copy: 0.005,
  /** Clients wait until the end of their quotes is near, or over. */
  late_clients: 0.06,
  /** The owner connects other credentials: of the same account, or of another one. */
  replaced_credentials: 0.08,
  /** The owner deletes a wallet, and perhaps connects it again. */
  deleted_wallet: 0.06,
  /** The owner revokes the API key at the exchange. */
  revoked_key: 0.005,
  /** Credentials of a deleted wallet, or replaced ones, are erased while something needs them. */
  erased_credentials: 0.005,
  /** A second wallet of the project is the same account. */
  same_account: 0.02,
  /** The owner pays the same again by hand, soon after some of our withdrawals. */
  repeated_by_hand: 0.01,
  /** The exchange shows records in forms that may be a withdrawal of ours, or in which it is not recognized. */
  unclear_records: 0.01,
  /** The exchange lists no movements, or not for this key. */
  no_movements: 0.02,
  /** The exchange accepts at the last moment, shows it as late as it may, and clocks differ as far as they may. */
  late_acceptance: 0.03,
  /** Some movements are of a kind that the connector does not know. */
  odd_movements: 0.005,
  /** Trades, deposits and other withdrawals change the account all the time. */
  busy_account: 0.7,
  /** The clock of one of our hosts is hours off. */
  host_clock: 0.05,
  /** The times of the exchange's records are minutes or hours off. */
  record_clock: 0.01,
  /** Workers read the history of the wallets beside the withdrawals. */
  history_sync: 0.4,
  /** An operator decides about what is in review. */
  operator: 0.4,
  /** The database is restored to an earlier moment. */
  restored_database: 0.3,
} as const;

export type Feature = keyof typeof rates;
export const allFeatures = Object.keys(rates) as Feature[];

/** Features that are left out unless they are asked for: they show faults of the present code. */
const pending: readonly Feature[] = [];

/** What only PostgreSQL can play: the memory would be a second implementation of a lot of SQL. */
const ofPostgres: readonly Feature[] = ['history_sync', 'operator', 'restored_database'];

export function needsPostgres(features: readonly string[]): boolean {
  return ofPostgres.some((feature) => features.includes(feature));
}

/** @param wanted features that every run has. @param isReal the database is PostgreSQL. */
export function drawFeatures(
  chance: (rate: number) => boolean,
  { wanted, isReal }: { wanted: readonly Feature[]; isReal: boolean },
): ReadonlySet<Feature> {
  const isLeftOut = (feature: Feature): boolean =>
    pending.includes(feature) || (!isReal && ofPostgres.includes(feature));
  const isDrawn = (feature: Feature): boolean => chance(rates[feature]) && !isLeftOut(feature);
  return new Set(allFeatures.filter((feature) => isDrawn(feature) || wanted.includes(feature)));
}
