import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExchangeModule } from '#exchange';
import { WalletModule } from '#wallet';
import { GetOrder } from './orders/get-order.js';
import { OrderLedger } from './orders/order-ledger.js';
import { OrderMetrics } from './orders/order-metrics.js';
import { OrderStore } from './orders/order-store.js';
import { Order } from './orders/order.entity.js';
import { ReadOrder } from './orders/read-order.js';
import { SettleOrder } from './orders/settle-order.js';

const orderParts = [GetOrder, OrderLedger, OrderMetrics, OrderStore, ReadOrder, SettleOrder];

/** Catalogues and orders. */
@Module({
  imports: [TypeOrmModule.forFeature([Order]), ExchangeModule, WalletModule],
  providers: [...orderParts],
  exports: [...orderParts],
})
export class TradingModule {}
