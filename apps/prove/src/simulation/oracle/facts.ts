import type { LedgerRecord } from '../exchange/account.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Rows } from '../store/simulated-store.js';
import type { MadeQuote } from '../world/records.js';
import type { Answer } from '../world/replies.js';

/** What is known when a run is over: what the exchange has done, what the service believes, and what it has told. */
export interface Facts {
  scenario: Scenario;
  rows: Rows;
  /** Everything that the exchange has booked, in all accounts. */
  ledger: readonly LedgerRecord[];
  quotes: readonly MadeQuote[];
  answers: readonly Answer[];
  /** Why a withdrawal waits for an operator, as the log has it. */
  reviews: ReadonlyMap<string, string>;
  /** No call of the database failed. */
  isDatabaseWell: boolean;
  /** The step in which the database was restored; null = it was not. */
  restoredInStep: number | null;
  /** Somebody died, or the database failed: a log may lack its last words. */
  isLogComplete: boolean;
}
