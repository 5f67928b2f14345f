import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { distDir } from '../processes/dist-dir.js';
import type { Edit, Mutant } from './mutant.js';

/** The result of a proof of one program. */
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

  /** Runs the proof without the mutant's rule, and puts it back. */
  async without(mutant: Mutant): Promise<Verdict> {
    const names = [...new Set(mutant.edits.map(({ file }) => path.join(this.dir, 'dist', file)))];
    const texts = names.map((name) => readFileSync(name, 'utf8'));
    try {
      for (const edit of mutant.edits) this.edit(edit, mutant.name);
      return await this.run(mutant);
    } finally {
      names.forEach((name, index) => writeFileSync(name, texts[index] ?? ''));
    }
  }

  private edit({ file, find, replace }: Edit, mutant: string): void {
    const name = path.join(this.dir, 'dist', file);
    const [before, after, ...more] = readFileSync(name, 'utf8').split(find);
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`mutant ${mutant}: its text is not in ${file} exactly once: ${find}`);
    }
    writeFileSync(name, before + replace + after);
  }

  /** Runs the proof; it ends with the first bad seed. */
  run({ proof, seeds, store, with: features }: Pick<Mutant, 'proof' | 'seeds' | 'store' | 'with'>): Promise<Verdict> {
    const program = path.join(this.dir, 'dist/apps/prove/src/main.js');
    const began = Date.now();
    return new Promise((resolve, reject) => {
      const extra = features.length === 0 ? [] : ['--with', ...features];
      const plays = proof === 'wire' ? ['--jobs', '1', '--wire'] : ['--seeds'];
      const options = [...plays, String(seeds), '--store', store, '--first', ...extra];
      const child = spawn(process.execPath, [program, ...options]);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.on('error', reject);
      child.on('close', (code) => {
        const bad = output.split('\n').filter((line) => line.includes(' is BAD: '));
        const isKnown = code === 0 ? bad.length === 0 : bad.length > 0;
        if (isKnown) resolve({ isCaught: code !== 0, output: bad.join('\n'), millis: Date.now() - began });
        else reject(new Error(`the proof ended with ${code}:\n${output.slice(-2_000)}`));
      });
    });
  }
}
