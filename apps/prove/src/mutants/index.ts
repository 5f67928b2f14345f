/**
 * prove/mutants: rules, taken out of a copy of the program one by one, to check that the simulation, the wire proof or a
 * spec notices.
 *
 * Owns: the list, and the copies that it works on. Never does: change a file of the product. Invariants: a mutant whose
 * text is not found is an error; a spec passes on the untouched copy before it can catch a mutant.
 */
export { mutatedFiles } from './mutated-files.js';
export { mutants } from './mutants.js';
export { MutableCopy } from './try-mutant.js';
