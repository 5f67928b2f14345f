import { Module } from '@nestjs/common';
import { ExchangeModule } from '#exchange';
import { WalletModule } from '#wallet';

/** Catalogues and orders. */
@Module({
  imports: [ExchangeModule, WalletModule],
})
export class TradingModule {}
