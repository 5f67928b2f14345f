import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PairLists, type ProjectMode } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Notifications } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { Repeats } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { ageMs, type CatalogueKey } from './catalogue.js';
import { CATALOGUES_CHANNEL } from './catalogue-store.js';
import { CurrentCatalogues } from './current-catalogues.js';

const MODES: readonly ProjectMode[] = ['test', 'live'];

/**
 * Keeps the catalogues in memory current: the database says when they change. Whatever may swallow that, they are looked
 * at once in a refresh period as well.
 */
@Injectable()
export class FollowCatalogues implements OnApplicationBootstrap {
  constructor(
    private readonly current: CurrentCatalogues,
    private readonly notifications: Notifications,
    private readonly repeats: Repeats,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    pairLists: PairLists,
    metrics: Metrics,
  ) {
    metrics.gauge(
      {
        name: 'causeway_catalogue_age_seconds',
        help: 'Seconds since the exchange gave the catalogue that this process serves; +Inf = it has none.',
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

  /**
   * Reads before the first request is served: then it is answered from memory even when no exchange can be reached. A
   * database that does not answer at this moment does not keep the process from starting.
   */
  async onApplicationBootstrap(): Promise<void> {
    const reload = async (): Promise<void> => {
      await this.current.reload().catch((error: unknown) => {
        logFailedWork(this.logger, error, 'catalogues not read');
      });
    };
    await reload();
    this.notifications.subscribe({
      channel: CATALOGUES_CHANNEL,
      onMessage: () => void reload(),
      onListening: () => void reload(),
    });
    const everyMs = this.config.values.CATALOGUE_REFRESH_SECONDS * 1_000;
    this.repeats.start('re-reading of catalogues', everyMs, () => this.current.reload());
  }

  private ageSeconds(key: CatalogueKey): number {
    const catalogue = this.current.find(key);
    return catalogue === null ? Infinity : ageMs(catalogue, this.clock.now()) / 1_000;
  }
}
