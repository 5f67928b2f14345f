import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { WalletModule } from '#wallet';
import { CatalogueRoutes } from './catalogue/catalogue-routes.js';
import { CatalogueStore } from './catalogue/catalogue-store.js';
import { CurrentCatalogues } from './catalogue/current-catalogues.js';
import { ReadCatalogue } from './catalogue/read-catalogue.js';
import { RefreshCatalogue } from './catalogue/refresh-catalogue.js';
import { ConfirmRefusal } from './placement/confirm-refusal.js';
import { ForgottenOrders } from './placement/forgotten-orders.js';
import { GetOrder } from './following/get-order.js';
import { NextCheck } from './orders/next-check.js';
import { DecideOrder } from './operator/decide-order.js';
import { EndOrder } from './operator/end-order.js';
import { ListOrders } from './operator/list-orders.js';
import { OrderAtExchange } from './operator/order-at-exchange.js';
import { ShowOrder } from './operator/show-order.js';
import { OrderTransitions } from './orders/order-transitions.js';
import { OrderMetrics } from './orders/order.metrics.js';
import { OrderStore } from './orders/order-store.js';
import { Order } from './orders/order.entity.js';
import { PlaceOrder } from './placement/place-order.js';
import { RecheckRefused } from './placement/recheck-refused.js';
import { RequireSearch } from './placement/require-search.js';
import { ReadOrder } from './following/read-order.js';
import { TradingExchanges } from './orders/trading-exchanges.js';
import { SettleOrder } from './following/settle-order.js';

const catalogueParts = [CatalogueRoutes, CatalogueStore, CurrentCatalogues, ReadCatalogue, RefreshCatalogue];
const orderParts = [
  DecideOrder,
  EndOrder,
  ListOrders,
  OrderAtExchange,
  ShowOrder,
  ConfirmRefusal,
  ForgottenOrders,
  GetOrder,
  NextCheck,
  OrderTransitions,
  OrderMetrics,
  OrderStore,
  PlaceOrder,
  RecheckRefused,
  RequireSearch,
  ReadOrder,
  SettleOrder,
  TradingExchanges,
];

/** The use cases of catalogues and orders, for all processes. */
@Module({
  imports: [TypeOrmModule.forFeature([Order]), AccessModule, ExchangeModule, WalletModule],
  providers: [...catalogueParts, ...orderParts],
  exports: [...catalogueParts, ...orderParts],
})
export class TradingModule {}
