import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config, requireKnown } from '#platform/config';
import { assertOutsideTransaction } from '#platform/database';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { parseExactly } from '../transport/exact-json.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { ProjectMode } from '../port/exchange.port.js';
import { CallBudgets } from '../transport/call-budget.js';
import { PublicExchanges, type PublicCalls } from '../transport/public-calls.js';
import type { PairList } from '../port/pair-list.js';
import type { PairSource } from '../declaration/pair-source.js';
import { pairSources } from './pair-sources.js';
import { callFactsOf, otherHosts } from './exchanges.js';
import { readPairs } from './read-pairs.js';

/** The value of CATALOGUE_EXCHANGES that disables all real lists. */
const NONE = 'none';

/** Reads the public pair lists of exchanges: one call for all pairs of an exchange, without credentials. */
@Injectable()
export class PairLists implements OnApplicationShutdown {
  private readonly publicExchanges: PublicExchanges;
  private readonly calls = new Map<string, PublicCalls>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    budgets: CallBudgets,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    const withList = pairSources.filter(({ liveUrl }) => liveUrl !== null).map(({ id }) => id);
    requireKnown('CATALOGUE_EXCHANGES', config.values.CATALOGUE_EXCHANGES, [NONE, ...withList]);
    this.publicExchanges = new PublicExchanges(config, budgets, { metrics, logger }, otherHosts);
  }

  /**
   * The exchanges with a pair list. In the mode `test`: those that the sandbox exchange simulates, if SANDBOX_URL is
   * set. In the mode `live`: those of CATALOGUE_EXCHANGES.
   */
  exchanges(mode: ProjectMode): string[] {
    const { SANDBOX_URL, CATALOGUE_EXCHANGES: chosen } = this.config.values;
    const isRead = ({ id, liveUrl, hasSandbox }: PairSource): boolean =>
      mode === 'test'
        ? hasSandbox && SANDBOX_URL !== undefined
        : liveUrl !== null && (chosen.length === 0 || chosen.includes(id));
    return pairSources.filter(isRead).map(({ id }) => id);
  }

  /**
   * Reads the current list of one of `exchanges(mode)`.
   * @throws ExchangeError `unavailable` or `rate_limited`, also when the response is not a list or most of its pairs
   *   are unreadable.
   */
  async read(exchange: string, mode: ProjectMode): Promise<PairList> {
    assertOutsideTransaction(`reading the pairs of ${exchange}`);
    const source = pairSources.find(({ id }) => id === exchange);
    if (source === undefined || !this.exchanges(mode).includes(exchange)) {
      throw new ExchangeError('unavailable', exchange, `this exchange has no pair list (${mode})`);
    }
    return this.callsTo(source, mode).get({
      operation: 'pair_list',
      path: source.path,
      parse: parseExactly,
      read: (response) => {
        const { pairs, unreadable } = readPairs(source, response);
        assertSound(pairs.length, unreadable);
        const api = source.path.split('?')[0] ?? '';
        return { exchange, mode, api, pairs, unreadable, fetchedAt: this.clock.now() };
      },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.publicExchanges.close();
  }

  private callsTo(source: PairSource, mode: ProjectMode): PublicCalls {
    const key = `${source.id} ${mode}`;
    let calls = this.calls.get(key);
    if (calls === undefined) {
      calls = this.publicExchanges.callsTo({
        exchange: source.id,
        baseUrl: this.baseUrlOf(source, mode),
        ...callFactsOf(source.id),
      });
      this.calls.set(key, calls);
    }
    return calls;
  }

  private baseUrlOf({ id, liveUrl }: PairSource, mode: ProjectMode): string {
    if (mode === 'live') return this.publicExchanges.liveUrlOf(id, liveUrl ?? '');
    return (this.config.values.SANDBOX_URL ?? '').replace(/\/$/, '');
  }
}

/** Rejects a list that has changed its format or is incomplete, so that the last good list stays in use. */
function assertSound(sound: number, unreadable: number): void {
  if (sound === 0) throw new Error('the list has no usable pair');
  if (unreadable > sound) throw new Error(`${unreadable} of ${unreadable + sound} pairs cannot be read`);
}
