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
import { Routes } from '../catalogue/route.js';
import { ForgottenOrders } from './forgotten-orders.js';
import { NextCheck } from '../orders/next-check.js';
import { accepted } from '../orders/repeated-order.js';
import { checkOrder, type PlaceOrderInput } from './order-checks.js';
import { OrderTransitions } from '../orders/order-transitions.js';
import { OrderMetrics } from '../orders/order.metrics.js';
import { notSentRefusal, refusalOf } from '../orders/order-refusal.js';
import { countsAsNone } from '../orders/order-state.js';
import { OrderStore } from '../orders/order-store.js';
import { requireSoundTimes } from './order-times.js';
import { readTime } from '../orders/read-time.js';
import type { Order } from '../orders/order.entity.js';
import { RouteNotFound } from '../orders/order.errors.js';
import { requireTrading, tradingOf } from '../orders/trading-exchanges.js';

/** Attempts of one call when each before provably wrote not one byte. */
const ATTEMPTS_MAX = 5;
/** How often what came back is offered to the database before the sweep is left to find it. */
const RECORD_TRIES = 3;
const RECORD_PAUSE_MS = 200;

/** An order that is written down, and what sends it. */
interface Attempt {
  order: Order;
  time: DatabaseTime;
  trading: TradingCapability;
  prepareAgain: () => PreparedOrder;
}

/**
 * One order, step by step: check, write down the intent (committed), send once, write down what came back. Nothing here
 * sends a second time unless not one byte of the first request was written.
 */
@Injectable()
export class PlaceOrder {
  constructor(
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly routes: Routes,
    private readonly store: OrderStore,
    private readonly transitions: OrderTransitions,
    private readonly forgotten: ForgottenOrders,
    private readonly nextCheck: NextCheck,
    private readonly metrics: OrderMetrics,
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    requireSoundTimes(config.values);
  }

  /**
   * @returns the order that the exchange has, or may have.
   * @throws WalletNotFound, TradingExchangeNotSupported, RouteNotFound, CatalogueUnavailable; TradingProviderError
   *   (`host_clock_differs`) before anything is sent; what `checkOrder`,
   *   `OrderStore.begin` and `WalletSessions.use` throw; OrderRefused when there is no order.
   */
  async execute(project: ProjectContext, input: PlaceOrderInput): Promise<Order> {
    const wallet = await this.wallets.get(project, input.externalWalletId);
    requireTrading(this.config, wallet.exchange);
    // Before anything is checked: a route may be off-line by now, and the order exists all the same.
    const time = await readTime(this.databaseClock);
    const answered = await this.store.findAnswered(wallet, { ...input, asked: textOf(input) }, time.now());
    if (answered !== null) return accepted(answered);
    // Before the session is opened: credentials that are replaced from now on may be those of another account.
    const startedAt = time.now();
    return this.sessions.use(wallet, { autoDelete: false, askedFor: 'trade' }, async (session, credentialVersion) => {
      const facts = { createdAt: startedAt, credentialVersion, connectorVersion: session.connectorVersion };
      const attempt = await this.begin(session, project, wallet, { ...input, time }, facts);
      return accepted('trading' in attempt ? await this.carryOut(attempt) : attempt);
    });
  }

  /** Checks the terms and writes down the intent; an order without an attempt is that of an equal request before. */
  private async begin(
    session: ExchangeSession,
    project: ProjectContext,
    wallet: Wallet,
    input: PlaceOrderInput & { time: DatabaseTime },
    facts: Pick<Order, 'createdAt' | 'credentialVersion' | 'connectorVersion'>,
  ): Promise<Attempt | Order> {
    const trading = tradingOf(session);
    const route = await this.routes.find(wallet.exchange, project.mode, input.routeId);
    if (route === null) throw new RouteNotFound();
    const type = checkOrder(route, input);
    const { side, volume, price, idempotencyKey, time } = input;
    const { exchangeSymbol, base: baseAsset, quote: quoteAsset } = route.pair;
    const clientOrderId = trading.newClientOrderId(await this.store.nameOf(wallet, idempotencyKey, time.now()));
    const prepare = (): PreparedOrder => {
      const submissionDeadline = new Date(time.now().getTime() + this.config.values.ORDER_DEADLINE_SECONDS * 1_000);
      return trading.prepare({ exchangeSymbol, side, type, volume, price, clientOrderId, submissionDeadline });
    };
    const pair = `${baseAsset}/${quoteAsset}`;
    const draft = {
      ...{ routeId: route.routeId, baseAsset, quoteAsset, side, type, volume, price, clientOrderId, ...facts },
      ...prepare(),
      ...{ idempotencyKey, asked: textOf(input) },
      description: { pair, side, type },
      orderText: `${side} ${volume} ${pair} @ ${price === null ? type : `${type} ${price}`}`,
    };
    const { order, isNew } = await this.store.begin(wallet, draft, time);
    return isNew ? { order, time, trading, prepareAgain: prepare } : order;
  }

  private async carryOut(attempt: Attempt): Promise<Order> {
    return (await this.forgotten.find(attempt.trading, attempt.order, attempt.time)) ?? this.submit(attempt);
  }

  private async submit(attempt: Attempt): Promise<Order> {
    for (let attempts = 1; ; attempts++) {
      const outcome = await this.settleKey(attempt, await this.send(attempt));
      if (outcome.kind === 'not_sent' && attempts < ATTEMPTS_MAX && !this.isTooLate(attempt)) {
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
            if (this.isTooLate(attempt)) throw new Error('too late to send within the lease');
            order.sentAt = time.now();
          },
        },
      );
    } catch (error) {
      // A connector never throws here; if one does, whether it had sent is all that counts.
      logFailedWork(this.logger, error, 'place threw', { orderId: order.id });
      return order.sentAt === null
        ? { kind: 'not_sent', reason: 'connector error' }
        : { kind: 'unknown', reason: 'connector error', answer: {} };
    }
  }

  /**
   * Reads with the key that the exchange calls invalid. The order counts as refused when the read is refused for the same
   * reason. Otherwise its outcome stays unknown: an earlier copy of the request may have been executed.
   */
  private async settleKey({ trading, order }: Attempt, outcome: OrderOutcome): Promise<OrderOutcome> {
    if (outcome.kind !== 'unknown' || outcome.isKeyRefused !== true) return outcome;
    const { clientOrderId, createdAt: notBefore } = order;
    const error: unknown = await trading.find({ clientOrderId, notBefore, isProofNeeded: false }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const isInvalid = error instanceof ExchangeError && error.kind === 'credentials_invalid';
    if (!isInvalid) return outcome;
    const { reason: rawCode, answer } = outcome;
    return { kind: 'rejected', code: 'WALLET_INVALID_CREDENTIALS', rawCode, answer };
  }

  /** Whether the answer could come after the order has been given up as unknown. */
  private isTooLate({ order, time }: Attempt): boolean {
    return time.now().getTime() >= order.leaseUntil.getTime() - this.config.values.EXCHANGE_SUBMIT_TIMEOUT_MS;
  }

  /** What is answered: what stands in the row, or, when that cannot be written, what is certain without it. */
  private async conclude({ order, time }: Attempt, outcome: OrderOutcome): Promise<Order> {
    const { exchange } = order;
    this.metrics.ended(exchange, outcome.kind);
    const recorded = await this.record(order, outcome, time);
    if (recorded !== null) {
      // Only a second, signed call makes it certain, and marks the wallet.
      if (outcome.kind === 'rejected' && outcome.code === 'WALLET_INVALID_CREDENTIALS') {
        throw new ExchangeError('credentials_invalid', exchange, 'the order was refused', { rawCode: outcome.rawCode });
      }
      return recorded;
    }
    // Settled meanwhile by somebody else, or by a commit whose answer was lost: then the row knows more than this call.
    const current = await this.store.find(order.id).catch(() => null);
    const isNone = current !== null && countsAsNone(current.state);
    if (current !== null && current.state !== 'placing' && !(isNone && outcome.kind === 'accepted')) return current;
    if (outcome.kind !== 'accepted') return { ...order, state: 'unknown' };
    if (isNone) this.transitions.contradict(order, outcome.exchangeIds);
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

  /** @returns null when the row has moved on, or the database did not take it: the worker finds it at the exchange. */
  private async record(order: Order, outcome: OrderOutcome, time: DatabaseTime): Promise<Order | null> {
    const facts = { orderId: order.id, outcome: outcome.kind };
    for (let tries = 1; tries <= RECORD_TRIES; tries++) {
      try {
        const recorded = await this.write(order, outcome, time.now());
        this.logger.info({ ...facts, recorded: recorded !== null }, 'order placed');
        return recorded;
      } catch (error) {
        logFailedWork(this.logger, error, 'what became of an order was not recorded', { ...facts, tries });
        await this.clock.sleep(RECORD_PAUSE_MS);
      }
    }
    this.logger.warn(facts, 'the worker has to find out what became of an order');
    return null;
  }

  private async write(order: Order, outcome: OrderOutcome, now: Date): Promise<Order | null> {
    switch (outcome.kind) {
      case 'accepted':
        return this.transitions.accepted(order, outcome, await this.nextCheck.after({ ...order, state: 'open' }, now));
      case 'rejected':
        return this.transitions.refused(order, refusalOf(outcome), outcome.answer);
      case 'not_sent':
        return this.transitions.notSent(order, notSentRefusal());
      case 'unknown':
        return this.transitions.unknown(order, { reason: outcome.reason, ...outcome.answer }, now);
    }
  }
}

/** What was asked for, to tell an equal request from another one. */
function textOf({ routeId, side, type, volume, price }: PlaceOrderInput): string {
  return JSON.stringify([routeId, side, type, volume, price]);
}
