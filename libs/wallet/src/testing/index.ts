/**
 * wallet/testing: rows of wallets, and the wallet module with scripted exchanges, for the tests of other libs.
 *
 * Owns: builders with defaults. Never does: call an exchange, or store a row that connecting could not have stored.
 */
export { connectedWallet, type ConnectedWalletOptions } from './connected-wallet.js';
export { grantedWallet, type GrantedWalletOptions } from './granted-wallet.js';
export { fails, ScriptedExchanges } from './scripted-exchanges.js';
export { authorizationFails, authorizedAs, ScriptedAuthorizations } from './scripted-authorizations.js';
export {
  credentialVersionOf,
  eraseCredentials,
  eraseReplacedCredentials,
  holdCredentials,
  replaceCredentials,
} from './replace-credentials.js';
export { createWalletHarness, type WalletHarness } from './wallet-harness.js';
export { WalletWrites, type WalletWritesParts } from './wallet-writes.js';
export { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
export { openCredentials, sealCredentials } from '../credentials/sealed-credentials.js';
export { openRefreshToken, sealRefreshToken } from '../grants/sealed-grant.js';
