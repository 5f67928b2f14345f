import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { Vault } from '#platform/crypto';
import type { Database, DatabaseClock } from '#platform/database';
import { Events, Topics } from '#platform/events';
import type { Logger } from '#platform/logging';
import { Transactions } from '#transaction';
import { Wallets, type WalletSessions } from '#wallet';
import { WalletWrites, type WalletCredentials } from '#wallet/testing';
import { comparesNoRefusals, rechecksNoRefusals } from '../compares-no-refusals.js';
import type { CompareRefusals } from '../../refusals/compare-refusals.js';
import { RecheckRefusals } from '../../refusals/recheck-refusals.js';
import { RestoredDatabase } from '../../epoch/restored-database.js';
import { ExecuteQuote } from '../../execution/execute-quote.js';
import { GetWithdrawal } from '../../execution/get-withdrawal.js';
import { ExecutionLocks } from '../../withdrawals/execution-locks.js';
import { ProveAbsence } from '../../settling/prove-absence.js';
import { ReconcileWithdrawal } from '../../settling/reconcile-withdrawal.js';
import { SubmitWithdrawal } from '../../execution/submit-withdrawal.js';
import { RecordCorrections } from '../../withdrawals/record-corrections.js';
import { WithdrawalTransitions } from '../../withdrawals/withdrawal-transitions.js';
import { WithdrawalStore } from '../../withdrawals/withdrawal-store.js';
import { WithdrawalTime } from '../../quote/withdrawal-time.js';
import { WithdrawalTopics } from '../../withdrawals/withdrawal-topics.js';
import { Quotes } from '../../quote/quotes.js';
import { ChallengeStore } from '../../verification/challenge-store.js';
import { CollectedCodes } from '../../verification/collected-codes.js';
import { VerifyWithdrawal } from '../../verification/verify-withdrawal.js';
import { MemoryChallengeStore, type ChallengePort } from './memory-challenge-store.js';
import { MemoryCredentials } from './memory-wallets.js';
import { MemoryQuotes, MemoryRestored, MemoryStatements, MemoryWallets } from './memory-lookups.js';
import type { MemoryTables } from './memory-tables.js';
import { MemoryWithdrawalTransitions, type TransitionsPort } from './memory-withdrawal-transitions.js';
import { MemoryWithdrawalStore, type StorePort } from './memory-withdrawal-store.js';

/** The access to the database that executing and reconciling need. Each call of a method is one transaction. */
export interface WithdrawalPorts {
  quotes: Pick<Quotes, 'findUsedTag'>;
  wallets: Pick<Wallets, 'get'>;
  credentials: Pick<WalletCredentials, 'target' | 'targetOfVersion'>;
  store: StorePort;
  transitions: TransitionsPort;
  corrections: Pick<RecordCorrections, 'correct'>;
  challenges: ChallengePort;
  statements: Pick<Database, 'read'>;
  restored: Pick<RestoredDatabase, 'isForgotten' | 'mayLackExecution'>;
  /** The database's clock. */
  time: Pick<DatabaseClock, 'read'>;
}

export interface DatabasePortsParts extends Omit<Surroundings, 'sessions'> {
  /** The database's clock. */
  time: DatabaseClock;
}

/** The parts that a process needs besides the database. */
export interface Surroundings {
  sessions: WalletSessions;
  clock: Clock;
  config: Config;
  vault: Vault;
  logger: Logger;
  /** The comparison with refused withdrawals; absent = nothing is compared. */
  refusals?: Pick<CompareRefusals, 'compare'>;
}

export function memoryPorts(
  tables: MemoryTables,
  { clock, time, config }: Pick<DatabasePortsParts, 'clock' | 'time' | 'config'>,
): WithdrawalPorts {
  const transitions = new MemoryWithdrawalTransitions(tables, clock);
  return {
    quotes: new MemoryQuotes(tables),
    wallets: new MemoryWallets(tables),
    credentials: new MemoryCredentials(tables),
    store: new MemoryWithdrawalStore(tables, config, clock),
    transitions,
    corrections: transitions,
    challenges: new MemoryChallengeStore(tables),
    statements: new MemoryStatements(tables),
    restored: new MemoryRestored(),
    time,
  };
}

export function databasePorts(
  db: Database,
  { clock, time, config, vault, logger }: DatabasePortsParts,
): WithdrawalPorts {
  const wallets = new Wallets(db, clock);
  const events = new Events(db, clock);
  const transactions = new Transactions(db, clock, events);
  const restored = new RestoredDatabase(db, clock, time, config, logger);
  const topics = new WithdrawalTopics(db, new Topics(db, clock, config, logger), events, logger);
  const quotes = new Quotes(db);
  const locks = new ExecutionLocks(db, clock);
  return {
    quotes,
    wallets,
    credentials: new WalletWrites({ db, clock, config, vault }).credentials,
    store: new WithdrawalStore(db, config, quotes, wallets, transactions, restored, locks, topics),
    transitions: new WithdrawalTransitions(db, wallets, transactions, topics, restored, logger),
    corrections: new RecordCorrections(db, wallets, transactions, topics, restored, logger),
    challenges: new ChallengeStore(db),
    statements: db,
    restored,
    time,
  };
}

/** Makes the use cases of one process, which work on the database of `ports`. */
export function useCasesOver(
  ports: WithdrawalPorts,
  { sessions, clock, config, vault, logger, refusals }: Surroundings,
): { execute: ExecuteQuote; get: GetWithdrawal; reconcile: ReconcileWithdrawal } {
  const quotes = ports.quotes as Quotes;
  const store = ports.store as WithdrawalStore;
  const transitions = ports.transitions as WithdrawalTransitions;
  const restored = ports.restored as RestoredDatabase;
  const challenges = ports.challenges as ChallengeStore;
  const db = ports.statements as Database;
  const locks = new ExecutionLocks(db, clock);
  const verification = new VerifyWithdrawal(challenges, new CollectedCodes(vault), clock, config);
  const time = new WithdrawalTime(ports.time as DatabaseClock);
  const compared = (refusals ?? comparesNoRefusals) as CompareRefusals;
  const recheck = refusals === undefined ? rechecksNoRefusals : new RecheckRefusals(db, compared, config);
  const submit = new SubmitWithdrawal(store, transitions, recheck, clock, config, logger);
  return {
    execute: new ExecuteQuote(
      quotes,
      sessions,
      store,
      transitions,
      locks,
      verification,
      submit,
      restored,
      time,
      clock,
      config,
    ),
    get: new GetWithdrawal(store, transitions, verification, restored, time, clock, config),
    reconcile: new ReconcileWithdrawal(
      store,
      transitions,
      ports.corrections as RecordCorrections,
      sessions,
      new ProveAbsence(store, config, compared),
      restored,
      time,
      config,
      logger,
    ),
  };
}
