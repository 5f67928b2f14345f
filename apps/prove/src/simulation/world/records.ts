import type { Logger } from '#platform/logging';
import type { Quote } from '#withdrawal';
import { Counts } from '../../counts.js';
import type { FaultKind } from '../scenario/faults.js';
import type { Answer } from './replies.js';

export interface MadeQuote {
  quote: Quote;
  /** The caller's id of the wallet. */
  externalWalletId: string;
  /** The account at the exchange to which the wallet was connected when the quote was made. */
  account: string;
}

/** The alarm about a withdrawal that is in review because its refusal was disproved. */
export const DISPROVED = 'the exchange shows a withdrawal that it has refused; an operator must decide';

/** The observations of one run: at the clients, on the network and in the log. */
export class Records {
  readonly violations: string[] = [];
  readonly counts = new Counts();
  /** The kinds of fault that have affected a call. */
  readonly faults = new Set<FaultKind>();
  readonly quotes: MadeQuote[] = [];
  /** Withdrawals that were unknown for some time. */
  readonly unknown = new Set<string>();
  readonly answers: Answer[] = [];
  /** The logged reason of each withdrawal in review. */
  readonly reviews = new Map<string, string>();
  /** The step in which the database was restored; null = it was not restored. */
  restoredInStep: number | null = null;
  isDatabaseWell = true;
  steps = 0;
  /** For each attempt, by its id, the step in which it began and that in which it was disputed. */
  readonly begun = new Map<string, number>();
  readonly disputed = new Map<string, number>();

  /** Returns a logger that stores the reasons of reviews in `reviews` and drops all other lines. */
  logger(): Logger {
    const silent = (): void => undefined;
    const error = (facts: { withdrawalId?: string; reason?: string }, message?: string): void => {
      const { withdrawalId, reason = message === DISPROVED ? message : undefined } = facts;
      if (withdrawalId !== undefined && reason !== undefined) this.reviews.set(withdrawalId, reason);
    };
    return { info: silent, warn: silent, error } as Pick<Logger, 'info' | 'warn' | 'error'> as Logger;
  }
}
