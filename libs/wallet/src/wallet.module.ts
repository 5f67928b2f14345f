import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { BalanceStore } from './balances/balance-store.js';
import { ConnectFailures } from './connecting/connect-failures.js';
import { ConnectWallet } from './connecting/connect-wallet.js';
import { DeleteWallet } from './deleting/delete-wallet.js';
import { EraseKeptCredentials } from './deleting/erase-kept-credentials.js';
import { GetWallet } from './reading/get-wallet.js';
import { GrantMetrics } from './grants/grant.metrics.js';
import { RefreshGrant } from './grants/refresh-grant.js';
import { RevokeGrant } from './grants/revoke-grant.js';
import { StoreGrant } from './grants/store-grant.js';
import { WalletGrants } from './grants/wallet-grants.service.js';
import { OtherAccounts } from './balances/other-accounts.js';
import { ListWallets } from './reading/list-wallets.js';
import { ExchangePauses } from './failures/exchange-pauses.js';
import { PingWallet } from './sessions/ping-wallet.js';
import { CredentialRefusals } from './refusals/credential-refusals.js';
import { JudgeRefusal } from './refusals/judge-refusal.js';
import { RecordRefusal } from './refusals/record-refusal.js';
import { RecordValidCredentials } from './refusals/record-valid-credentials.js';
import { RefusalMetrics } from './refusals/refusal.metrics.js';
import { InvalidApiFlag } from './wallets/invalid-api-flag.js';
import { WalletBalances } from './balances/wallet-balances.service.js';
import { WalletCredentials } from './credentials/wallet-credentials.service.js';
import { KeyDigests } from './credentials/key-digests.js';
import { SealedWalletTables } from './credentials/sealed-wallet-tables.js';
import { WalletSessions } from './sessions/wallet-sessions.service.js';
import { Wallet } from './wallets/wallet.entity.js';
import { Wallets } from './wallets/wallets.service.js';

const useCases = [ConnectWallet, DeleteWallet, EraseKeptCredentials, GetWallet, ListWallets, PingWallet, StoreGrant];

/** The use cases of wallets, for all processes. */
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
    KeyDigests,
    OtherAccounts,
    RecordRefusal,
    RecordValidCredentials,
    RefreshGrant,
    RefusalMetrics,
    RevokeGrant,
    WalletBalances,
    WalletCredentials,
    WalletGrants,
    InvalidApiFlag,
    SealedWalletTables,
    WalletSessions,
    Wallets,
  ],
  exports: [
    ...useCases,
    BalanceStore,
    ConnectFailures,
    CredentialRefusals,
    ExchangePauses,
    JudgeRefusal,
    KeyDigests,
    OtherAccounts,
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
