import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PreparedResponse } from '#platform/http';
import { keyOf, type Catalogue } from './catalogue.js';
import { chosenBy, EVERYTHING, nameOf, viewOf, type ChosenAssets, type RouteFilter } from './catalogue-view.js';

/** The memory limit of one process for filtered response bodies, for all catalogues together. */
const FILTERED_MAX_BYTES = 33_554_432;

/** The responses for the catalogues in memory. Each is serialized once for each refresh and filter. */
@Injectable()
export class CatalogueResponses {
  private readonly whole = new WeakMap<Catalogue, PreparedResponse>();
  private readonly filtered = new LRUCache<string, PreparedResponse>({
    maxSize: FILTERED_MAX_BYTES,
    sizeCalculation: ({ size }) => size,
  });

  get(catalogue: Catalogue, filter: RouteFilter): PreparedResponse {
    const isWhole = filter.sources === null && filter.destinations === null;
    return isWhole ? this.wholeOf(catalogue) : this.filteredOf(catalogue, filter);
  }

  private wholeOf(catalogue: Catalogue): PreparedResponse {
    let answer = this.whole.get(catalogue);
    if (answer === undefined) {
      answer = prepare(catalogue, EVERYTHING);
      this.whole.set(catalogue, answer);
    }
    return answer;
  }

  private filteredOf(catalogue: Catalogue, filter: RouteFilter): PreparedResponse {
    const chosen = chosenBy(catalogue, filter);
    const key = `${keyOf(catalogue)} ${catalogue.fetchedAt.getTime()} ${nameOf(chosen)}`;
    let answer = this.filtered.get(key);
    if (answer === undefined) {
      answer = prepare(catalogue, chosen);
      this.filtered.set(key, answer);
    }
    return answer;
  }
}

/**
 * Serializes a response. Its ETag changes only with the assets and routes, not when the exchange is merely read again.
 */
function prepare(catalogue: Catalogue, filter: ChosenAssets): PreparedResponse {
  const view = viewOf(catalogue, filter);
  return PreparedResponse.json(view, { ...view, source: null });
}
