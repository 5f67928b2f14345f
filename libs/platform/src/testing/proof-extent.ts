declare global {
  /** Set by jest.config.ts for the projects `short-proof`, `medium-proof` and `proof`; undefined in all others. */
  var proofExtent: 'short' | 'medium' | 'long' | undefined;
}

/**
 * Chooses how much a proof tries: a short form in `npm test`, a medium one in `.ci/run`, and a long one in
 * `npm run test:proof`, which a release needs. All of them check the same rules.
 */
export function byExtent<T>({ short, medium, long }: { short: T; medium: T; long: T }): T {
  switch (globalThis.proofExtent) {
    case 'short':
      return short;
    case 'medium':
      return medium;
    case 'long':
      return long;
    case undefined:
      throw new Error('byExtent works only in a *.proof-spec.ts: jest.config.ts sets no extent for other test files');
  }
}
