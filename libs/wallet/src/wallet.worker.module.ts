import { Module } from '@nestjs/common';
import { SweepKeptCredentials } from './sweep-kept-credentials.js';
import { WalletModule } from './wallet.module.js';

/** What the worker does for wallets; imported by the worker alone. */
@Module({ imports: [WalletModule], providers: [SweepKeptCredentials] })
export class WalletWorkerModule {}
