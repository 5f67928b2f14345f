import { cpus, totalmem } from 'node:os';

/** One line of the table. */
export interface Row {
  what: string;
  ours: string;
  /** What it is compared with, measured in the same run. */
  bare: string;
  /** Ours in relation to it. */
  ratio: string;
}

/** Where the figures come from; without it they say nothing. */
export function machine(): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${first?.model.trim() ?? 'unknown processor'}, ${gigabytes} GB, Node ${process.version}, ${process.platform}`;
}

export function table(rows: readonly Row[]): string {
  const lines = [{ what: '', ours: 'ours', bare: 'compared with', ratio: 'ratio' }, ...rows];
  const widthOf = (column: keyof Row): number => Math.max(...lines.map((line) => line[column].length));
  const widths = { what: widthOf('what'), ours: widthOf('ours'), bare: widthOf('bare'), ratio: widthOf('ratio') };
  const text = ({ what, ours, bare, ratio }: Row): string =>
    [what.padEnd(widths.what), ours.padStart(widths.ours), bare.padStart(widths.bare), ratio.padStart(widths.ratio)]
      .join('  ')
      .trimEnd();
  return lines.map(text).join('\n');
}

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
export const millis = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
export const megabytes = (value: number): string => `${Math.round(value)} MB`;
export const ratio = (ours: number, bare: number): string => (ours / bare).toFixed(2);
