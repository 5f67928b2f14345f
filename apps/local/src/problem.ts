/** An error that the user can fix; the message says how. The name tells it from defects in both bundles of this app. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
