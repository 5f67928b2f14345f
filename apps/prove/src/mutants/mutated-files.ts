import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './mutant.js';

/**
 * Returns the files that a mutant changes, by their full names, with their changed texts.
 * @param root the folder of the program, which has its sources and `dist`.
 * @throws Error when a text is not found exactly once.
 */
export function mutatedFiles({ name, proof, edits }: Mutant, root: string): Map<string, string> {
  const base = proof === 'tests' ? root : path.join(root, 'dist');
  const texts = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const full = path.join(base, file);
    const [before, after, ...more] = (texts.get(full) ?? readFileSync(full, 'utf8')).split(find);
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`mutant ${name}: its text is not in ${file} exactly once: ${find}`);
    }
    texts.set(full, before + replace + after);
  }
  return texts;
}
