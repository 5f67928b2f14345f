/** An error that the user can fix, with the help of its message. `main.ts`, a separate bundle, checks its `name`. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
