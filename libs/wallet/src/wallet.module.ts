import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { BalanceStore } from './balance-store.js';
import { ConnectFailures } from './connect-failures.js';
import { ConnectWallet } from './connect-wallet.js';
import { DeleteWallet } from './delete-wallet.js';
import { EraseKeptCredentials } from './erase-kept-credentials.js';
import { GetWallet } from './get-wallet.js';
import { GrantMetrics } from './grants/grant.metrics.js';
import { RefreshGrant } from './grants/refresh-grant.js';
import { RevokeGrant } from './grants/revoke-grant.js';
import { StoreGrant } from './grants/store-grant.js';
import { WalletGrants } from './grants/wallet-grants.service.js';
import { ListWallets } from './list-wallets.js';
import { ExchangePauses } from './sync/exchange-pauses.js';
import { PingWallet } from './ping-wallet.js';
import { CredentialRefusals } from './refusals/credential-refusals.js';
import { JudgeRefusal } from './refusals/judge-refusal.js';
import { RecordRefusal } from './refusals/record-refusal.js';
import { RecordValidCredentials } from './refusals/record-valid-credentials.js';
import { RefusalMetrics } from './refusals/refusal.metrics.js';
import { WalletMark } from './refusals/wallet-mark.service.js';
import { WalletBalances } from './wallet-balances.service.js';
import { WalletCredentials } from './wallet-credentials.service.js';
import { WalletSessions } from './wallet-sessions.service.js';
import { Wallet } from './wallet.entity.js';
import { Wallets } from './wallets.service.js';

const useCases = [ConnectWallet, DeleteWallet, EraseKeptCredentials, GetWallet, ListWallets, PingWallet, StoreGrant];

/** Entities and use cases of wallets. */
@Module({
  imports: [TypeOrmModule.forFeature([Wallet]), AccessModule, ExchangeModule],
  providers: [
    ...useCases,
    BalanceStore,
    ConnectFailures,
    CredentialRefusals,
    ExchangePauses,
    GrantMetrics,
    JudgeRefusal,
    RecordRefusal,
    RecordValidCredentials,
    RefreshGrant,
    RefusalMetrics,
    RevokeGrant,
    WalletBalances,
    WalletCredentials,
    WalletGrants,
    WalletMark,
    WalletSessions,
    Wallets,
  ],
  exports: [
    ...useCases,
    ConnectFailures,
    CredentialRefusals,
    ExchangePauses,
    JudgeRefusal,
    RecordRefusal,
    RecordValidCredentials,
    RefreshGrant,
    RefusalMetrics,
    WalletBalances,
    WalletCredentials,
    WalletSessions,
    Wallets,
  ],
})
export class WalletModule {}
