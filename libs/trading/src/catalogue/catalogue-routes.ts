import { Injectable } from '@nestjs/common';
import type { ProjectMode } from '#exchange';
import { routeIdOf, type Catalogue } from './catalogue.js';
import { ReadCatalogue } from './read-catalogue.js';
import type { Route } from './route.js';

/** The texts by which a caller may name a route. */
interface Names {
  readonly exact: ReadonlyMap<string, Route>;
  /**
   * The routes by their texts in lower case; null = the texts of several routes differ only in upper and lower case.
   */
  readonly folded: ReadonlyMap<string, Route | null>;
}

/** Finds routes in the stored catalogues. */
@Injectable()
export class CatalogueRoutes {
  private readonly named = new WeakMap<Catalogue, Names>();

  constructor(private readonly readCatalogue: ReadCatalogue) {}

  /**
   * Finds the route that an order names.
   * @param text a route id, a route id with `<base>/<quote>` as the pair, or the pair alone; in upper or lower case
   * @returns null when the exchange has no such route
   * @throws CatalogueUnavailable when no catalogue is stored and none can be read
   */
  async find(exchange: string, mode: ProjectMode, text: string): Promise<Route | null> {
    const catalogue = await this.readCatalogue.atOnce({ exchange, mode });
    let names = this.named.get(catalogue);
    if (names === undefined) {
      names = namesOf(catalogue);
      this.named.set(catalogue, names);
    }
    return names.exact.get(text) ?? names.folded.get(text.toLowerCase()) ?? null;
  }
}

function namesOf({ exchange, pairs }: Catalogue): Names {
  const exact = new Map<string, Route>();
  const folded = new Map<string, Route | null>();
  for (const pair of pairs) {
    const route: Route = { routeId: routeIdOf(exchange, pair), exchange, pair };
    const symbol = `${pair.base}/${pair.quote}`;
    for (const name of [route.routeId, `${exchange}:spot:${symbol}`, symbol]) {
      exact.set(name, route);
      const lower = name.toLowerCase();
      folded.set(lower, folded.has(lower) ? null : route);
    }
  }
  return { exact, folded };
}
