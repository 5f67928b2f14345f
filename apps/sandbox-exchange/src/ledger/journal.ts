import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Change } from './records.js';

/** Stores every change before a caller sees its effect. */
export interface Journal {
  /** All changes so far, in order. */
  replay(): Change[];
  append(change: Change): void;
  close(): void;
}

/** Stores nothing: the exchange loses its state when it stops. */
export const memoryJournal: Journal = { replay: () => [], append: () => undefined, close: () => undefined };

/**
 * Stores one JSON line per change in a file, before the response goes out. A crash can cut only the last line, whose
 * caller got no response; the next start removes it.
 */
export class FileJournal implements Journal {
  private readonly file: number;

  /** @throws Error when a line other than the last is invalid: the file is not a journal, or was edited */
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
