import type { LedgerRecord } from '../exchange/account.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Rows } from '../store/simulated-store.js';
import type { MadeQuote } from '../world/records.js';
import type { Answer } from '../world/replies.js';

/** The facts after a run: the exchange's ledger, the service's rows, and the responses. */
export interface Facts {
  scenario: Scenario;
  rows: Rows;
  /** All records of the exchange, of all accounts. */
  ledger: readonly LedgerRecord[];
  quotes: readonly MadeQuote[];
  answers: readonly Answer[];
  /** The logged reason of each withdrawal in review. */
  reviews: ReadonlyMap<string, string>;
  /** Whether every call of the database succeeded. */
  isDatabaseWell: boolean;
  /** The step in which the database was restored; null = it was not restored. */
  restoredInStep: number | null;
  /** False when a process died or the database failed, because log lines may be missing then. */
  isLogComplete: boolean;
}
