import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PairLists, type ProjectMode } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { RowFollower } from '#platform/lifecycle';
import { Metrics } from '#platform/metrics';
import { ageMs, type CatalogueKey } from './catalogue.js';
import { CATALOGUES_CHANNEL } from './catalogue-store.js';
import { CurrentCatalogues } from './current-catalogues.js';

const MODES: readonly ProjectMode[] = ['test', 'live'];

/** Keeps the catalogues in the memory of an API process current, and exports their age as a metric. */
@Injectable()
export class FollowCatalogues implements OnApplicationBootstrap {
  constructor(
    private readonly current: CurrentCatalogues,
    private readonly follower: RowFollower,
    private readonly clock: Clock,
    private readonly config: Config,
    pairLists: PairLists,
    metrics: Metrics,
  ) {
    metrics.gauge(
      {
        name: 'causeway_catalogue_age_seconds',
        help: 'Seconds since the exchange returned the catalogue that this process serves; +Inf = this process has none.',
        labels: ['exchange', 'mode'],
      },
      (gauge) => {
        for (const mode of MODES) {
          for (const exchange of pairLists.exchanges(mode)) {
            gauge.set({ exchange, mode }, this.ageSeconds({ exchange, mode }));
          }
        }
      },
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.follower.follow({
      name: 'catalogues',
      channel: CATALOGUES_CHANNEL,
      everyMs: this.config.constants.CATALOGUE_REFRESH_SECONDS * 1_000,
      reload: () => this.current.reload(),
    });
  }

  private ageSeconds(key: CatalogueKey): number {
    const catalogue = this.current.find(key);
    return catalogue === null ? Infinity : ageMs(catalogue, this.clock.now()) / 1_000;
  }
}
