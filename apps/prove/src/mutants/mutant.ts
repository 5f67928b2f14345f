import type { Feature, StoreKind } from '../simulation/index.js';

/** A text that is found exactly once in a file of the program, and its replacement. */
export interface Edit {
  /** A compiled file below `dist`, or a source file for a `TestedMutant`. */
  file: string;
  find: string;
  replace: string;
}

/** A rule taken out of the program. */
interface Removal {
  name: string;
  removes: string;
  edits: readonly Edit[];
}

/** A mutant of the compiled program, for a simulation or the wire proof to catch. */
export interface ProvenMutant extends Removal {
  /** The proof that has to catch the mutant. */
  proof: 'simulation' | 'orders' | 'wire';
  /** The database for the proof; mutants of SQL need PostgreSQL. */
  store: StoreKind;
  /** Features that every run gets, because too few runs would have them by chance. */
  with: readonly Feature[];
  /** Number of seeds to play: about five times as many as were needed to catch the mutant. */
  seeds: number;
}

/** A mutant of the sources that a test in one spec file must catch, because no simulation reaches its rule. */
export interface TestedMutant extends Removal {
  proof: 'tests';
  spec: string;
}

export type Mutant = ProvenMutant | TestedMutant;

/** The members from which a mutant is built. Most mutants change one place of one file. */
type Draft<Kind extends Mutant> = Pick<Kind, 'name' | 'removes'> &
  Partial<Kind> & { file?: string; find?: string; replace?: string };

/** Builds a mutant. By default the simulation on the database in memory must catch it. */
export function mutant({ file, find, replace, ...draft }: Draft<ProvenMutant>): ProvenMutant {
  const edits = editsOf({ file, find, replace });
  return { edits, proof: 'simulation', store: 'memory', with: [], seeds: 2_000, ...draft };
}

export function testedMutant({
  file,
  find,
  replace,
  ...draft
}: Draft<TestedMutant> & Pick<TestedMutant, 'spec'>): TestedMutant {
  return { edits: editsOf({ file, find, replace }), proof: 'tests', ...draft };
}

function editsOf({ file, find, replace = '' }: Partial<Edit>): Edit[] {
  return file !== undefined && find !== undefined ? [{ file, find, replace }] : [];
}

const WITHDRAWAL = 'libs/withdrawal/src';
const TRADING = 'libs/trading/src';
export const files = {
  submit: `${WITHDRAWAL}/execution/submit-withdrawal.js`,
  execute: `${WITHDRAWAL}/execution/execute-quote.js`,
  settlement: `${WITHDRAWAL}/settling/settlement.js`,
  confirmation: `${WITHDRAWAL}/execution/confirm-refusal.js`,
  absence: `${WITHDRAWAL}/settling/prove-absence.js`,
  comparison: `${WITHDRAWAL}/refusals/compare-refusals.js`,
  amounts: `${WITHDRAWAL}/withdrawals/withdrawal-amounts.js`,
  store: `${WITHDRAWAL}/withdrawals/withdrawal-store.js`,
  tag: `${WITHDRAWAL}/withdrawals/withdrawal-tag.js`,
  transitions: `${WITHDRAWAL}/withdrawals/withdrawal-transitions.js`,
  restored: `${WITHDRAWAL}/epoch/restored-database.js`,
  place: `${TRADING}/placement/place-order.js`,
  orderConfirmation: `${TRADING}/placement/confirm-refusal.js`,
  forgotten: `${TRADING}/placement/forgotten-orders.js`,
  readOrder: `${TRADING}/following/read-order.js`,
  orderTimes: `${TRADING}/orders/order-times.js`,
  sessions: 'libs/wallet/src/sessions/wallet-sessions.service.js',
  credentials: 'libs/wallet/src/credentials/wallet-credentials.service.js',
  wallets: 'libs/wallet/src/wallets/wallets.service.js',
  databaseClock: 'libs/platform/src/database/database-clock.js',
  schema: 'libs/platform/src/database/migrations/0001-initial/withdrawals.js',
} as const;
