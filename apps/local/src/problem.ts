/** An error that the user can fix, with the help of its message. `main.ts` is a bundle of its own, so it compares names. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
