import type { ProjectMode, TradedPair } from '#exchange';

/** The form in which catalogues are stored and answered. Raised when either changes. */
export const SCHEMA_VERSION = 1;

/** What can be traded at one exchange, as of its last good list of pairs. */
export interface Catalogue {
  readonly exchange: string;
  readonly mode: ProjectMode;
  /** The call that gave it, without host. */
  readonly api: string;
  /** In the order of their codes; no two have the same. */
  readonly pairs: readonly TradedPair[];
  /** Since when it is this. */
  readonly generatedAt: Date;
  /** When the exchange last said so. */
  readonly fetchedAt: Date;
}

/** Which catalogue: those of test projects come from the sandbox exchange. */
export type CatalogueKey = Readonly<{ exchange: string; mode: ProjectMode }>;

export function keyOf({ exchange, mode }: CatalogueKey): string {
  return `${mode} ${exchange}`;
}

/** Milliseconds since the exchange last said so. */
export function ageMs({ fetchedAt }: Catalogue, now: Date): number {
  return now.getTime() - fetchedAt.getTime();
}

export function routeIdOf(exchange: string, { base, quote }: Pick<TradedPair, 'base' | 'quote'>): string {
  return `${exchange}:spot:${base}-${quote}`;
}
