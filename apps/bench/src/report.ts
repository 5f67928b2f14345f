import { cpus, totalmem } from 'node:os';

export interface Row {
  what: string;
  ours: string;
  /** The figure of the comparison, measured in the same run. */
  bare: string;
  /** Our figure divided by the figure of the comparison; empty = there is none. */
  ratio: string;
}

/** The machine of the figures; figures are comparable only on the same machine. */
export function machine(): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${first?.model.trim() ?? 'unknown processor'}, ${gigabytes} GB, Node ${process.version}, ${process.platform}`;
}

export function table(rows: readonly Row[]): string {
  return aligned([
    ['', 'ours', 'compared with', 'ratio'],
    ...rows.map(({ what, ours, bare, ratio }) => [what, ours, bare, ratio]),
  ]);
}

/** Aligns cells in columns: the first column to the left, the others to the right. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widthOf = (column: number): number => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const widths = (lines[0] ?? []).map((_, column) => widthOf(column));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
export const millis = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
export const micros = (milliseconds: number): string => `${(milliseconds * 1_000).toFixed(1)} µs`;
export const megabytes = (value: number): string => `${Math.round(value)} MB`;
const ratio = (ours: number, bare: number): string => (ours / bare).toFixed(2);

/** A row with two figures of the same unit. @param label what the figure of the comparison is */
export function compared(
  what: string,
  unit: (value: number) => string,
  [ours, bare]: readonly [ours: number, bare: number],
  label = '',
): Row {
  return { what, ours: unit(ours), bare: `${label} ${unit(bare)}`.trim(), ratio: ratio(ours, bare) };
}

/** A row without a comparison. */
export const alone = (what: string, ours: string, bare = ''): Row => ({ what, ours, bare, ratio: '' });

export const diskRow = (thing: string, bytes: number): Row =>
  alone(`disk space for each ${thing}, with indexes`, `${(bytes / 1_024).toFixed(1)} KB`);
