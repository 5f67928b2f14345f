import {
  differencesOf,
  isRemark,
  type CheckedCall,
  type CheckedStep,
  type CheckReport,
  type Difference,
} from '#exchange';
import type { Terminal } from './terminal.js';

/** Writes the report of a check: JSON for programs; for people, one block for each reading method. */
export function writeReport(terminal: Terminal, report: CheckReport): void {
  if (terminal.isJson) return terminal.value(report);
  const { exchange, connector, host, clockDifferenceMs, limitHeaders, steps, remarks } = report;
  terminal.remark(`${exchange} at ${host}, with the connector ${connector}`);
  for (const step of steps) writeStep(terminal, step);
  writeTitle(terminal, 'clock and limits');
  const clock = clockDifferenceMs === null ? 'no response has a date' : `${clockDifferenceMs} ms ahead of the exchange`;
  terminal.remark(`  our clock: ${clock}`);
  for (const [name, value] of Object.entries(limitHeaders)) terminal.remark(`  ${name}: ${value}`);
  const all = differencesOf(report);
  writeDifferences(
    terminal,
    'differences',
    all.filter((difference) => !isRemark(difference)),
  );
  writeDifferences(terminal, 'remarks', all.filter(isRemark));
  for (const remark of remarks) terminal.remark(`  ${remark}`);
}

function writeTitle(terminal: Terminal, title: string): void {
  terminal.remark('');
  terminal.remark(title);
}

function writeStep(terminal: Terminal, { name, made, failure, calls }: CheckedStep): void {
  writeTitle(terminal, name);
  for (const call of calls) writeCall(terminal, call);
  for (const line of made) terminal.remark(`  = ${line}`);
  if (failure !== null) terminal.remark(`  ! ${failure}`);
}

function writeCall(terminal: Terminal, { request, parameters, status, tookMs, differences }: CheckedCall): void {
  const sent = parameters.length === 0 ? '' : ` (${parameters.join(', ')})`;
  terminal.remark(`  > ${request}${sent}: ${status === null ? 'no response' : `HTTP ${status}`}, ${tookMs} ms`);
  for (const difference of differences)
    terminal.remark(`  ${isRemark(difference) ? '~' : '!'} ${describe(difference)}`);
}

function writeDifferences(terminal: Terminal, title: string, differences: readonly Difference[]): void {
  writeTitle(terminal, differences.length === 0 ? `${title}: none` : title);
  for (const difference of differences) terminal.remark(`  ${difference.where}: ${describe(difference)}`);
}

function describe({ kind, detail, count }: Difference): string {
  return `${kind}: ${detail}${count > 1 ? ` (${count} times)` : ''}`;
}
