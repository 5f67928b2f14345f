/**
 * prove/mutants: removes rules from a copy of the program one by one, and checks that a simulation, the wire proof or a
 * spec catches the mutant.
 *
 * Owns: the list of mutants, and the copies of the program. Never does: change a file of the product. Invariants: a
 * mutant whose text is not found is an error; a spec passes on the unchanged copy before it can catch a mutant.
 */
export { mutatedFiles } from './mutated-files.js';
export { mutants } from './mutants.js';
export { MutableCopy } from './try-mutant.js';
