import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { styleText } from 'node:util';

type Colour = 'cyan' | 'magenta' | 'yellow' | 'green';
const COLOURS: readonly Colour[] = ['cyan', 'magenta', 'yellow', 'green'];
const NAME_WIDTH = 9;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints the output lines of a process, each with the name of the process in front. */
export function printLines(stream: Readable, name: string, index: number): void {
  const label = paint(COLOURS[index % COLOURS.length] ?? 'cyan', name.padEnd(NAME_WIDTH));
  createInterface({ input: stream }).on('line', (line) => say(`${label} ${line}`));
}

export function bold(text: string): string {
  return paint('bold', text);
}

function paint(format: Colour | 'bold', text: string): string {
  return process.stdout.isTTY && process.env.NO_COLOR === undefined ? styleText(format, text) : text;
}
