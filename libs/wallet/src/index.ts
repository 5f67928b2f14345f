/**
 * wallet: an account at an exchange that a project has connected.
 *
 * Owns: wallets, their sealed credentials and the grants that renew them, their balances as of the last sync, and the
 * holds that keep credentials after a deletion. Other libs reach the account of a project only through
 * `WalletSessions`. The view `current_credentials` shows the version of each wallet's credentials to the SQL of other
 * libs.
 * Never does: move money, keep history, give a credential to anything but `#exchange`, or show one in a response.
 * Invariants: a walletId is unique among the connected wallets of a project. Credentials are stored only after a live
 * call accepted them, and they open only for the wallet that they were sealed for. A refresh token is used once, unless
 * a response was lost (docs/decisions/0018-grants.md). A wallet is deleted because a caller requests it, or because
 * the exchange has definitely refused its credentials (docs/decisions/0019-refused-keys.md). The latter never happens
 * while an unsettled withdrawal or order holds the credentials.
 */
export { ApiUnread, shownUnread, type UnreadAccountResponse } from './api/unread-account.dto.js';
export { ExchangePauses } from './failures/exchange-pauses.js';
export { ConnectFailures, type ConnectClient } from './connecting/connect-failures.js';
export { ConnectWallet, type ConnectWalletInput, type StoredWallet } from './connecting/connect-wallet.js';
export { EraseKeptCredentials } from './deleting/erase-kept-credentials.js';
export { accountErrors } from './failures/exchange-failure.js';
export { KeyDigests } from './credentials/key-digests.js';
export { MakeBalancesDue } from './balances/make-balances-due.js';
export { GetWallet, type WalletWithBalances } from './reading/get-wallet.js';
export { StoreGrant } from './grants/store-grant.js';
export { ListWallets } from './reading/list-wallets.js';
export { Wallet, type SyncProgress } from './wallets/wallet.entity.js';
export {
  CredentialsReplaced,
  RefusedByExchange,
  WalletInvalidCredentials,
  WalletNotFound,
} from './wallets/wallet.errors.js';
export { WalletBalances } from './balances/wallet-balances.service.js';
export { WalletSessions, type UseOptions } from './sessions/wallet-sessions.service.js';
export { Wallets } from './wallets/wallets.service.js';
export { WalletModule } from './wallet.module.js';
export { DeleteWallet } from './deleting/delete-wallet.js';
