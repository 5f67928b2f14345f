import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { mutants, mutatedFiles } from '../src/mutants/index.js';

describe('the list of mutants', () => {
  it('has no name twice', () => {
    const names = mutants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(mutants.map((mutant) => [mutant.name, mutant]))(
    'has for the mutant %s a text that the code contains exactly once, and a spec that exists',
    (_name, mutant) => {
      expect(mutatedFiles(mutant, projectRoot).size).toBeGreaterThan(0);
      if (mutant.proof === 'tests') expect(existsSync(path.join(projectRoot, mutant.spec))).toBe(true);
    },
  );
});
