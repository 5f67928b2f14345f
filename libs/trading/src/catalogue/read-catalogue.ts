import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { logFailedWork } from '#platform/errors';
import { CacheExpired, CacheMiss, type CacheDirectives } from '#platform/http';
import { LOGGER, type Logger } from '#platform/logging';
import { ageMs, keyOf, type Catalogue, type CatalogueKey } from './catalogue.js';
import { CatalogueUnavailable } from './catalogue.errors.js';
import { CurrentCatalogues } from './current-catalogues.js';
import { RefreshCatalogue } from './refresh-catalogue.js';

/** A read of a pair list that a request has caused. */
interface Reading {
  readonly beganAt: Date;
  isOver: boolean;
  done: Promise<void>;
}

const ANY_STORED: CacheDirectives = { onlyIfCached: false, noCache: false, maxAgeMs: null };

/**
 * Returns the catalogue of an exchange for a request: the stored catalogue when it is fresh enough, else a new one.
 * When the exchange fails, it returns the stored catalogue, however old that is.
 */
@Injectable()
export class ReadCatalogue {
  private readonly readings = new Map<string, Reading>();

  constructor(
    private readonly current: CurrentCatalogues,
    private readonly refreshCatalogue: RefreshCatalogue,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param cache the age that the caller accepts
   * @throws CatalogueUnavailable; CacheMiss, CacheExpired for `only-if-cached`
   */
  async execute(key: CatalogueKey, cache: CacheDirectives = ANY_STORED): Promise<Catalogue> {
    const stored = this.current.find(key);
    if (stored !== null && this.isFresh(stored, cache)) return stored;
    if (cache.onlyIfCached) throw stored === null ? new CacheMiss() : new CacheExpired();
    await this.refresh(key, stored);
    const found = this.current.find(key);
    if (found === null) throw new CatalogueUnavailable(key.exchange, this.config.constants.CATALOGUE_RETRY_SECONDS);
    return found;
  }

  /**
   * Returns the stored catalogue at any age, for orders, which must not wait for a pair list. When the catalogue is too
   * old, a new list is read in parallel. The caller waits only when no catalogue is stored.
   * @throws CatalogueUnavailable
   */
  async atOnce(key: CatalogueKey): Promise<Catalogue> {
    const stored = this.current.find(key);
    if (stored === null) return this.execute(key);
    if (!this.isFresh(stored, ANY_STORED)) void this.refresh(key, stored);
    return stored;
  }

  private isFresh(stored: Catalogue, { noCache, maxAgeMs }: CacheDirectives): boolean {
    const ownMs = this.config.constants.CATALOGUE_MAX_AGE_SECONDS * 1_000;
    return !noCache && ageMs(stored, this.clock.now()) <= Math.min(ownMs, maxAgeMs ?? ownMs);
  }

  /**
   * Runs one read at a time. The next read may begin CATALOGUE_RETRY_SECONDS after the last one began, or
   * CATALOGUE_FORCED_SECONDS when a catalogue is stored. The pauses limit the load that any caller can cause: a read
   * takes up to half a second of CPU time.
   */
  private async refresh(key: CatalogueKey, stored: Catalogue | null): Promise<void> {
    let reading = this.readings.get(keyOf(key));
    const { CATALOGUE_RETRY_SECONDS, CATALOGUE_FORCED_SECONDS } = this.config.constants;
    const pauseSeconds = stored === null ? CATALOGUE_RETRY_SECONDS : CATALOGUE_FORCED_SECONDS;
    if (reading === undefined || this.mayBeRepeated(reading, pauseSeconds)) {
      reading = this.begin(key);
      this.readings.set(keyOf(key), reading);
    }
    try {
      await reading.done;
    } catch (error) {
      if (stored === null) throw error;
      logFailedWork(this.logger, error, 'a new catalogue was not stored; the last stored catalogue is served', {
        ...key,
      });
    }
  }

  private begin(key: CatalogueKey): Reading {
    const reading: Reading = { beganAt: this.clock.now(), isOver: false, done: Promise.resolve() };
    reading.done = this.refreshCatalogue
      .execute(key)
      .then(() => this.current.reload())
      .finally(() => {
        reading.isOver = true;
      });
    return reading;
  }

  private mayBeRepeated({ beganAt, isOver }: Reading, pauseSeconds: number): boolean {
    const sinceMs = this.clock.now().getTime() - beganAt.getTime();
    return isOver && sinceMs >= pauseSeconds * 1_000;
  }
}
