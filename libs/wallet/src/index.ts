/**
 * wallet: an account at an exchange that a project has connected.
 *
 * Owns: wallets, their sealed credentials and what renews them, their balances as of the last sync, and the holds that
 * let credentials outlive a deletion. It is the one way from a project to its account at an exchange (`WalletSessions`).
 * Never does: move money, keep history, give a credential to anything but `#exchange`, or show one in an answer.
 * Invariants: a walletId is unique among the connected wallets of a project; credentials are stored only after a live
 * call accepted them, and open only for the wallet they were sealed for; a refresh token is used once unless an answer was
 * lost (docs/decisions/0018-grants.md); a wallet is deleted on its owner's word, or because the exchange refuses its
 * credentials for good (docs/decisions/0019-refused-keys.md), and never for the latter while something holds them.
 */
export { ExchangePauses } from './failures/exchange-pauses.js';
export { ConnectFailures } from './connecting/connect-failures.js';
export { ConnectWallet, type ConnectWalletInput, type StoredWallet } from './connecting/connect-wallet.js';
export { EraseKeptCredentials } from './deleting/erase-kept-credentials.js';
export { accountErrors } from './failures/exchange-failure.js';
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
