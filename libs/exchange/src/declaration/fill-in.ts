/** The text that `npm run new:exchange` writes where a declaration needs a fact. The contract suite refuses it. */
export const FILL_IN = 'https://fill.in';

/** Marks what `npm run new:exchange` could not write. */
export function fillIn(what: string): never {
  throw new Error(`fill in: ${what}`);
}
