declare global {
  /** Set by jest.config.ts for the projects `short-proof` and `proof`; undefined in all others. */
  var proofExtent: 'short' | 'long' | undefined;
}

/**
 * Chooses how much a proof tries: a short form in `npm test`, the long one in `npm run test:proof`, which CI runs. Both
 * check the same rules.
 */
export function byExtent<T>({ short, long }: { short: T; long: T }): T {
  switch (globalThis.proofExtent) {
    case 'short':
      return short;
    case 'long':
      return long;
    case undefined:
      throw new Error('byExtent works only in a *.proof-spec.ts: jest.config.ts sets no extent for other test files');
  }
}
