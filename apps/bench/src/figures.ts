import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Row } from './report.js';

/** The rows of one case, and where they were measured. */
export interface Figures {
  name: string;
  /** Time, machine and commit of the measurement. */
  measured: string;
  rows: Row[];
}

const docs = path.resolve(import.meta.dirname, '../../../../docs');
const BEGIN = '<!-- figures: npm run bench -- --write -->';
const END = '<!-- end of the figures -->';

/** Writes the figures of one case and its plot to `docs/bench`, and all figures there to `docs/performance.md`. */
export function writeFigures(figures: Figures): void {
  const folder = path.join(docs, 'bench');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${figures.name}.json`), `${JSON.stringify(figures, null, 2)}\n`);
  writeFileSync(path.join(folder, `${figures.name}.svg`), plot(figures));
  const all = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Figures);
  const page = path.join(docs, 'performance.md');
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(BEGIN);
  const after = rest.split(END)[1] ?? '\n';
  writeFileSync(page, `${before}${BEGIN}\n\n${all.map(section).join('\n')}\n${END}${after}`);
}

function section({ name, measured, rows }: Figures): string {
  const lines = rows.map(({ what, ours, bare, ratio }) => `| ${what} | ${ours} | ${bare} | ${ratio} |`);
  return [
    `### ${name}`,
    '',
    `${measured}.`,
    '',
    '| | ours | compared with | ratio |',
    '|---|---|---|---|',
    ...lines,
    '',
    `![The ratios of ${name}](bench/${name}.svg)`,
    '',
  ].join('\n');
}

const LABEL_WIDTH = 470;
const BAR_WIDTH = 300;
const LINE_HEIGHT = 22;

/** Draws a bar for the ratio of each row, and a line at 1. */
export function plot({ name, rows }: Figures): string {
  const bars = rows.filter(({ ratio }) => ratio !== '' && Number.isFinite(Number(ratio)));
  const most = Math.max(1, ...bars.map(({ ratio }) => Number(ratio)));
  const scale = BAR_WIDTH / most;
  const height = (bars.length + 1) * LINE_HEIGHT + 8;
  const lines = bars.map(({ what, ratio }, index) => {
    const y = (index + 1) * LINE_HEIGHT;
    return (
      `<text x="${LABEL_WIDTH - 8}" y="${y + 15}" text-anchor="end">${escape(what)}</text>` +
      `<rect x="${LABEL_WIDTH}" y="${y + 3}" width="${(Number(ratio) * scale).toFixed(1)}" height="16" fill="#4078c0"/>` +
      `<text x="${(LABEL_WIDTH + Number(ratio) * scale + 6).toFixed(1)}" y="${y + 15}">${ratio}</text>`
    );
  });
  const one = (LABEL_WIDTH + scale).toFixed(1);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LABEL_WIDTH + BAR_WIDTH + 60}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="white"/>',
    `<text x="8" y="16" font-weight="bold">${escape(name)}: ratio of ours to what it is compared with</text>`,
    ...lines,
    `<line x1="${one}" y1="${LINE_HEIGHT}" x2="${one}" y2="${height - 4}" stroke="#c04040" stroke-dasharray="4 3"/>`,
    '</svg>',
    '',
  ].join('\n');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
