/**
 * prove/mutants: rules of withdrawals, taken out of the compiled program one by one, to check that the simulation or the
 * wire proof notices.
 *
 * Owns: the list, and the copies that it works on. Never does: change a file of the product. Invariants: a mutant whose
 * text is not found is an error; the untouched copy is good.
 */
export { mutants } from './mutants.js';
export { MutableCopy } from './try-mutant.js';
