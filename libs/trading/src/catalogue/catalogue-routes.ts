import { Injectable } from '@nestjs/common';
import { foldedName, onlyOf, type ProjectMode } from '#exchange';
import { routeIdOf, type Catalogue } from './catalogue.js';
import { ReadCatalogue } from './read-catalogue.js';
import type { Route } from './route.js';

type RoutesByName = ReadonlyMap<string, ReadonlySet<Route>>;

/** The routes by the texts by which a caller may name them, the most exact texts first. */
interface Names {
  readonly ids: RoutesByName;
  readonly exact: RoutesByName;
  readonly folded: RoutesByName;
}

/** Finds routes in the stored catalogues. */
@Injectable()
export class CatalogueRoutes {
  private readonly named = new WeakMap<Catalogue, Names>();

  constructor(private readonly readCatalogue: ReadCatalogue) {}

  /**
   * Finds the route that an order names.
   * @param text a route id, a route id with `<base>/<quote>` as the pair, or the pair alone. Another spelling counts if
   *   it names one route only
   * @returns null when the exchange has no such route
   * @throws ValidationFailed when the text names several routes
   * @throws CatalogueUnavailable when no catalogue is stored and none can be read
   */
  async find(exchange: string, mode: ProjectMode, text: string): Promise<Route | null> {
    const catalogue = await this.readCatalogue.atOnce({ exchange, mode });
    let names = this.named.get(catalogue);
    if (names === undefined) {
      names = namesOf(catalogue);
      this.named.set(catalogue, names);
    }
    return (
      only(names.ids.get(text), text) ??
      only(names.exact.get(text), text) ??
      only(names.folded.get(foldedName(text)), text)
    );
  }
}

function only(routes: ReadonlySet<Route> | undefined, text: string): Route | null {
  const named = [...(routes ?? [])];
  const ids = named.map(({ routeId }) => routeId);
  const id = onlyOf(ids, { field: 'routeId', what: 'routes', text });
  return named.find(({ routeId }) => routeId === id) ?? null;
}

function namesOf({ exchange, pairs }: Catalogue): Names {
  const [ids, exact, folded] = [
    new Map<string, Set<Route>>(),
    new Map<string, Set<Route>>(),
    new Map<string, Set<Route>>(),
  ];
  const add = (names: Map<string, Set<Route>>, name: string, route: Route): void => {
    names.set(name, (names.get(name) ?? new Set()).add(route));
  };
  for (const pair of pairs) {
    const route: Route = { routeId: routeIdOf(exchange, pair), exchange, pair };
    const symbol = `${pair.base}/${pair.quote}`;
    const others = [`${exchange}:spot:${symbol}`, symbol];
    add(ids, route.routeId, route);
    for (const name of others) add(exact, name, route);
    for (const name of [route.routeId, ...others]) add(folded, foldedName(name), route);
  }
  return { ids, exact, folded };
}
