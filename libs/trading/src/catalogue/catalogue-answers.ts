import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '#platform/config';
import { PreparedAnswer } from '#platform/http';
import { keyOf, type Catalogue } from './catalogue.js';
import { EVERYTHING, nameOf, viewOf, type RouteFilter } from './catalogue-view.js';

/** What callers get of the catalogues in memory: serialized once for each refresh and filter. */
@Injectable()
export class CatalogueAnswers {
  private readonly whole = new WeakMap<Catalogue, PreparedAnswer>();
  private readonly filtered: LRUCache<string, PreparedAnswer>;

  constructor(config: Config) {
    this.filtered = new LRUCache({
      maxSize: config.values.CATALOGUE_FILTERS_MAX_BYTES,
      sizeCalculation: ({ size }) => size,
    });
  }

  get(catalogue: Catalogue, filter: RouteFilter): PreparedAnswer {
    const isWhole = filter.sources === null && filter.destinations === null;
    return isWhole ? this.wholeOf(catalogue) : this.filteredOf(catalogue, filter);
  }

  private wholeOf(catalogue: Catalogue): PreparedAnswer {
    let answer = this.whole.get(catalogue);
    if (answer === undefined) {
      answer = prepare(catalogue, EVERYTHING);
      this.whole.set(catalogue, answer);
    }
    return answer;
  }

  private filteredOf(catalogue: Catalogue, filter: RouteFilter): PreparedAnswer {
    const key = `${keyOf(catalogue)} ${catalogue.fetchedAt.getTime()} ${nameOf(catalogue, filter)}`;
    let answer = this.filtered.get(key);
    if (answer === undefined) {
      answer = prepare(catalogue, filter);
      this.filtered.set(key, answer);
    }
    return answer;
  }
}

/** The tag stays while the catalogue says the same, however often the exchange confirms it. */
function prepare(catalogue: Catalogue, filter: RouteFilter): PreparedAnswer {
  const view = viewOf(catalogue, filter);
  return PreparedAnswer.json(view, { ...view, source: null });
}
