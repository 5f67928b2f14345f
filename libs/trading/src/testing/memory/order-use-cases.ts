import type { Audit, Projects } from '#access';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { DatabaseClock } from '#platform/database';
import type { Logger } from '#platform/logging';
import type { Wallets, WalletSessions } from '#wallet';
import type { CatalogueRoutes } from '../../catalogue/catalogue-routes.js';
import { GetOrder } from '../../following/get-order.js';
import { ReadOrder } from '../../following/read-order.js';
import { SettleOrder } from '../../following/settle-order.js';
import { DecideOrder } from '../../operator/decide-order.js';
import { OrderAtExchange } from '../../operator/order-at-exchange.js';
import { NextCheck } from '../../orders/next-check.js';
import type { OrderMetrics } from '../../orders/order.metrics.js';
import type { OrderStore } from '../../orders/order-store.js';
import type { OrderTransitions } from '../../orders/order-transitions.js';
import { TradingExchanges } from '../../orders/trading-exchanges.js';
import { ConfirmRefusal } from '../../placement/confirm-refusal.js';
import { ForgottenOrders } from '../../placement/forgotten-orders.js';
import { RecheckRefused } from '../../placement/recheck-refused.js';
import { RequireSearch } from '../../placement/require-search.js';
import { PlaceOrder } from '../../placement/place-order.js';
import { MemoryOrderStore, type HoldPort, type PortOf } from './memory-order-store.js';
import { MemoryOrderTransitions } from './memory-order-transitions.js';
import type { MemoryOrders } from './memory-orders.js';

/** The access to the database that orders need. Each call of a method is one transaction. */
export interface OrderPorts {
  store: PortOf<OrderStore>;
  transitions: PortOf<OrderTransitions>;
  wallets: Pick<Wallets, 'get' | 'find'>;
  /** The database's clock. */
  time: Pick<DatabaseClock, 'read'>;
}

/** The parts that a process needs besides the database. */
export interface OrderSurroundings {
  sessions: WalletSessions;
  routes: Pick<CatalogueRoutes, 'find'>;
  clock: Clock;
  config: Config;
  logger: Logger;
}

export interface MemoryOrderParts {
  holds: HoldPort;
  clock: Clock;
  config: Config;
}

export function memoryOrderPorts(
  table: MemoryOrders,
  { holds, clock, config }: MemoryOrderParts,
): Pick<OrderPorts, 'store' | 'transitions'> {
  return {
    store: new MemoryOrderStore(table, holds, clock, config),
    transitions: new MemoryOrderTransitions(table, holds, clock, config),
  };
}

/** The use cases of orders in one process, which work on the database of `ports`. */
export interface OrderUseCases {
  place: PlaceOrder;
  get: GetOrder;
  settle: SettleOrder;
  decide: DecideOrder;
}

export function orderUseCasesOver(
  ports: OrderPorts,
  { sessions, routes, clock, config, logger }: OrderSurroundings,
): OrderUseCases {
  const store = ports.store as OrderStore;
  const transitions = ports.transitions as OrderTransitions;
  const wallets = ports.wallets as Wallets;
  const time = ports.time as DatabaseClock;
  const metrics: Pick<OrderMetrics, 'ended'> = { ended: () => undefined };
  const counted = metrics as OrderMetrics;
  const exchanges = new TradingExchanges(config);
  const nextCheck = new NextCheck(store, config);
  const read = new ReadOrder(store, transitions, counted, nextCheck, config, logger);
  const forgotten = new ForgottenOrders(store, transitions, config, logger);
  const search = new RequireSearch();
  const recheck = new RecheckRefused(store, transitions, nextCheck, config);
  const confirm = new ConfirmRefusal(clock, config);
  const found = routes as CatalogueRoutes;
  return {
    place: new PlaceOrder(
      ...([wallets, sessions, found, store, transitions, forgotten, search, recheck, confirm, nextCheck] as const),
      ...([counted, clock, time, config, exchanges, logger] as const),
    ),
    get: new GetOrder(wallets, sessions, store, read, time, config, exchanges),
    settle: new SettleOrder(store, wallets, sessions, read, nextCheck, time, logger),
    decide: new DecideOrder(
      ...([store, transitions, new OrderAtExchange(sessions, config)] as const),
      // Audit entries are written in the transaction of the decision, and not in memory.
      ...([{} as Projects, {} as Audit, clock, config, logger] as const),
    ),
  };
}
