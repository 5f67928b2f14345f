import { Injectable } from '@nestjs/common';
import { Config, InvalidConfig } from '#platform/config';
import { SharedRuns } from '#platform/lifecycle';
import { keyOf, type Catalogue, type CatalogueKey } from './catalogue.js';
import { CatalogueStore } from './catalogue-store.js';

/** The catalogues of all exchanges in the memory of this process. */
@Injectable()
export class CurrentCatalogues {
  private readonly catalogues = new Map<string, Catalogue>();
  private readonly runs = new SharedRuns(() => this.read());

  constructor(
    private readonly store: CatalogueStore,
    config: Config,
  ) {
    const { CATALOGUE_REFRESH_SECONDS, CATALOGUE_MAX_AGE_SECONDS } = config.constants;
    if (CATALOGUE_MAX_AGE_SECONDS <= CATALOGUE_REFRESH_SECONDS) {
      throw new InvalidConfig(['CATALOGUE_MAX_AGE_SECONDS: must be above CATALOGUE_REFRESH_SECONDS']);
    }
  }

  /** Returns the catalogue, however old it is; null = this process has none. */
  find(key: CatalogueKey): Catalogue | null {
    return this.catalogues.get(keyOf(key)) ?? null;
  }

  /**
   * Loads the catalogues that have changed in the database. Loads run one after the other, so that an older result
   * never replaces a newer one. Calls during a load share the next load.
   */
  reload(): Promise<void> {
    return this.runs.run();
  }

  private async read(): Promise<void> {
    const changed = await this.store.listOtherThan([...this.catalogues.values()]);
    for (const catalogue of changed) this.catalogues.set(keyOf(catalogue), catalogue);
  }
}
