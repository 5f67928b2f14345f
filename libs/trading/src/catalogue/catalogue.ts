import type { ProjectMode, TradedPair } from '#exchange';

/** Version of the format in which catalogues are stored and returned. Raise it when one of these formats changes. */
export const SCHEMA_VERSION = 1;

/** Everything that can be traded at one exchange, read from the last valid pair list of the exchange. */
export interface Catalogue {
  readonly exchange: string;
  readonly mode: ProjectMode;
  /** The call that returned the list, without host. */
  readonly api: string;
  /** Sorted by base and quote asset; no two pairs have the same two assets. */
  readonly pairs: readonly TradedPair[];
  /** When the content last changed. */
  readonly generatedAt: Date;
  /** When the exchange last returned this content. */
  readonly fetchedAt: Date;
}

/** Identifies a catalogue. Catalogues of test projects come from the sandbox exchange. */
export type CatalogueKey = Readonly<{ exchange: string; mode: ProjectMode }>;

export function keyOf({ exchange, mode }: CatalogueKey): string {
  return `${mode} ${exchange}`;
}

/** Milliseconds since the exchange last returned the catalogue. */
export function ageMs({ fetchedAt }: Catalogue, now: Date): number {
  return now.getTime() - fetchedAt.getTime();
}

export function routeIdOf(exchange: string, { base, quote }: Pick<TradedPair, 'base' | 'quote'>): string {
  return `${exchange}:spot:${base}-${quote}`;
}
