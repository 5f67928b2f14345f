import { Inject, Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import {
  ExchangeError,
  type ExchangeSession,
  type OrderOutcome,
  type PreparedOrder,
  type TradingCapability,
} from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { DatabaseClock, type DatabaseTime } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Wallets, WalletSessions, type Wallet } from '#wallet';
import { CatalogueRoutes } from '../catalogue/catalogue-routes.js';
import { ForgottenOrders } from './forgotten-orders.js';
import { NextCheck } from '../orders/next-check.js';
import { accepted } from '../orders/repeated-order.js';
import { ConfirmRefusal } from './confirm-refusal.js';
import { isTooLittle, readFunds, type OrderFunds } from './order-funds.js';
import { checkOrder, type PlaceOrderInput } from './order-checks.js';
import { RecheckRefused } from './recheck-refused.js';
import { RequireSearch } from './require-search.js';
import { OrderTransitions } from '../orders/order-transitions.js';
import { OrderMetrics } from '../orders/order.metrics.js';
import { notSentRefusal, refusalOf, UNFUNDED } from '../orders/order-refusal.js';
import { OrderStore } from '../orders/order-store.js';
import { nextComparison } from '../orders/order-times.js';
import { requireSoundTimes } from './sound-times.js';
import { readTime } from '../orders/read-time.js';
import type { Order } from '../orders/order.entity.js';
import { RouteNotFound } from '../orders/order.errors.js';
import { TradingExchanges, tradingOf } from '../orders/trading-exchanges.js';

/** Maximum number of attempts of one call. Another attempt follows only when the previous attempt sent no byte. */
const ATTEMPTS_MAX = 5;
/** Maximum number of tries to store the outcome. After them, the sweep finds the outcome at the exchange. */
const RECORD_TRIES = 3;
const RECORD_PAUSE_MS = 200;

/** A request for an order that no earlier call has placed. */
interface OrderRequest {
  project: ProjectContext;
  wallet: Wallet;
  input: PlaceOrderInput;
  time: DatabaseTime;
  startedAt: Date;
}

/** A stored order with everything that is needed to send it. */
interface Attempt {
  order: Order;
  time: DatabaseTime;
  session: ExchangeSession;
  trading: TradingCapability;
  /** What the account held before the order was sent; null = not known. */
  fundsBefore: OrderFunds | null;
  /** Whether the account's free balance is smaller than the order needs. */
  isUnfunded: boolean;
  prepareAgain: () => PreparedOrder;
}

/**
 * Places one order: it checks the request, commits the intent, sends once, confirms a refusal at the account, and
 * stores the outcome. It sends again only when the earlier request did not write a single byte.
 */
@Injectable()
export class PlaceOrder {
  constructor(
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly routes: CatalogueRoutes,
    private readonly store: OrderStore,
    private readonly transitions: OrderTransitions,
    private readonly forgotten: ForgottenOrders,
    private readonly requireSearch: RequireSearch,
    private readonly recheckRefused: RecheckRefused,
    private readonly confirmRefusal: ConfirmRefusal,
    private readonly nextCheck: NextCheck,
    private readonly metrics: OrderMetrics,
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
    private readonly config: Config,
    private readonly tradingExchanges: TradingExchanges,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    requireSoundTimes(config);
  }

  /**
   * @returns the order that the exchange has, or may have
   * @throws WalletNotFound, TradingExchangeNotSupported, RouteNotFound, CatalogueUnavailable
   * @throws TradingProviderError (`host_clock_differs`) before anything is sent
   * @throws OrderRefused when there is no order
   * @throws OrderExistsAfterAll when an equal order exists that was reported as not placed
   * @throws the errors of `checkOrder`, `OrderStore.begin` and `WalletSessions.use`
   */
  async execute(project: ProjectContext, input: PlaceOrderInput): Promise<Order> {
    const wallet = await this.wallets.get(project, input.externalWalletId);
    this.tradingExchanges.require(wallet.exchange);
    // A repeat gets the stored result before any check, because the order may exist although its route is off-line now.
    const time = await readTime(this.databaseClock);
    const answered = await this.store.findAnswered(wallet, { ...input, asked: textOf(input) }, time.now());
    if (answered !== null) return accepted(answered);
    // `startedAt` is read before the session is opened, so that it is earlier than any replacement of the session's
    // credentials.
    const request = { project, wallet, input, time, startedAt: time.now() };
    return this.sessions.use(wallet, { autoDelete: false, askedFor: 'trade' }, async (session, credentialVersion) => {
      const attempt = await this.begin(session, credentialVersion, request);
      return accepted('trading' in attempt ? await this.carryOut(attempt) : attempt);
    });
  }

  /**
   * Checks the request and stores the intent.
   * @returns an `Order` instead of an `Attempt` when an equal earlier request with the same key has placed it
   */
  private async begin(
    session: ExchangeSession,
    credentialVersion: string,
    { project, wallet, input, time, startedAt: createdAt }: OrderRequest,
  ): Promise<Attempt | Order> {
    const trading = tradingOf(session);
    const route = await this.routes.find(wallet.exchange, project.mode, input.routeId);
    if (route === null) throw new RouteNotFound();
    const type = checkOrder(route, input);
    const { side, volume, price, idempotencyKey } = input;
    const { exchangeSymbol, base: baseAsset, quote: quoteAsset } = route.pair;
    const clientOrderId = trading.newClientOrderId(await this.store.nameOf(wallet, idempotencyKey, createdAt));
    const prepare = (): PreparedOrder => {
      const submissionDeadline = new Date(time.now().getTime() + this.config.constants.ORDER_DEADLINE_SECONDS * 1_000);
      return trading.prepare({ exchangeSymbol, side, type, volume, price, clientOrderId, submissionDeadline });
    };
    const sought = { ...prepare(), clientOrderId, notBefore: createdAt };
    await this.requireSearch.execute(trading, credentialVersion, sought).catch(async (error: unknown) => {
      throw await this.forgotten.explain(error, idempotencyKey, time);
    });
    const terms = { routeId: route.routeId, side, type, volume, price };
    await this.recheckRefused.execute(trading, { wallet, terms, credentialVersion, time });
    // The balances are read before `prepare`, because the deadline of the order begins there. With an invalid API key,
    // this call fails before anything is sent.
    const spending = { side, baseAsset, quoteAsset, volume, price };
    const fundsBefore = await readFunds(session, spending);
    const isUnfunded = !trading.isFundsRefusalDefinite && fundsBefore !== null && isTooLittle(fundsBefore, spending);
    await trading.requireSafeKey?.();
    const pair = `${baseAsset}/${quoteAsset}`;
    const draft = {
      ...terms,
      baseAsset,
      quoteAsset,
      clientOrderId,
      createdAt,
      credentialVersion,
      connectorVersion: session.connectorVersion,
      ...prepare(),
      idempotencyKey,
      asked: textOf(input),
      description: { pair, side, type },
      orderText: `${side} ${volume} ${pair} @ ${price === null ? type : `${type} ${price}`}`,
    };
    const { order, isNew } = await this.store.begin(wallet, draft, time);
    return isNew ? { order, time, session, trading, fundsBefore, isUnfunded, prepareAgain: prepare } : order;
  }

  private async carryOut(attempt: Attempt): Promise<Order> {
    return (await this.forgotten.find(attempt.trading, attempt.order, attempt.time)) ?? this.submit(attempt);
  }

  private async submit(attempt: Attempt): Promise<Order> {
    if (attempt.isUnfunded) return this.conclude(attempt, UNFUNDED);
    for (let attempts = 1; ; attempts++) {
      const outcome = await this.send(attempt);
      const isSentAgain = outcome.kind === 'not_sent' && outcome.retryAfterMs === undefined;
      if (isSentAgain && attempts < ATTEMPTS_MAX && !this.isTooLate(attempt)) {
        const again = await this.store.sendAgain(attempt.order, attempt.prepareAgain(), attempt.time.now());
        if (again !== null) {
          attempt.order = again;
          continue;
        }
      }
      return this.conclude(attempt, outcome);
    }
  }

  private async send(attempt: Attempt): Promise<OrderOutcome> {
    const { order, time, trading } = attempt;
    const { request, submissionDeadline } = order;
    try {
      return await trading.place(
        { request, submissionDeadline },
        {
          beforeSend: () => {
            time.requireSteadyHost();
            if (this.isTooLate(attempt)) throw new Error('too late to send before the lease ends');
            order.sentAt = time.now();
          },
        },
      );
    } catch (error) {
      // A connector must not throw here. If it does, the outcome depends only on whether it had sent the request.
      logFailedWork(this.logger, error, 'the connector threw while placing an order', { orderId: order.id });
      return order.sentAt === null
        ? { kind: 'not_sent', reason: 'connector error' }
        : { kind: 'unknown', reason: 'connector error', answer: {} };
    }
  }

  /** Whether the response could arrive after the end of the lease. */
  private isTooLate({ order, time }: Attempt): boolean {
    return time.now().getTime() >= order.leaseUntil.getTime() - this.config.values.EXCHANGE_SUBMIT_TIMEOUT_MS;
  }

  /** Stores the outcome, and reports a refusal only when the account confirms it. */
  private async conclude(attempt: Attempt, sent: OrderOutcome): Promise<Order> {
    const { order, time, trading, session, fundsBefore } = attempt;
    this.metrics.ended(order.exchange, sent.kind);
    if (sent.kind !== 'rejected') return this.end(attempt, sent);
    const evidence = await this.confirmRefusal.execute({ session, trading, order, time, fundsBefore });
    if (evidence.kind === 'confirmed') return this.end(attempt, sent);
    const { rawCode, answer } = sent;
    const reason = `${rawCode}, but ${evidence.kind === 'found' ? 'the exchange has the order' : evidence.reason}`;
    this.logger.warn({ orderId: order.id, reason }, 'the account did not confirm the refusal of an order');
    const doubted = await this.end(attempt, { kind: 'unknown', reason, answer });
    if (evidence.kind === 'doubtful') return doubted;
    const nextCheckAt = await this.nextCheck.after({ ...order, state: 'open' }, evidence.askedAt);
    return this.transitions.read(doubted, evidence.seen, evidence.askedAt, nextCheckAt);
  }

  /**
   * Stores an outcome.
   * @returns the stored order. If the outcome could not be stored, an accepted order is returned as open, and any other
   *   order as unknown.
   */
  private async end({ order, time }: Attempt, outcome: OrderOutcome): Promise<Order> {
    const recorded = await this.record(order, outcome, time);
    if (recorded !== null) {
      // One refusal does not prove that the key is invalid. The thrown error makes `JudgeRefusal` test the key by a
      // second signed call, and flag the wallet if the exchange refuses that call, too.
      if (outcome.kind === 'rejected' && outcome.code === 'WALLET_INVALID_CREDENTIALS') {
        throw new ExchangeError('credentials_invalid', order.exchange, 'the order was refused', {
          rawCode: outcome.rawCode,
        });
      }
      return recorded;
    }
    // The row may already have another state: another process has settled the order, or the response to our commit was
    // lost.
    const current = await this.store.find(order.id).catch(() => null);
    if (current !== null && current.state !== 'placing') return current;
    if (outcome.kind !== 'accepted') return { ...order, state: 'unknown' };
    const { exchangeIds, answer: placeAnswer, description } = outcome;
    return {
      ...order,
      state: 'open',
      status: 'open',
      exchangeIds,
      placeAnswer,
      orderText: description ?? order.orderText,
    };
  }

  /**
   * @returns null when another process has changed the state of the order, or when the database failed. After a failure
   *   the worker finds the order at the exchange later.
   */
  private async record(order: Order, outcome: OrderOutcome, time: DatabaseTime): Promise<Order | null> {
    const facts = { orderId: order.id, outcome: outcome.kind };
    for (let tries = 1; tries <= RECORD_TRIES; tries++) {
      try {
        const recorded = await this.write(order, outcome, time.now());
        this.logger.info({ ...facts, recorded: recorded !== null }, 'order placed');
        return recorded;
      } catch (error) {
        logFailedWork(this.logger, error, 'the outcome of an order was not stored', { ...facts, tries });
        await this.clock.sleep(RECORD_PAUSE_MS);
      }
    }
    this.logger.warn(
      facts,
      'the outcome of an order was not stored; the worker settles it from the records of the exchange',
    );
    return null;
  }

  private async write(order: Order, outcome: OrderOutcome, now: Date): Promise<Order | null> {
    switch (outcome.kind) {
      case 'accepted':
        return this.transitions.accepted(order, outcome, await this.nextCheck.after({ ...order, state: 'open' }, now));
      case 'rejected':
        return this.transitions.refused(order, refusalOf(outcome), {
          answer: outcome.answer,
          nextCheckAt: nextComparison(order, now, this.config),
        });
      case 'not_sent':
        return this.transitions.notSent(order, notSentRefusal(outcome));
      case 'unknown':
        return this.transitions.unknown(order, { reason: outcome.reason, ...outcome.answer }, now);
    }
  }
}

/** Returns route, side, type, volume and price as one text. Two requests are equal if their texts are equal. */
function textOf({ routeId, side, type, volume, price }: PlaceOrderInput): string {
  return JSON.stringify([routeId, side, type, volume, price]);
}
