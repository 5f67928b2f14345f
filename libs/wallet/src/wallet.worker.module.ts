import { Module } from '@nestjs/common';
import { QueueModule } from '#platform/queue';
import { RefreshGrantJob } from './grants/grants.jobs.js';
import { OverdueGrantsMetrics } from './grants/overdue-grants.metrics.js';
import { RefreshGrantProcessor } from './grants/refresh-grant.processor.js';
import { SweepGrants } from './grants/sweep-grants.js';
import { OtherKeys } from './refusals/other-keys.js';
import { RecheckWalletJob } from './refusals/recheck.jobs.js';
import { RecheckWalletProcessor } from './refusals/recheck-wallet.processor.js';
import { RecheckWallet } from './refusals/recheck-wallet.js';
import { RefusedWalletsMetrics } from './refusals/refused-wallets.metrics.js';
import { SweepRefusals } from './refusals/sweep-refusals.js';
import { EraseDeletedProjects } from './deleting/erase-deleted-projects.js';
import { SweepKeptCredentials } from './deleting/sweep-kept-credentials.js';
import { SweepWallets } from './balances/sweep-wallets.js';
import { SyncDueWallets } from './balances/sync-due-wallets.js';
import { SyncWallet } from './balances/sync-wallet.js';
import { SyncWalletsProcessor } from './balances/sync-wallets.processor.js';
import { SyncWalletsJob } from './balances/sync.jobs.js';
import { WalletSyncMetrics } from './balances/wallet-sync.metrics.js';
import { WalletModule } from './wallet.module.js';

/** The background work on wallets; only the worker process imports it. */
@Module({
  imports: [WalletModule, QueueModule.forJobs(RecheckWalletJob, RefreshGrantJob, SyncWalletsJob)],
  providers: [
    EraseDeletedProjects,
    OtherKeys,
    OverdueGrantsMetrics,
    RecheckWallet,
    RecheckWalletProcessor,
    RefreshGrantProcessor,
    RefusedWalletsMetrics,
    SweepGrants,
    SweepKeptCredentials,
    SweepRefusals,
    SweepWallets,
    SyncDueWallets,
    SyncWallet,
    SyncWalletsProcessor,
    WalletSyncMetrics,
  ],
})
export class WalletWorkerModule {}
