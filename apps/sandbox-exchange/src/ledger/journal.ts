import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Change } from './records.js';

/** Where changes are kept before anybody is told of them. */
export interface Journal {
  /** Every change so far, in order. */
  replay(): Change[];
  append(change: Change): void;
  close(): void;
}

/** Keeps nothing: the exchange forgets all when it ends. */
export const memoryJournal: Journal = {
  replay: () => [],
  append: () => undefined,
  close: () => undefined,
};

/**
 * One JSON line per change in a file, written before the answer goes out. A crash can tear only the last line, whose
 * caller got no answer: it is cut off at the next start.
 */
export class FileJournal implements Journal {
  private readonly file: number;

  /** @throws Error when a line other than the last cannot be read: then the file is not ours, or was edited */
  constructor(private readonly path: string) {
    mkdirSync(dirname(path), { recursive: true });
    const existing = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const end = existing.lastIndexOf('\n') + 1;
    this.lines = existing.slice(0, end).split('\n').filter(Boolean);
    this.file = openSync(path, 'a', 0o600);
    if (Buffer.byteLength(existing) > Buffer.byteLength(existing.slice(0, end))) {
      ftruncateSync(this.file, Buffer.byteLength(existing.slice(0, end)));
    }
  }

  private lines: string[];

  replay(): Change[] {
    const changes = this.lines.map((line, index) => this.parse(line, index + 1));
    this.lines = [];
    return changes;
  }

  append(change: Change): void {
    const line = Buffer.from(`${JSON.stringify(change)}\n`);
    for (let written = 0; written < line.length;) written += writeSync(this.file, line, written);
  }

  close(): void {
    fsyncSync(this.file);
    closeSync(this.file);
  }

  private parse(line: string, number: number): Change {
    try {
      return JSON.parse(line) as Change;
    } catch {
      throw new Error(`${this.path}: line ${number} is not a change of the ledger`);
    }
  }
}
