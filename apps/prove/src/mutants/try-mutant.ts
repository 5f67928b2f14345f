import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { distDir } from '../processes/installation/dist-dir.js';
import type { Mutant } from './mutant.js';
import { mutatedFiles } from './mutated-files.js';
import { runProof } from './run-proof.js';
import { runSpec } from './run-spec.js';

/** The files that the compiled program needs. */
const PROGRAM = ['dist', 'package.json', 'openapi.json'];
/** The files that its specs need, too. */
const SOURCES = ['apps', 'libs', 'clients', 'tsconfig.json', 'jest.config.ts'];

export interface Verdict {
  isCaught: boolean;
  /** Violations with their seeds, or the tests that failed. */
  findings: readonly string[];
  millis: number;
}

/** A copy of the program, from which a proof removes rules. It contains the sources when a spec has to be compiled. */
export class MutableCopy {
  private hasSources = false;
  /** Specs that have passed on the copy without a mutant. */
  private readonly passed = new Set<string>();

  private constructor(
    private readonly original: string,
    private readonly dir: string,
  ) {}

  static make(): MutableCopy {
    const original = path.dirname(distDir);
    const dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'causeway-mutant-')));
    symlinkSync(path.join(original, 'node_modules'), path.join(dir, 'node_modules'));
    const copy = new MutableCopy(original, dir);
    copy.add(PROGRAM);
    return copy;
  }

  private add(names: readonly string[]): void {
    const { original, dir } = this;
    // Nothing reads the source maps.
    const filter = (source: string): boolean => !source.endsWith('.map');
    for (const name of names) cpSync(path.join(original, name), path.join(dir, name), { recursive: true, filter });
  }

  erase(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  /**
   * Removes the mutant's rule, runs the proof, and puts the rule back.
   * @throws Error when the proof could not be run, or when the mutant's spec fails even without the mutant.
   */
  async without(mutant: Mutant): Promise<Verdict> {
    if (mutant.proof === 'tests') {
      if (!this.hasSources) this.add(SOURCES);
      this.hasSources = true;
      await this.requirePassing(mutant.spec);
    }
    const mutated = mutatedFiles(mutant, this.dir);
    const originals = [...mutated.keys()].map((name) => ({ name, text: readFileSync(name, 'utf8') }));
    try {
      for (const [name, text] of mutated) writeFileSync(name, text);
      const began = Date.now();
      const findings = await (mutant.proof === 'tests' ? this.runSpec(mutant.spec) : runProof(this.dir, mutant));
      return { isCaught: findings.length > 0, findings, millis: Date.now() - began };
    } finally {
      for (const { name, text } of originals) writeFileSync(name, text);
    }
  }

  private async requirePassing(spec: string): Promise<void> {
    if (this.passed.has(spec)) return;
    const failed = await this.runSpec(spec);
    if (failed.length > 0) throw new Error(`${spec} fails without any mutant:\n${failed.join('\n')}`);
    this.passed.add(spec);
  }

  private runSpec(spec: string): Promise<string[]> {
    return runSpec(spec, { root: this.dir, cwd: this.original });
  }
}
