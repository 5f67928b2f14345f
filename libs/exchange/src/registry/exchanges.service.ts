import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { assertOutsideTransaction } from '#platform/database';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { assertAddresses, baseUrlOf } from './base-url.js';
import { assertFeeEstimates } from '../client/fee-estimates.js';
import { CallBudgets } from '../transport/call-budget.js';
import { CallMeter } from '../transport/call-meter.js';
import { UnreadableEntries } from '../transport/list-reader.js';
import type { Connector, ExchangeDeclaration } from '../declaration/exchange-declaration.js';
import type { NoticeDeclaration } from '../declaration/notice-declaration.js';
import { ExchangeError } from '../port/exchange-error.js';
import { ExchangeClocks } from './exchange-clocks.js';
import type { ExchangeSpec } from '../port/exchange-spec.js';
import type { ExchangeSession } from '../port/exchange.port.js';
import { estimatedExchangeIds, exchanges, findExchange } from './exchanges.js';
import type { SessionTarget } from '../port/session-target.js';
import { Nonces } from '../nonces/nonces.js';
import { Transport } from '../transport/transport.js';

/** Lists the exchanges and opens sessions with them. */
@Injectable()
export class Exchanges implements OnApplicationShutdown {
  private readonly meter: CallMeter;
  private readonly clocks: ExchangeClocks;
  private readonly unreadable: UnreadableEntries;
  private readonly connectors = new Map<string, Connector>();
  private readonly sessions: LRUCache<string, ExchangeSession>;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    metrics: Metrics,
    private readonly nonces: Nonces,
    private readonly transport: Transport,
    private readonly budgets: CallBudgets,
    @Inject(LOGGER) logger: Logger,
  ) {
    assertAddresses(config);
    const { values, constants } = config;
    assertFeeEstimates(values.WITHDRAWAL_FEE_ESTIMATES, estimatedExchangeIds);
    this.meter = new CallMeter(metrics, logger);
    this.unreadable = new UnreadableEntries(metrics, logger);
    this.clocks = new ExchangeClocks(clock, metrics, logger, values.CLOCK_DIFFERENCE_MAX_MS);
    this.sessions = new LRUCache({
      max: constants.EXCHANGE_SESSIONS_MAX,
      ttl: constants.EXCHANGE_SESSION_SECONDS * 1_000,
      ttlAutopurge: true,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.transport.close();
  }

  /** All exchanges, in the order of the registry. */
  specs(): ExchangeSpec[] {
    return Object.values(exchanges).map(({ spec }) => spec);
  }

  find(id: string): ExchangeSpec | null {
    return findExchange(id)?.spec ?? null;
  }

  /** The webhooks that the exchange sends to us; null = it sends none, or does not exist. */
  findNotices(id: string): NoticeDeclaration | null {
    return findExchange(id)?.notices ?? null;
  }

  /**
   * Opens the session of a credential, or returns the cached one. EXCHANGE_SESSIONS_MAX and EXCHANGE_SESSION_SECONDS
   * limit the cache. Sends nothing to the exchange.
   * @param options.keep false = a new session is not cached.
   * @throws ExchangeError `unavailable` when the exchange does not exist in the project's mode, or when a required
   *   credential is missing.
   */
  open(target: SessionTarget, { keep }: { keep: boolean } = { keep: true }): Promise<ExchangeSession> {
    // What is thrown in here rejects the promise.
    return new Promise((resolve) => {
      resolve(this.sessionOf(target, keep));
    });
  }

  /** Opens a new session, and never a cached one, to check new credentials or to verify a result. */
  openFresh(target: SessionTarget): Promise<ExchangeSession> {
    return new Promise((resolve) => {
      resolve(this.connectorOf(target).open(target.credentials, target.credentialId));
    });
  }

  private sessionOf(target: SessionTarget, keep: boolean): ExchangeSession {
    const id = `${target.exchange} ${target.mode} ${target.credentialId}`;
    const connector = this.connectorOf(target);
    let session = this.sessions.get(id);
    if (session === undefined) {
      session = connector.open(target.credentials, target.credentialId);
      if (keep) this.sessions.set(id, session);
    }
    return session;
  }

  private connectorOf({ exchange: id, mode, credentials }: SessionTarget): Connector {
    assertOutsideTransaction('opening an exchange session');
    const exchange = findExchange(id);
    if (exchange === null) throw new ExchangeError('unavailable', id, 'there is no exchange with this id');
    // An account connected by OAuth may have only a bearer token. It then needs no other credentials.
    const isBearer = exchange.acceptsBearer === true && credentials.apiSecret === undefined;
    const missing = isBearer ? [] : exchange.spec.credentialFields.filter((field) => credentials[field] === undefined);
    if (missing.length > 0) throw new ExchangeError('unavailable', id, `the credentials lack ${missing.join(', ')}`);
    return this.connectorAt(
      exchange,
      baseUrlOf(exchange, { mode, region: credentials.apiRegion?.reveal() }, this.config),
    );
  }

  private connectorAt(exchange: ExchangeDeclaration, baseUrl: string): Connector {
    const id = `${exchange.spec.id} ${baseUrl}`;
    let connector = this.connectors.get(id);
    if (connector === undefined) {
      const { clock, config, meter, budgets, nonces, unreadable } = this;
      const transport = this.clocks.over(this.transport, exchange.spec.id);
      connector = exchange.load(baseUrl, { transport, clock, config, meter, budgets, nonces, unreadable });
      this.connectors.set(id, connector);
    }
    return connector;
  }
}
