import path from 'node:path';
import { Amount } from '#money';
import { ChildProgram } from '#platform/child-program';
import type { AskedQuote } from './clients.js';
import type { LedgerRecord } from './installation/exchange-control.js';
import { distDir } from './installation/dist-dir.js';
import type { Row } from './rows.js';

/** The facts that an operator finds about the withdrawals of a schedule. */
export interface Findings {
  rows: readonly Row[];
  quotes: readonly AskedQuote[];
  ledger: readonly LedgerRecord[];
}

/** A decision about a withdrawal in review. */
export interface Decision {
  withdrawalId: string;
  /** The record of the exchange that the operator attributes to the withdrawal; null = no money has left. */
  record: LedgerRecord | null;
  /** The ids at the exchange of the records that look like this withdrawal but belong to other withdrawals. */
  unrelated: string[];
}

/**
 * Decides each withdrawal in review: links it to a record of the exchange that fits it and that is linked to no other
 * withdrawal. Without such a record, the decision is that no money has left.
 */
export function decide({ rows, quotes, ledger }: Findings): Decision[] {
  const taken = new Set(rows.map(({ exchangeId }) => exchangeId));
  return rows
    .filter(({ state }) => state === 'review')
    .map((row) => {
      const quote = quotes.find(({ id }) => id === row.quoteId);
      const fitting = ledger.filter((record) => quote !== undefined && fits(record, quote));
      const record = fitting.find(({ refid }) => !taken.has(refid)) ?? null;
      if (record !== null) taken.add(record.refid);
      const unrelated = fitting.filter((other) => other !== record).map(({ refid }) => refid);
      return { withdrawalId: row.id, record, unrelated };
    });
}

function fits(record: LedgerRecord, { address, amountNoFee }: AskedQuote): boolean {
  return record.address === address && Amount.of(record.amount).equals(Amount.of(amountNoFee));
}

/** Whether the withdrawal has the final state that follows from the decision. */
export function hasItsEnd({ state }: Row, { record }: Decision): boolean {
  const hasLeft = record !== null && record.status !== 'Failure';
  return state === (hasLeft ? 'completed' : 'failed');
}

/**
 * Records a decision with the program for operators.
 * @returns the output of the program when it refuses the decision; null = it accepts the decision.
 */
export async function settleByHand(decision: Decision, env: Readonly<Record<string, string>>): Promise<string | null> {
  const args = ['withdrawals', 'settle', decision.withdrawalId, '--by', 'operator', ...argumentsOf(decision)];
  const program = new ChildProgram({ file: path.join(distDir, 'apps/cli/src/main.js'), args, env });
  const exitCode = await program.exitCode();
  if (exitCode === 0) return null;
  return `an operator could not settle withdrawal ${decision.withdrawalId}: ${program.stderr}${program.stdout}`;
}

function argumentsOf({ record, unrelated }: Decision): string[] {
  if (record !== null) return ['--outcome', 'submitted', '--exchange-id', record.refid];
  const others = unrelated.length === 0 ? [] : ['--unrelated', unrelated.join(',')];
  const reason = 'the ledger of the exchange has no record of the withdrawal';
  return ['--outcome', 'failed', '--reason', reason, '--confirm-not-executed', ...others];
}
