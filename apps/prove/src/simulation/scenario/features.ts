/**
 * The features that a run may have, and how often. Features that often need an operator are rare, as in production;
 * `--with` gives a feature to every run.
 */
const rates = {
  /** A network component delivers a request twice, to an exchange that books it once. */
  delivered_twice: 0.08,
  /** A network component delivers a request twice, to an exchange that books both copies. */
  booked_twice: 0.005,
  /**
   * A network component delivers a request twice; the exchange books the first copy and definitely refuses the second.
   */
  refused_copy: 0.005,
  /**
   * The exchange executes some withdrawals and answers with a definite refusal. It shows such a withdrawal late, and an
   * equal deposit may arrive meanwhile.
   */
  executed_refusal: 0.02,
  /** Clients execute near or after the expiry of their quotes. */
  late_clients: 0.06,
  /** The owner replaces the credentials of a wallet by others, of the same account or of another one. */
  replaced_credentials: 0.08,
  /** The owner deletes a wallet, and perhaps connects it again. */
  deleted_wallet: 0.06,
  /** The owner revokes the API key at the exchange. */
  revoked_key: 0.005,
  /** Credentials of a deleted wallet, or replaced ones, are erased while a withdrawal needs them. */
  erased_credentials: 0.005,
  /** A second wallet, of the same or of another project, is connected to the same account. */
  same_account: 0.02,
  /** The owner makes an equal withdrawal by hand soon after some of ours. */
  repeated_by_hand: 0.01,
  /** Some records are only possible matches of a withdrawal, or have a form that the connector does not recognize. */
  unclear_records: 0.01,
  /** The exchange does not list the movements of an account, or refuses them to this key. */
  no_movements: 0.02,
  /** The exchange accepts and shows records as late as allowed, and clocks differ by as much as allowed. */
  late_acceptance: 0.03,
  /** Some movements are of a kind that the connector does not know. */
  odd_movements: 0.005,
  /** Trades, deposits and other withdrawals change the account all the time. */
  busy_account: 0.7,
  /** The clock of one of our hosts is hours off. */
  host_clock: 0.05,
  /** The times of the exchange's records are minutes or hours off. */
  record_clock: 0.01,
  /** Workers also sync the history of the wallets. */
  history_sync: 0.4,
  /** An operator decides about withdrawals in review. */
  operator: 0.4,
  /** The database is restored to an earlier moment. */
  restored_database: 0.3,
  /** Requests have no submission deadline, even if the exchange is `idempotent` (such as Coinbase). */
  no_deadline: 0.1,
  /**
   * The exchange executes some withdrawals, answers with a definite refusal, and shows them later than both looks at
   * the account. The history sync finds them.
   */
  disproved_refusal: 0.1,
} as const;

export type Feature = keyof typeof rates;
export const allFeatures = Object.keys(rates) as Feature[];

/** Features that need PostgreSQL, because a database in memory would have to repeat much of the SQL. */
const ofPostgres: readonly Feature[] = ['disproved_refusal', 'history_sync', 'operator', 'restored_database'];

/**
 * The features that a run with disproved refusals may have. The others add records that look like a refused withdrawal,
 * or credentials with which the withdrawal is not seen again.
 */
const besideDisproved: readonly Feature[] = [
  'disproved_refusal',
  'history_sync',
  'operator',
  'late_clients',
  'busy_account',
  'no_movements',
  'no_deadline',
];

export function needsPostgres(features: readonly string[]): boolean {
  return ofPostgres.some((feature) => features.includes(feature));
}

/** @param wanted features that every run has. @param isReal the database is PostgreSQL. */
export function drawFeatures(
  chance: (rate: number) => boolean,
  { wanted, isReal }: { wanted: readonly Feature[]; isReal: boolean },
): ReadonlySet<Feature> {
  const isLeftOut = (feature: Feature): boolean => !isReal && ofPostgres.includes(feature);
  const isDrawn = (feature: Feature): boolean => chance(rates[feature]) && !isLeftOut(feature);
  const drawn = allFeatures.filter((feature) => isDrawn(feature) || wanted.includes(feature));
  if (!drawn.includes('disproved_refusal')) return new Set(drawn);
  return new Set([...drawn.filter((feature) => besideDisproved.includes(feature)), 'history_sync']);
}
