import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { distDir } from '../processes/dist-dir.js';
import type { Mutant } from './mutants.js';

/** What a run of the simulation says of one program. */
export interface Verdict {
  isCaught: boolean;
  /** Violations with their seeds, or why it could not be tried. */
  output: string;
  millis: number;
}

/** A copy of the compiled program, out of which rules can be taken. */
export class MutableCopy {
  private constructor(private readonly dir: string) {}

  static make(): MutableCopy {
    const root = path.dirname(distDir);
    const dir = mkdtempSync(path.join(tmpdir(), 'causeway-mutant-'));
    cpSync(distDir, path.join(dir, 'dist'), { recursive: true });
    for (const name of ['package.json', 'node_modules']) symlinkSync(path.join(root, name), path.join(dir, name));
    return new MutableCopy(dir);
  }

  erase(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** Runs the simulation without the mutant's rule, and puts it back. */
  async without(mutant: Mutant): Promise<Verdict> {
    const file = path.join(this.dir, 'dist', mutant.file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, mutate(text, mutant));
    try {
      return await this.run(mutant);
    } finally {
      writeFileSync(file, text);
    }
  }

  /** Runs the simulation; it ends with the first bad seed. */
  run({ seeds, store }: Pick<Mutant, 'seeds' | 'store'>): Promise<Verdict> {
    const program = path.join(this.dir, 'dist/apps/prove/src/main.js');
    const began = Date.now();
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, '--seeds', String(seeds), '--store', store, '--first']);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.on('error', reject);
      child.on('close', (code) => {
        const bad = output.split('\n').filter((line) => line.includes(' is BAD: '));
        const isKnown = code === 0 ? bad.length === 0 : bad.length > 0;
        if (isKnown) resolve({ isCaught: code !== 0, output: bad.join('\n'), millis: Date.now() - began });
        else reject(new Error(`the simulation ended with ${code}:\n${output.slice(-2_000)}`));
      });
    });
  }
}

function mutate(text: string, { name, edits }: Mutant): string {
  let mutated = text;
  for (const { find, replace } of edits) {
    const [before, after, ...more] = mutated.split(find);
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`mutant ${name}: its text is not there exactly once: ${find}`);
    }
    mutated = before + replace + after;
  }
  return mutated;
}
