import type { Counts } from '../../counts.js';
import { summaryOf, type Totals } from '../../play-batches.js';
import { faultKinds } from '../scenario/faults.js';

export function reportOf(totals: Totals, millis: number): string {
  const { counts } = totals;
  return [
    summaryOf(totals, millis),
    `seeds in which a fault affected a call: ${listOf(counts, 'fault')}`,
    `seeds by feature: ${listOf(counts, 'feature')}`,
    ...['a truthful exchange', 'another one'].map((where) => unknownAt(counts, where)),
    `withdrawals by final state: ${listOf(counts, 'end')}`,
    `in review, by reason: ${listOf(counts, 'review')}`,
    `answers: ${listOf(counts, 'answer')}`,
    `failures of the database: ${sum(counts, 'database statement_failed')} statements, ${sum(counts, 'database commit_lost')} ambiguous commits`,
    tableOf(counts),
  ].join('\n');
}

/**
 * Returns a table of the deaths of processes: a line for each step, and a column for each fault that affected a call in
 * the same run.
 */
function tableOf(counts: Counts): string {
  const deaths = counts.under('death');
  const width = Math.max(...deaths.map(([point]) => point.length), ...faultKinds.map((fault) => fault.length));
  const legend = faultKinds.map((fault, index) => `${String(index + 1).padStart(width)}  ${fault}`);
  const columns = faultKinds.map((_, index) => String(index + 1).padStart(6)).join('');
  const lines = deaths.map(([point, times]) => {
    const cells = faultKinds.map((fault) => counts.of(`cell ${point} × ${fault}`));
    return `${point.padStart(width)}${String(times).padStart(7)}${cells.map((n) => (n === 0 ? '.' : String(n)).padStart(6)).join('')}`;
  });
  const cells = deaths.length * faultKinds.length;
  const head = `deaths by place${' '.repeat(Math.max(0, width - 15))}    all${columns}`;
  return [...legend, head, ...lines, `cells visited: ${counts.under('cell').length} of ${cells}`].join('\n');
}

/** Returns a line with the number of unknown outcomes and the share of them that is in review. */
function unknownAt(counts: Counts, where: string): string {
  const kind = `unknown at ${where}, then`;
  const all = sum(counts, kind);
  const reviews = counts.of(`${kind} review`);
  return `unknown outcomes at ${where}: ${all}, in review ${reviews} (${((100 * reviews) / Math.max(1, all)).toFixed(2)} %)`;
}

function listOf(counts: Counts, kind: string): string {
  const parts = counts.under(kind).map(([name, times]) => `${name} ${times}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function sum(counts: Counts, kind: string): number {
  return counts.under(kind).reduce((total, [, times]) => total + times, 0);
}
