import { Audit, Projects } from '#access';
import type { Database } from '#platform/database';
import { Events, Topics } from '#platform/events';
import { HistoryWatchers, Transactions } from '#transaction';
import { Wallets } from '#wallet';
import { CompareWallet } from '../comparing/compare-wallet.js';
import { comparesNoRefusals } from './compares-no-refusals.js';
import { EpochChecks } from '../epoch/epoch-checks.js';
import { RestoredDatabase } from '../epoch/restored-database.js';
import { CompareRefusals } from '../refusals/compare-refusals.js';
import { ReopenWithdrawal } from '../refusals/reopen-withdrawal.js';
import { WithdrawalTime } from '../quote/withdrawal-time.js';
import type { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import { WithdrawalTopics } from '../withdrawals/withdrawal-topics.js';
import { ExchangeHistory } from '../operator/exchange-history.js';
import { OperatorTransitions } from '../operator/operator-transitions.js';
import { UnmatchedRecords } from '../operator/unmatched-records.js';
import { SettleWithdrawal } from '../operator/settle-withdrawal.js';
import type { DatabasePortsParts, Surroundings, WithdrawalPorts } from './memory/use-cases.js';

/**
 * The classes that operators' decisions and restores need. They work only on PostgreSQL, and not on the memory store.
 * Each method runs in one transaction, unless the caller has already begun one.
 */
export interface DatabaseOnlyPorts {
  db: Pick<Database, 'query' | 'transaction'>;
  operatorTransitions: OperatorTransitions;
  unmatchedRecords: UnmatchedRecords;
  restoredDatabase: RestoredDatabase;
  epochChecks: EpochChecks;
  /** Each call counts as one transaction, although it reads before it writes. */
  refusals: Pick<CompareRefusals, 'appeared' | 'compare'>;
}

export function databaseOnlyPorts(
  db: Database,
  { clock, time, config, logger }: Omit<DatabasePortsParts, 'vault'>,
): DatabaseOnlyPorts {
  const wallets = new Wallets(db, clock);
  const events = new Events(db, clock);
  const transactions = new Transactions(db, clock, events);
  const topics = new WithdrawalTopics(db, new Topics(db, clock, config, logger), events, logger);
  const restoredDatabase = new RestoredDatabase(db, clock, time, config, logger);
  const reopening = new ReopenWithdrawal(db, wallets, transactions, topics, restoredDatabase, logger);
  const watchers = new HistoryWatchers();
  return {
    db,
    operatorTransitions: new OperatorTransitions(db, wallets, transactions, topics, restoredDatabase, logger),
    unmatchedRecords: new UnmatchedRecords(db),
    restoredDatabase,
    epochChecks: new EpochChecks(db, wallets, clock, config),
    refusals: new CompareRefusals(db, reopening, new WithdrawalTime(time), config, watchers, logger),
  };
}

/**
 * Returns the use cases of an operator, and those of a worker after a restore.
 * @param real the real database. `Audit` and `Projects` use it, inside the transactions of `ports.db`.
 */
export function databaseOnlyUseCases(
  ports: DatabaseOnlyPorts & Pick<WithdrawalPorts, 'store'>,
  real: Database,
  { sessions, clock, config, logger }: Omit<Surroundings, 'vault'>,
): { settle: SettleWithdrawal; compare: CompareWallet } {
  const db = ports.db as Database;
  const { operatorTransitions, unmatchedRecords, epochChecks } = ports;
  const store = ports.store as WithdrawalStore;
  const history = new ExchangeHistory(db, sessions);
  const audit = new Audit(real, clock);
  const projects = new Projects(real);
  return {
    settle: new SettleWithdrawal(
      db,
      store,
      operatorTransitions,
      unmatchedRecords,
      history,
      projects,
      audit,
      clock,
      logger,
    ),
    compare: new CompareWallet(epochChecks, sessions, comparesNoRefusals, clock, config, logger),
  };
}
