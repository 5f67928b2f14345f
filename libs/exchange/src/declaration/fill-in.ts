/** The text that `npm run new:exchange` writes where a declaration needs a fact. The contract suite refuses it. */
export const FILL_IN = 'https://fill.in';

/** The placeholder for a fact that `npm run new:exchange` could not write. @throws always */
export function fillIn(what: string): never {
  throw new Error(`fill in: ${what}`);
}
