import type { Feature, StoreKind } from '../simulation/index.js';

/** A text that is found exactly once in a file of the program, and what stands there instead. */
export interface Edit {
  /** Compiled, below `dist`. */
  file: string;
  find: string;
  replace: string;
}

/** A rule taken out of the program. */
export interface Mutant {
  name: string;
  /** The rule that is gone. */
  removes: string;
  edits: readonly Edit[];
  /** The proof that shows it. */
  proof: 'simulation' | 'wire';
  /** The database of the proof that shows it: SQL is only in the real one. */
  store: StoreKind;
  /** What every run has, where few runs would have it by themselves. */
  with: readonly Feature[];
  /** Seeds that are played to find it: about five times as many as it took. */
  seeds: number;
}

/** Most mutants change one place of one file, and are found in memory. */
type Draft = Pick<Mutant, 'name' | 'removes'> & Partial<Mutant> & { file?: string; find?: string; replace?: string };

export function mutant({ file, find, replace, ...draft }: Draft): Mutant {
  const only = file !== undefined && find !== undefined ? [{ file, find, replace: replace ?? '' }] : [];
  return { edits: only, proof: 'simulation', store: 'memory', with: [], seeds: 2_000, ...draft };
}

const EXECUTION = 'libs/withdrawal/src/execution';
export const files = {
  submit: `${EXECUTION}/submit-withdrawal.js`,
  execute: `${EXECUTION}/execute-quote.js`,
  settlement: `${EXECUTION}/settlement.js`,
  absence: `${EXECUTION}/prove-absence.js`,
  amounts: `${EXECUTION}/withdrawal-amounts.js`,
  store: `${EXECUTION}/withdrawal-store.js`,
  ledger: `${EXECUTION}/withdrawal-ledger.js`,
  restored: 'libs/withdrawal/src/epoch/restored-database.js',
  sessions: 'libs/wallet/src/wallet-sessions.service.js',
  credentials: 'libs/wallet/src/wallet-credentials.service.js',
  wallets: 'libs/wallet/src/wallets.service.js',
  databaseClock: 'libs/platform/src/database/database-clock.js',
  schema: 'libs/platform/src/database/migrations/0001-initial.js',
} as const;
